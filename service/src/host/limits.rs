//! Limits of calls.

use super::step::{PlatformError, Step};
use crate::request::limit::{Ahead, Held, RateLimit, Unused, Verdict};
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::Mark;
use serde::{Deserialize, Serialize};

/// Exact limits: at most so many calls of a principal in any window. Of parallel calls, exactly as many pass as the limit
/// allows.
pub trait Limiter {
    /// Counts a call of a principal in a group of calls, if it is allowed. `marks` are those of a send's items. `unused` are
    /// given back before.
    ///
    /// # Errors
    ///
    /// The limiter did not answer.
    fn ask<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        marks: &'a [Mark],
        unused: Unused,
    ) -> Step<'a, Result<LimiterAnswer, PlatformError>>;

    /// Counts calls of a principal before they are made, as far as the limit leaves room for them.
    ///
    /// # Errors
    ///
    /// The limiter did not answer.
    fn hold<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        ahead: Ahead,
    ) -> Step<'a, Result<Held, PlatformError>>;

    /// Takes back a call that was counted at an instant, as if it had not been made.
    ///
    /// # Errors
    ///
    /// The limiter did not answer.
    fn give_back<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        at: Instant,
    ) -> Step<'a, Result<(), PlatformError>>;
}

/// The limiter's verdict, and the instant at which it counted the call.
#[derive(Serialize, Deserialize)]
pub struct LimiterAnswer {
    pub verdict: Verdict,
    pub at: Instant,
    /// The indexes of the marks whose claim number just came for another patient or claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<usize>,
}

/// A cheap counter of addresses, which may be inexact.
pub trait AddressLimiter {
    /// Counts ten requests of an address in a minute. False if they are too many.
    ///
    /// # Errors
    ///
    /// The counter did not answer.
    fn count<'a>(&'a self, address: &'a str) -> Step<'a, Result<bool, PlatformError>>;
}
