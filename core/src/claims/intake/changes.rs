//! What a send changes. A host writes it in one batch, which may run twice.

use super::counts::Bounds;
use crate::base::date::Date;
use crate::base::id::{ClaimId, PracticeId, SubmissionId};
use crate::base::money::Cents;
use crate::base::sealed::KeyVersion;
use crate::claims::appeal::payer_clock::Clock;
use crate::claims::deadline::Deadline;
use crate::claims::identity::{Mismatch, Tags};
use crate::claims::{Item, Present};
use alloc::vec::Vec;
use core::fmt;
use serde_json::{Value, json};

/// The changes of one round of a send.
#[derive(Clone, Debug)]
pub struct Changes<'a> {
    pub practice_id: PracticeId,
    /// The submission that the new claims join. It is written only if at least one of their numbers was still free.
    pub submission_id: SubmissionId,
    /// How many rounds came before.
    pub round: usize,
    /// What was compared and has to be counted or confirmed before the answer.
    pub compared: Option<Compared>,
    /// New claims. A number that was taken in between keeps its claim.
    pub new: Vec<NewClaim<'a>>,
    /// Absent parts of existing claims, with what their resends correct.
    pub fills: Vec<Fill<'a>>,
    /// Corrections of other existing claims. A value that does not change gets no event.
    pub corrections: Vec<Correction<'a>>,
}

impl Changes<'_> {
    /// The numbers of the claims that are created or changed.
    pub fn claim_numbers(&self) -> impl Iterator<Item = &str> {
        let new = self.new.iter().map(|new| &*new.item.claim.claim_number);
        let fills = self.fills.iter().map(|fill| &*fill.item.claim.claim_number);
        new.chain(fills).chain(self.corrections.iter().map(|to| to.claim_number))
    }
}

/// The comparisons of one round: mismatches to count, and matches to confirm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The UTC day.
    pub day: Date,
    /// The limits. If they do not hold when the batch runs, it writes nothing.
    pub bounds: Bounds,
    /// The mismatches, with the indexes of their items.
    pub found: Vec<(usize, ClaimId, Mismatch)>,
    /// The matches to confirm, with the indexes of their items. They are not counted, and are answered only if one more mismatch
    /// of the claim would be. So a correct guess among many parallel ones gets the same treatment as in a sequence.
    pub matches: Vec<(usize, ClaimId)>,
    /// There are more mismatches than the practice may still have: none is answered, and nothing more is compared
    /// today. Otherwise the refusal would reveal for free how many there were.
    pub closes: bool,
    /// How many mismatches the rounds before have counted.
    pub counted: usize,
}

#[derive(Clone, Debug)]
pub struct NewClaim<'a> {
    /// The index of its item in the request.
    pub place: usize,
    pub id: ClaimId,
    /// The sent item.
    pub item: &'a Item<'a>,
    /// Its fingerprints.
    pub tags: Tags,
}

/// The correction of a claim by a resend. An amount that is absent stays. `Debug` prints only the claim's id.
#[derive(Clone)]
pub struct Correction<'a> {
    pub id: ClaimId,
    /// Its number, for reading it back.
    pub claim_number: &'a str,
    /// The new payer claim number.
    pub payer_claim_number: &'a str,
    /// The new billed amount.
    pub billed: Option<Cents>,
    /// The new denied amount.
    pub denied: Option<Cents>,
}

impl fmt::Debug for Correction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Correction").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The fill-in of one claim by a resend, with its corrections. `Debug` prints only the claim's id.
#[derive(Clone)]
pub struct Fill<'a> {
    pub id: ClaimId,
    /// The index of its item in the request.
    pub place: usize,
    /// The sent item.
    pub item: &'a Item<'a>,
    /// The version that was read. If it has changed, nothing is filled in.
    pub version: i64,
    /// The key that sealed what was read. If the claim has another one, nothing is filled in.
    pub key_version: KeyVersion,
    /// The parts to fill in.
    pub parts: Present,
    /// All parts that the claim has after the fill-in.
    pub present: Present,
    /// The part to seal, as JSON, if it changes.
    pub secret: Option<Vec<u8>>,
    /// The new deadline of its appeal, if it changes.
    pub due: Option<Deadline>,
    /// Whether something was filed for the claim when it was read, if its deadline can depend on that. If this has
    /// changed, nothing is filled in.
    pub filed: Option<bool>,
    /// The payer's clock of its case, if the plan becomes known. If the case has changed, nothing is filled in.
    pub clock: Option<Clock>,
}

impl fmt::Debug for Fill<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fill").field("id", &self.id).field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl Fill<'_> {
    /// The details for the history: names of fields and the date, never a sealed value.
    #[must_use]
    pub fn history(&self) -> Value {
        let mut said = json!({ "filled_in": self.parts.names() });
        if let (Some(said), Some(due)) = (said.as_object_mut(), self.due) {
            said.insert("appeal_due".into(), json!(due.date));
        }
        said
    }
}
