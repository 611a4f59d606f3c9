//! Why a file cannot be used.

/// Why a file cannot be read, or cannot be read any further.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// The file has no bytes, or only white space.
    #[error("the file is empty")]
    Empty,
    /// No interchange at the start of the file, and none further on.
    #[error("this is not X12: it has no ISA segment")]
    NotX12,
    /// An interchange with two bytes for a character.
    #[error("this is UTF-16: save it as plain text (ASCII or UTF-8), and read it again")]
    Utf16,
    /// An interchange with `isa` for `ISA`.
    #[error(
        "ISA is in lower case, so the file was changed on its way: get it again from the payer or the clearinghouse"
    )]
    LowerCase,
    /// A ZIP archive or the like.
    #[error("this is an archive or compressed: unpack it, and read the files in it")]
    Archive,
    /// An interchange that is not at the start of the file.
    #[error("other text comes before ISA: remove it, or get the file again, so that ISA comes first")]
    TextBefore,
    /// Groups or transactions without an interchange around them.
    #[error("the ISA segment is missing: get the file again from the payer or the clearinghouse")]
    NoHeader,
    /// Something else than an interchange after one.
    #[error("something other than ISA follows the end of an interchange (IEA)")]
    TextAfter,
    /// An ISA segment that does not name its separators.
    #[error("the ISA segment does not name its separators")]
    Separators,
    /// A segment over the limit.
    #[error("a segment is longer than 64 KiB")]
    SegmentTooLong,
    /// A segment whose name is in lower case. X12 has none, and one that was skipped could be a denial.
    #[error(
        "a segment is in lower case, so the file was changed on its way: get it again from the payer or the clearinghouse"
    )]
    LowerCaseSegment,
}

impl FileError {
    /// True if nothing of the file can be a remittance or a claim file.
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::Empty | Self::NotX12)
    }
}

/// Why a CSV file cannot be used. Lines count from 1. No text of the file is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CsvError {
    /// The first line lacks a column.
    #[error("the first line has no column {0}")]
    Column(&'static str),
    /// A quotation mark that does not end.
    #[error("line {0}: a quotation mark does not end")]
    Quote(u32),
    /// A row over the limit.
    #[error("line {0}: the row is longer than 2 MiB")]
    TooLong(u32),
    /// A class of a CARC that is not known.
    #[error(
        "line {0}: the class must be one of denial, patient_share, contractual, prior_payer, duplicate, pending, paid_elsewhere, capitation"
    )]
    Class(u32),
    /// A plan that is not known.
    #[error("line {0}: plan_type must be one of the interface's names")]
    Plan(u32),
}
