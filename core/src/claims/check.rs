//! A body looked at before it is sent, by a sender's own code.

use crate::base::ctx::Ctx;
use crate::base::instant::Instant;
use crate::claims::advice::{self, Advice};
use crate::claims::intake::{self, BODY_MAX, BODY_TOO_LARGE};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// What there is to say of a body.
#[derive(PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Why the service would refuse it: exactly its messages in its order, or its one message on a body that is
    /// too large. Empty when it would take it.
    pub errors: Vec<String>,
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
            errors: [BODY_TOO_LARGE.into()].into(),
            ..Report::default()
        };
    }
    // Reading makes no ids, so the seed does not matter.
    match intake::parse(body, &Ctx::new(now, [0; 32])) {
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
