//! A body looked at before it is sent, by a sender's own code.

use crate::base::ctx::Ctx;
use crate::base::instant::Instant;
use crate::claims::advice::{self, Advice};
use crate::claims::envelope::{RawClaim, RawEnvelope, RawItem, RawPatient};
use crate::claims::intake::{self, BODY_MAX, BODY_TOO_LARGE, Send};
use crate::request::problem::Problem;
use alloc::vec::Vec;
use serde::{Deserializer, Serialize};

/// What there is to say of a body.
#[derive(PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Why the service would refuse it: exactly its messages in its order, or its one message on a body that is
    /// too large. Empty when it would take it.
    pub errors: Vec<Problem>,
    /// What to look at again. Only for a body without errors.
    pub advice: Vec<Advice>,
}

impl Report {
    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.advice.is_empty()
    }
}

/// Says what the service would say of this body of a send, if it came at `now`; and the advice it would not give.
///
/// What depends on the store or the key stays unsaid, such as a claim number that is taken.
#[must_use]
pub fn check(body: &[u8], now: Instant) -> Report {
    if body.len() > BODY_MAX {
        return Report {
            errors: [BODY_TOO_LARGE].into(),
            ..Report::default()
        };
    }
    report(intake::parse(body, &ctx(now)))
}

/// The keys of the objects in a body that [`check_value`] reads: of the envelope, an item, a patient and a claim.
pub const OBJECTS: [&[&str]; 4] = [
    RawEnvelope::KEYS,
    RawItem::KEYS,
    RawPatient::KEYS,
    RawClaim::KEYS,
];

/// The same for a body that a host holds as values and not as text. In place of a key, the source may give its place among
/// those of [`OBJECTS`], as a `u64`. How large the body would be as text, the host must know.
pub fn check_value<'a, D: Deserializer<'a>>(from: D, now: Instant) -> Report {
    report(intake::parse_value(from, &ctx(now)))
}

/// Reading makes no ids, so the seed does not matter.
fn ctx(now: Instant) -> Ctx {
    Ctx::new(now, [0; 32])
}

fn report(read: Result<Send<'_>, Vec<Problem>>) -> Report {
    match read {
        Ok(send) => Report {
            errors: Vec::new(),
            advice: advice::advise(&send.items),
        },
        Err(errors) => Report {
            errors,
            advice: Vec::new(),
        },
    }
}
