//! What a run reports on each file: counts and warnings, with the same names and texts for the command line, JavaScript and
//! Python. No text here names a patient.

use crate::amount::Amount;
use crate::error::FileError;
use crate::reasons::Skip;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Serialize, Serializer};

/// Something that looks wrong in a file and changes no claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// SVC02 less SVC03 is not the sum of the line's adjustments.
    LineBalance,
    /// CLP03 less CLP04 is not the sum of the adjustments.
    ClaimBalance,
    /// BPR02 is not the sum of CLP04 less PLB.
    PaymentBalance,
    /// SE01 is not the number of segments.
    SegmentCount,
    /// The control numbers of a header and its trailer differ.
    ControlNumbers,
    /// A count of transactions or groups is wrong.
    EnvelopeCount,
    /// A transaction of another kind than 835 and 837.
    OtherTransaction,
    /// A segment outside of a transaction, or one that does not belong there.
    StraySegment,
    /// A reversal of an adjudication that no file has.
    UnmatchedReversal,
    /// An amount that cannot be read.
    Amount,
}

impl Warning {
    /// The warning for people, as a name for a number of cases.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::LineBalance => "claims with a line out of balance",
            Self::ClaimBalance => "claims whose adjustments are not charge less payment",
            Self::PaymentBalance => "payments that are not the sum of their claims (BPR02)",
            Self::SegmentCount => "wrong number of segments (SE01)",
            Self::ControlNumbers => "control numbers that differ",
            Self::EnvelopeCount => "wrong number of transactions or groups (GE01, IEA01)",
            Self::OtherTransaction => "transactions of another kind than 835 and 837",
            Self::StraySegment => "segments outside of a transaction",
            Self::UnmatchedReversal => "reversals of a claim that no file has",
            Self::Amount => "claims with an amount that is missing or cannot be read",
        }
    }
}

/// A number of claim payments and an amount.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Tally {
    /// Claim payments.
    pub count: u64,
    /// The sum of their adjustments.
    pub amount: Amount,
}

impl Tally {
    pub(crate) fn add(&mut self, count: u64, amount: Amount) {
        self.count = self.count.saturating_add(count);
        self.amount.add(amount);
    }
}

/// What became of the claim payments of a file. The amounts of all tallies add up to `adjustments` and `unexplained`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Counts {
    /// Claim payments in remittances. Each is counted once below.
    pub claim_payments: u64,
    /// Claims in claim files.
    pub submitted_claims: u64,
    /// The sum of all adjustments, without repeated transactions.
    pub adjustments: Amount,
    /// The charges of claims that were not paid and have no adjustments.
    pub unexplained: Amount,
    /// Denials that are written, with what was denied.
    pub written: Tally,
    /// Denials that are held, with what was denied.
    pub held: Tally,
    /// Each reason why something is not written.
    #[serde(serialize_with = "skipped")]
    pub skipped: BTreeMap<Skip, Tally>,
    /// Claim payments whose adjustments are not the difference of charge and payment.
    pub out_of_balance: u64,
}

impl Counts {
    pub(crate) fn skip(&mut self, reason: Skip, count: u64, amount: Amount) {
        if count > 0 || amount != Amount::ZERO {
            self.skipped.entry(reason).or_default().add(count, amount);
        }
    }

    /// Adds the counts of another file.
    pub fn add(&mut self, other: &Self) {
        self.claim_payments = self.claim_payments.saturating_add(other.claim_payments);
        self.submitted_claims = self.submitted_claims.saturating_add(other.submitted_claims);
        self.adjustments.add(other.adjustments);
        self.unexplained.add(other.unexplained);
        self.written.add(other.written.count, other.written.amount);
        self.held.add(other.held.count, other.held.amount);
        for (reason, tally) in &other.skipped {
            self.skip(*reason, tally.count, tally.amount);
        }
        self.out_of_balance = self.out_of_balance.saturating_add(other.out_of_balance);
    }
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileReport {
    /// The name that the host gave.
    pub name: String,
    /// Bytes read.
    pub bytes: u64,
    /// Transactions of remittances (835).
    pub remittances: u64,
    /// Transactions of claims (837).
    pub submissions: u64,
    /// What became of its claims.
    pub counts: Counts,
    /// Warnings, with how often each occurred and the number of the first segment, counted from 1.
    pub warnings: BTreeMap<Warning, (u64, u64)>,
    /// True if the file ends inside an interchange.
    pub cut_off: bool,
    /// Why the rest of the file was not read.
    pub error: Option<FileError>,
}

/// How much of a file was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// To its end.
    Whole,
    /// To where it is cut off or damaged. What came before counts.
    Partial,
    /// Nothing, though it may have remittances or claims.
    Unreadable,
    /// It has neither remittances nor claims.
    Other,
}

impl FileReport {
    /// How much of the file was read.
    #[must_use]
    pub const fn state(&self) -> FileState {
        let has_any = self.remittances > 0 || self.submissions > 0;
        match self.error {
            Some(_) if has_any => FileState::Partial,
            Some(error) if error.is_foreign() => FileState::Other,
            Some(_) => FileState::Unreadable,
            None if self.cut_off => FileState::Partial,
            None if has_any => FileState::Whole,
            None => FileState::Other,
        }
    }

    /// What people must know about how far the file was read. `None` if it was read to its end.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        match (self.state(), self.error) {
            (FileState::Partial, Some(error)) => Some(format!("not read to its end: {error}")),
            (FileState::Partial, None) => {
                Some("the file is cut off: denials of a transaction without its end (SE) are held".into())
            }
            (FileState::Unreadable, Some(error)) => Some(format!("not read: {error}")),
            (FileState::Other, Some(error)) => Some(error.to_string()),
            (FileState::Other, None) => Some("no remittance (835) and no claim file (837) is in it".into()),
            (FileState::Whole | FileState::Unreadable, _) => None,
        }
    }

    pub(crate) fn warn(&mut self, warning: Warning, segment: u64) {
        let (count, _) = self.warnings.entry(warning).or_insert((0, segment));
        *count = count.saturating_add(1);
    }
}

/// What is written for each reason to skip: its name, its text, and its tally.
#[derive(Serialize)]
struct Skipped {
    reason: Skip,
    text: &'static str,
    #[serde(flatten)]
    tally: Tally,
}

/// Writes the reasons to skip as a list.
fn skipped<S: Serializer>(skipped: &BTreeMap<Skip, Tally>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(skipped.iter().map(|(reason, tally)| Skipped {
        reason: *reason,
        text: reason.text(),
        tally: *tally,
    }))
}

impl Serialize for FileReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Warned {
            warning: Warning,
            text: &'static str,
            count: u64,
            first_segment: Option<u64>,
        }
        #[derive(Serialize)]
        struct File<'a> {
            name: &'a str,
            bytes: u64,
            remittances: u64,
            submissions: u64,
            counts: &'a Counts,
            warnings: Vec<Warned>,
            state: FileState,
            cut_off: bool,
            error: Option<String>,
            note: Option<String>,
        }
        let warnings = self.warnings.iter();
        File {
            name: &self.name,
            bytes: self.bytes,
            remittances: self.remittances,
            submissions: self.submissions,
            counts: &self.counts,
            warnings: warnings
                .map(|(warning, (count, segment))| Warned {
                    warning: *warning,
                    text: warning.text(),
                    count: *count,
                    first_segment: (*segment > 0).then_some(*segment),
                })
                .collect(),
            state: self.state(),
            cut_off: self.cut_off,
            error: self.error.map(|error| error.to_string()),
            note: self.note(),
        }
        .serialize(serializer)
    }
}
