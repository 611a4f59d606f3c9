//! What a send fills in of claims that exist.

use crate::auth::key::Caller;
use crate::base::date::Date;
use crate::base::id::{AuditId, ClaimId, MessageId};
use crate::base::sealed::KeyVersion;
use crate::plan::claims::claim::Item;
use crate::plan::claims::present::Present;
use crate::plan::claims::writes::Tags;
use crate::plan::webhooks::message::Message;
use alloc::vec::Vec;
use core::fmt;
use serde_json::Value;
use serde_json::json;

/// The sealed part of a claim as it is from now on. `Debug` does not print it.
#[derive(Clone)]
pub struct Resealed {
    /// What to seal, as JSON.
    pub secret: Vec<u8>,
    /// Its fingerprints, under the key that it is to be sealed with.
    pub tags: Tags,
}

impl fmt::Debug for Resealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resealed(…)")
    }
}

/// What a resend fills in of one claim, and with it what the item corrects. `Debug` prints the claim's id only.
#[derive(Clone)]
pub struct Fill<'a> {
    /// The claim.
    pub id: ClaimId,
    /// What was sent.
    pub item: &'a Item<'a>,
    /// Its version as it was read. Where it has another by now, nothing is filled in.
    pub version: i64,
    /// The key that it was sealed under. Likewise.
    pub was: KeyVersion,
    /// The parts that are filled in. Where there is none, only what the claim has is written down.
    pub parts: Present,
    /// All parts that it has then.
    pub present: Present,
    /// The sealed part, where that changes.
    pub sealed: Option<Resealed>,
    /// The last day on which its appeal can be filed, where that is known now.
    pub due: Option<Date>,
    /// What endpoints are told.
    pub message: Option<Message>,
}

impl fmt::Debug for Fill<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fill")
            .field("id", &self.id)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}

impl Fill<'_> {
    /// What the history says of it: names of fields and the day, never a value that was sealed.
    #[must_use]
    pub fn history(&self) -> Value {
        let mut said = json!({ "filled_in": self.parts.names() });
        if let (Some(said), Some(due)) = (said.as_object_mut(), self.due) {
            said.insert("appeal_due".into(), json!(due));
        }
        said
    }
}

/// What one send fills in.
#[derive(Clone, Debug)]
pub struct Fills<'a> {
    /// Who sends.
    pub caller: Caller,
    /// The row of the audit trail.
    pub audit_id: AuditId,
    /// What is filled in, claim by claim.
    pub claims: Vec<Fill<'a>>,
}

impl Fills<'_> {
    /// The messages that endpoints may be told.
    pub fn messages(&self) -> impl Iterator<Item = MessageId> {
        self.claims
            .iter()
            .filter_map(|fill| Some(fill.message.as_ref()?.id))
    }
}
