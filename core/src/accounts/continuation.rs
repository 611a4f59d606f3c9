//! What is stored of a continuation token: which account passed its first factor, and what may complete it.

use crate::accounts::account::Account;
use crate::base::id::{FactorId, SessionId};
use crate::base::instant::Instant;
use crate::base::sealed::KeyVersion;
use crate::plan::accounts::CONTINUATION_ATTEMPTS;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

/// The stored state of a continuation token, with this attempt counted.
#[derive(Debug, Deserialize)]
pub struct StoredContinuation {
    /// The account that passed its first factor.
    pub account: Account,
    /// The account's epoch at that time.
    pub epoch: i64,
    /// The session that must confirm the second factor again; `None` at sign-in.
    pub session_id: Option<SessionId>,
    /// Whether the first factor came from a provider that the practice trusts.
    pub sso: bool,
    pub expires_at: Instant,
    /// True if it was used.
    pub used: bool,
    /// How many codes were tried, including this one.
    pub attempts: i64,
    /// The account's second factor.
    pub factor: Option<StoredFactor>,
    /// The hashes of the unused recovery codes.
    pub recovery: Vec<String>,
}

/// The stored state of a second factor.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredFactor {
    pub id: FactorId,
    /// The key that its secret is sealed under.
    pub key_version: KeyVersion,
    /// The sealed secret.
    pub sealed: String,
    /// The time step of the last code that was accepted.
    pub last_step: Option<i64>,
}

impl StoredContinuation {
    /// True if another proof may be tried with this token.
    #[must_use]
    pub fn can_be_tried(&self, now: Instant) -> bool {
        self.counts(now) && self.attempts < CONTINUATION_ATTEMPTS
    }

    /// True if this attempt counts.
    pub(crate) fn counts(&self, now: Instant) -> bool {
        !self.used
            && now < self.expires_at
            && self.attempts <= CONTINUATION_ATTEMPTS
            && self.epoch == self.account.epoch
    }
}
