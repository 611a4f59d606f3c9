//! The parts of existing claims that a send fills in.

use crate::base::id::{AuditId, ClaimId, MessageId, PracticeId};
use crate::base::sealed::KeyVersion;
use crate::plan::claims::claim::Item;
use crate::plan::claims::deadline::Deadline;
use crate::plan::claims::present::Present;
use crate::plan::message::Message;
use crate::plan::work::payer_clock::Clock;
use alloc::vec::Vec;
use core::fmt;
use serde_json::Value;
use serde_json::json;

/// The fill-in of one claim by a resend, with its corrections. `Debug` prints only the claim's id.
#[derive(Clone)]
pub struct Fill<'a> {
    pub id: ClaimId,
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
    /// The message for endpoints.
    pub message: Option<Message>,
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

/// The fill-ins of one send.
#[derive(Clone, Debug)]
pub struct Fills<'a> {
    pub practice_id: PracticeId,
    /// The row of the audit trail.
    pub audit_id: AuditId,
    /// The fill-ins, one for each claim.
    pub claims: Vec<Fill<'a>>,
}

impl Fills<'_> {
    /// The messages for endpoints.
    pub fn messages(&self) -> impl Iterator<Item = MessageId> {
        self.claims.iter().filter_map(|fill| Some(fill.message.as_ref()?.id))
    }
}
