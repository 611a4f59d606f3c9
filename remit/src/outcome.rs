//! What a run finds: the claims to send and the denials that are held.

use crate::amount::Amount;
use crate::births::MissingBirth;
use crate::plan::MissingPlans;
use crate::reasons::Hold;
use crate::report::FileReport;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Serialize, Serializer};

/// A claim that can be sent. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct WrittenClaim {
    pub claim_number: String,
    /// What was denied.
    #[serde(rename = "denied_amount")]
    pub denied: Amount,
    /// The claim as one line of JSON: `{"patient": …, "claim": …}`.
    pub json: String,
}

impl fmt::Debug for WrittenClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WrittenClaim(…)")
    }
}

/// A denial that cannot be sent as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldClaim {
    /// The claim number, as far as it is known.
    pub claim_number: String,
    /// What was denied.
    pub denied: Amount,
    /// Why it is held.
    pub hold: Hold,
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

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    /// The claims to send, by claim number. Empty after `Remit::finish_into`.
    pub claims: Vec<WrittenClaim>,
    /// The denials that are held, by claim number.
    pub held: Vec<HeldClaim>,
    /// The patients of held denials that lack a date of birth.
    pub missing_births: Vec<MissingBirth>,
    /// The payers of the written claims that have no plan type.
    pub missing_plans: MissingPlans,
    /// A report on each file, in the order in which they were read.
    pub files: Vec<FileReport>,
    /// The steps of the claim to explain.
    pub explanation: Vec<String>,
}
