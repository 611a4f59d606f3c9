//! Queries about people, their sessions, tokens, factors and links.

use super::sql::{self, factors, passkeys, sessions};
use crate::query::Query;
use crate::rows::{self};
use crate::statement::{Param, page, text};
use overturn_core::accounts::sessions::SessionView;
use overturn_core::accounts::{
    self,
    account::{Account, SessionFacts},
    continuation::{StoredContinuation, StoredFactor},
    link::StoredLink,
    passkeys::{StoredPasskey, assertion::PasskeyOfAccount, own::OwnPasskey},
    recovery::RecoveryCodesLeft,
    tries::Tries,
};
use overturn_core::auth::person::{StoredPerson, StoredPractice};
use overturn_core::auth::session::IDLE_MS;
use overturn_core::base::id::{FactorId, PasskeyId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::request::idempotency::{Kept, Repeatable};
use overturn_core::request::page::Page;

/// Whether the patient data of a practice may be read.
#[must_use]
pub fn practice_standing(id: PracticeId) -> Query<Option<StoredPractice>> {
    Query::new("accounts.practice_standing", sql::PRACTICE_STANDING, [text(id)], rows::practice_standing)
}

/// The session and its person, by the hash of its token.
#[must_use]
pub fn session(hash: &str) -> Query<Option<StoredPerson>> {
    Query::new("accounts.session", sessions::SESSION, [text(hash)], rows::standing)
}

/// The API token and its person, by its hash.
#[must_use]
pub fn api_token(hash: &str) -> Query<Option<StoredPerson>> {
    Query::new("accounts.api_token", sql::TOKEN, [text(hash)], rows::standing)
}

/// The earlier answer to a caller's request, by the hash of the credential.
#[must_use]
pub fn kept(caller: &str, request: &Repeatable) -> Query<Option<Kept>> {
    let params = [text(caller), text(&request.place)];
    Query::new("accounts.kept", sql::KEPT, params, rows::kept)
}

/// The account of an address, by the key of the address.
#[must_use]
pub fn account_of_address(email_key: &str) -> Query<Option<Account>> {
    Query::optional("accounts.account_of_address", sql::ACCOUNT_OF_ADDRESS, [text(email_key)])
}

/// The tries at the password of the account in use for an address, by the key of the address. It is read in the batch that counts
/// one, so a try always reads its own count.
#[must_use]
pub fn password_tries(email_key: &str) -> Query<Tries> {
    Query::one("accounts.password_tries", sql::PASSWORD_TRIES, [text(email_key)])
}

/// Likewise, the tries at the password of an account.
#[must_use]
pub fn password_tries_of(user: UserId) -> Query<Tries> {
    Query::one("accounts.password_tries_of", sql::PASSWORD_TRIES_OF, [text(user)])
}

/// The caller's account, by the hash of the credential.
#[must_use]
pub fn account_of_caller(caller: &str) -> Query<Option<Account>> {
    Query::optional("accounts.account_of_caller", sql::ACCOUNT_OF_CALLER, [text(caller)])
}

/// How many recovery codes the caller has left.
#[must_use]
pub fn recovery_codes_left(caller: &str) -> Query<RecoveryCodesLeft> {
    Query::one("accounts.recovery_codes_left", factors::RECOVERY_CODES_LEFT, [text(caller)])
}

/// A session with the facts that its person sees.
#[must_use]
pub fn session_facts(hash: &str) -> Query<Option<SessionFacts>> {
    Query::optional("accounts.session_facts", sessions::SESSION_FACTS, [text(hash)])
}

/// The state of a continuation token, by its hash.
#[must_use]
pub fn continuation(hash: &str) -> Query<Option<StoredContinuation>> {
    Query::optional("accounts.continuation", factors::CONTINUATION, [text(hash)])
}

/// A factor of the caller that is not confirmed yet.
#[must_use]
pub fn waiting_factor(caller: &str, id: FactorId) -> Query<Option<StoredFactor>> {
    Query::optional("accounts.waiting_factor", factors::WAITING_FACTOR, [text(caller), text(id)])
}

/// The state of a link, by the hash of its token.
#[must_use]
pub fn link(hash: &str) -> Query<Option<StoredLink>> {
    Query::optional("accounts.link", sql::LINK, [text(hash)])
}

/// A page of the person's own active sessions.
#[must_use]
pub fn sessions(caller: &str, of: Page, now: Instant) -> Query<Option<Vec<SessionView>>> {
    let used = now.plus(-IDLE_MS);
    let [caller, after, most] = page(caller, of);
    let params = [caller, after, most, Param::Int(now.0), Param::Int(used.0)];
    Query::optional("accounts.sessions", sessions::SESSIONS, params)
}

/// One of the person's own sessions.
#[must_use]
pub fn own_session(caller: &str, id: SessionId) -> Query<Option<accounts::sessions::SessionToRevoke>> {
    Query::optional("accounts.own_session", sessions::OWN_SESSION, [text(caller), text(id)])
}

/// The caller's passkeys, the oldest first.
#[must_use]
pub fn passkeys(caller: &str) -> Query<Vec<StoredPasskey>> {
    Query::one("accounts.passkeys", passkeys::PASSKEYS, [text(caller)])
}

/// The passkeys of the account that a continuation token belongs to, by its hash.
#[must_use]
pub fn passkeys_of_continuation(hash: &str) -> Query<Vec<StoredPasskey>> {
    Query::one("accounts.passkeys_of_continuation", passkeys::PASSKEYS_OF_CONTINUATION, [text(hash)])
}

/// The passkey of a credential id with its account, if the account is active.
#[must_use]
pub fn passkey_of_credential(credential: &str) -> Query<Option<PasskeyOfAccount>> {
    Query::optional("accounts.passkey_of_credential", passkeys::PASSKEY_OF_CREDENTIAL, [text(credential)])
}

/// One of the caller's passkeys.
#[must_use]
pub fn own_passkey(caller: &str, id: PasskeyId) -> Query<Option<OwnPasskey>> {
    Query::optional("accounts.own_passkey", passkeys::OWN_PASSKEY, [text(caller), text(id)])
}

/// Whether a proof is spent, by its hash.
#[must_use]
pub fn proof_is_spent(hash: &str) -> Query<bool> {
    Query::one("accounts.proof_is_spent", passkeys::PROOF_IS_SPENT, [text(hash)])
}
