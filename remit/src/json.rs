//! The report as JSON: the same names and texts for the command line, JavaScript and Python.

use crate::explain::skip_text;
use crate::remit::{HeldClaim, WrittenClaim};
use crate::report::{FileReport, FileState, Hold, Skip, Tally, Warning};
use crate::{Amount, Counts};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Serialize, Serializer};

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

impl FileReport {
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
pub(crate) fn skipped<S: Serializer>(skipped: &BTreeMap<Skip, Tally>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(skipped.iter().map(|(reason, tally)| Skipped {
        reason: *reason,
        text: skip_text(*reason),
        tally: *tally,
    }))
}

impl Serialize for WrittenClaim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a> {
            claim_number: &'a str,
            denied_amount: Amount,
            json: &'a str,
        }
        Written { claim_number: &self.claim_number, denied_amount: self.denied, json: &self.json }.serialize(serializer)
    }
}

impl Serialize for HeldClaim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Held<'a> {
            claim_number: &'a str,
            denied_amount: Amount,
            #[serde(flatten)]
            hold: &'a Hold,
            text: String,
        }
        Held { claim_number: &self.claim_number, denied_amount: self.denied, hold: &self.hold, text: self.hold.text() }
            .serialize(serializer)
    }
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
