//! Finds the format of a file: from the option, else from its name, else from its first line.

use super::lines::Line;
use crate::error::CommandError;
use clap::ValueEnum;
use serde::de::IgnoredAny;
use std::path::Path;

/// A format that we can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// One claim or one batch, over any number of lines
    Json,
    /// A claim or a batch on each line
    Ndjson,
    /// A claim on each row, under a header with the names of the fields
    Csv,
}

impl Format {
    /// The format that a file name suggests. `.json` suggests none: systems use it for both formats.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?;
        match &*extension.to_ascii_lowercase() {
            "ndjson" | "jsonl" => Some(Self::Ndjson),
            "csv" | "tsv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// The format that the first line suggests: one value, if the line is the beginning of one.
    pub(super) fn of_line(first: &Line) -> Self {
        let error = serde_json::from_slice::<IgnoredAny>(&first.text).err();
        if first.cut || error.is_some_and(|error| error.is_eof()) { Self::Json } else { Self::Ndjson }
    }
}

/// Refuses other export formats of billing systems, which the first lines give away.
///
/// # Errors
///
/// [`CommandError::Usage`], which says what the file looks like.
pub(super) fn refuse_foreign(first: &Line) -> Result<(), CommandError> {
    let text = first.text.trim_ascii();
    if text.starts_with(b"ISA") && text.get(3).is_some_and(u8::is_ascii_punctuation) {
        return Err(CommandError::Usage(
            "the file looks like an X12 interchange. `overturn remit` makes claims from remittances (835); docs/CLI.md shows how. Nothing was sent".into(),
        ));
    }
    if text.starts_with(b"PK\x03\x04") {
        return Err(CommandError::Usage(
            "the file looks like a spreadsheet, which is not supported. Save it as CSV (UTF-8); docs/CLI.md shows the columns. Nothing was sent".into(),
        ));
    }
    Ok(())
}

/// True if a first line has separators and is not JSON, complete or broken.
pub(super) fn is_csv(first: &Line) -> bool {
    let line = first.text.trim_ascii();
    let has_separator = line.iter().any(|byte| matches!(byte, b',' | b';' | b'\t' | b'|'));
    let is_json_like = matches!(line.first(), Some(b'{' | b'[' | b'}' | b']'));
    has_separator && !is_json_like && serde_json::from_slice::<IgnoredAny>(line).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line { number: 1, text: text.into(), cut: false }
    }

    #[test]
    fn the_name_suggests_only_one_value_per_line() {
        for (name, format) in [
            ("claims.ndjson", Some(Format::Ndjson)),
            ("2025.01/claims.JSONL", Some(Format::Ndjson)),
            ("claims.CSV", Some(Format::Csv)),
            ("claims.tsv", Some(Format::Csv)),
            ("claims.json", None),
            ("ndjson", None),
            ("-", None),
        ] {
            assert_eq!(Format::of_name(name), format, "{name}");
        }
    }

    #[test]
    fn other_formats_are_recognized_by_their_first_lines() {
        for (first, what) in [("PK\u{3}\u{4}\u{14}", "a spreadsheet"), ("ISA*00*          *00*", "an X12 interchange")]
        {
            let refused = refuse_foreign(&line(first));
            let start = format!("the file looks like {what}");
            assert!(matches!(refused, Err(CommandError::Usage(text)) if text.starts_with(&start)), "{first}");
        }
        for first in [
            "claim_number,payer_name\r\n",
            "claim_number;payer_name\n",
            "claim_number\tpayer_name\n",
            "\"Claim #\",\"Payer, full name\"\n",
            "1984-06-02,245.00\n",
        ] {
            assert!(is_csv(&line(first)), "{first}");
            assert_eq!(refuse_foreign(&line(first)), Ok(()));
        }
        for first in ["{\"patient\":1,\"claim\":2}", "[1,2]", "\"a, b\"", "17", "patient: 1\n", ""] {
            assert!(!is_csv(&line(first)), "{first}");
            assert_eq!(refuse_foreign(&line(first)), Ok(()));
        }
    }
}
