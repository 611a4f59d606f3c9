//! Checks a body before it is sent, in the sender's own program.

use crate::base::ctx::Ctx;
use crate::base::instant::Instant;
use crate::claims::advice::{self, Advice};
use crate::claims::envelope::{RawClaim, RawEnvelope, RawItem, RawPatient};
use crate::claims::intake::{self, BODY_MAX, BODY_TOO_LARGE, ValidSend};
use crate::request::problem::Problem;
use alloc::vec::Vec;
use serde::{Deserializer, Serialize};

/// The result of a check.
#[derive(PartialEq, Eq, Debug, Default, Serialize)]
pub struct CheckReport {
    /// The errors that the service would return: its exact messages, in its order, or its single message about a body
    /// that is too large. Empty if it would accept the body.
    pub errors: Vec<Problem>,
    /// Advice. Only for a body without errors.
    pub advice: Vec<Advice>,
}

impl CheckReport {
    /// True if there is nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.advice.is_empty()
    }
}

/// Returns the errors that the service would give for this body at `now`, and advice.
///
/// Problems that depend on the store or the key are not found, such as a claim number that is already used.
#[must_use]
pub fn check(body: &[u8], now: Instant) -> CheckReport {
    if body.len() > BODY_MAX {
        return CheckReport { errors: [BODY_TOO_LARGE].into(), ..CheckReport::default() };
    }
    report(intake::parse(body, &ctx(now)))
}

/// The keys of the objects in a body that [`check_value`] reads: of the envelope, an item, a patient and a claim.
pub const OBJECTS: [&[&str]; 4] = [RawEnvelope::KEYS, RawItem::KEYS, RawPatient::KEYS, RawClaim::KEYS];

/// The same for a body that a host has as values instead of text. Instead of a key, the source may give its index in
/// [`OBJECTS`] as a `u64`. The host must check the size of the body as text.
pub fn check_value<'a, D: Deserializer<'a>>(from: D, now: Instant) -> CheckReport {
    report(intake::parse_value(from, &ctx(now)))
}

/// Reading makes no ids, so the seed does not matter.
fn ctx(now: Instant) -> Ctx {
    Ctx::new(now, [0; 32])
}

fn report(read: Result<ValidSend<'_>, Vec<Problem>>) -> CheckReport {
    match read {
        Ok(send) => CheckReport { errors: Vec::new(), advice: advice::advise(&send.items) },
        Err(errors) => CheckReport { errors, advice: Vec::new() },
    }
}
