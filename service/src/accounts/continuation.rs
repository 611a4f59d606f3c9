//! What is stored of a continuation token: which account passed its first factor, and what may complete it.

use crate::accounts::account::{ACCOUNT, Account};
use crate::auth::totp::TotpSecret;
use crate::prelude::*;
use crate::store::keyring::Keyring;
use overturn_core::base::id::{FactorId, SessionId, SsoProviderId, UserId};

/// How many codes may be tried with one continuation token.
const CONTINUATION_ATTEMPTS: i64 = 5;

/// The stored state of a continuation token, with this attempt counted.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredContinuation {
    /// The account that passed its first factor.
    pub(super) account: Account,
    /// The account's epoch at that time.
    pub(super) epoch: i64,
    /// The session that must confirm the second factor again; `None` at sign-in.
    pub(super) session_id: Option<SessionId>,
    /// The provider that the first factor came from, if the practice trusts it.
    pub(super) sso: Option<SsoProviderId>,
    pub(super) expires_at: Instant,
    /// True if it was used.
    pub(super) used: bool,
    /// How many codes were tried, including this one.
    pub(super) attempts: i64,
    /// The account's authenticator app.
    pub(super) factor: Option<StoredFactor>,
    /// The hashes of the unused recovery codes.
    pub(super) recovery: Vec<String>,
}

impl StoredContinuation {
    /// True if another proof may be tried with this token.
    pub(super) fn can_be_tried(&self, now: Instant) -> bool {
        self.counts(now) && self.attempts < CONTINUATION_ATTEMPTS
    }

    /// True if this attempt counts.
    pub(super) fn counts(&self, now: Instant) -> bool {
        !self.used
            && now < self.expires_at
            && self.attempts <= CONTINUATION_ATTEMPTS
            && self.epoch == self.account.epoch
    }
}

/// A factor `f` as [`StoredFactor`] reads it.
const FACTOR: &str =
    "json_object('id', f.id, 'key_version', f.key_version, 'sealed', f.sealed, 'last_step', f.last_step)";

/// A continuation token, by its hash. `None` if its account is not active.
pub(super) fn stored(hash: &str) -> Query<Option<StoredContinuation>> {
    select!(
        "accounts.continuation",
        "SELECT json_object('account', {ACCOUNT}, 'epoch', c.epoch, 'session_id', c.session_id,
           'sso', c.sso, 'expires_at', c.expires_at,
           'used', json(iif(c.used_at IS NULL, 'false', 'true')), 'attempts', c.attempts,
           'factor', json((SELECT {FACTOR} FROM factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)),
           'recovery', json((SELECT json_group_array(r.hash) FROM recovery_codes r
             WHERE r.user_id = u.id AND r.used_at IS NULL))) AS json
         FROM continuations c JOIN users u ON u.id = c.user_id AND u.state = 'active'
           LEFT JOIN practices p ON p.id = u.practice_id
         WHERE c.hash = {hash}" [ACCOUNT, FACTOR];
        hash
    )
    .optional()
}

/// Counts an attempt at a second factor, before anything is compared. A batch that runs twice counts it twice.
pub(super) fn count_attempt(hash: &str) -> Write {
    sql!("UPDATE continuations SET attempts = attempts + 1 WHERE hash = {hash} AND used_at IS NULL"; hash)
}

/// The same change, with the continuation token used up. The session that begins by it says `sso`, so the practice must
/// still trust that provider.
pub(super) fn use_up(change: Change, hash: &str, sso: Option<SsoProviderId>, now: Instant) -> Change {
    change
        .guard(abort_if!(
            Secret,
            "NOT EXISTS (SELECT 1 FROM continuations
               WHERE hash = {hash} AND used_at IS NULL AND expires_at > {now} AND sso IS {sso})";
            hash, now, sso
        ))
        .write(sql!(
            "UPDATE continuations SET used_at = {now} WHERE hash = {hash} AND used_at IS NULL"; hash, now
        ))
}

/// An authenticator app, as stored.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredFactor {
    pub(super) id: FactorId,
    /// The key that its secret is sealed under.
    pub(super) key_version: KeyVersion,
    /// The sealed secret.
    pub(super) sealed: String,
    /// The time step of the last code that was accepted.
    pub(super) last_step: Option<i64>,
}

impl StoredFactor {
    /// Its secret.
    ///
    /// # Errors
    ///
    /// [`RequestError::KeyUnavailable`] if the key is not here, [`RequestError::Tampered`] if the sealed value does not
    /// belong to this factor.
    pub(super) fn secret(&self, user: UserId, keys: &Keyring) -> Result<TotpSecret, RequestError> {
        let place = SealedPlace::Factor { user, id: self.id };
        let key = keys.account(self.key_version).ok_or(RequestError::KeyUnavailable)?;
        let secret = key.open(place, &self.sealed).ok();
        let secret = secret.and_then(|bytes| TotpSecret::from_bytes(&bytes));
        secret.ok_or(RequestError::Tampered(place))
    }
}

/// A factor of the caller that is not confirmed yet.
pub(super) fn waiting_factor(caller: &str, id: FactorId) -> Query<Option<StoredFactor>> {
    select!(
        "accounts.waiting_factor",
        "SELECT {FACTOR} AS json FROM factors f
         WHERE f.user_id = {ACCOUNT_OF_CALLER} AND f.id = {id} AND f.confirmed_at IS NULL" [FACTOR];
        caller, id
    )
    .optional()
}

/// The same change, with the time step of an accepted code used up: no code of it or of an earlier one is accepted again.
pub(super) fn use_up_step(change: Change, user: UserId, factor: FactorId, step: i64) -> Change {
    change
        .guard(abort_if!(
            Secret,
            "NOT EXISTS (SELECT 1 FROM factors
               WHERE user_id = {user} AND id = {factor} AND coalesce(last_step, -1) < {step})";
            user, factor, step
        ))
        .write(sql!(
            "UPDATE factors SET last_step = {step}
             WHERE user_id = {user} AND id = {factor}";
            user, factor, step
        ))
}
