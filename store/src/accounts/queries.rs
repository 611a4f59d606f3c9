//! Queries about callers, which every request makes.

use super::sql::{self, sessions};
use crate::query::Query;
use crate::rows::{self};
use crate::statement::text;
use overturn_core::accounts::account::Account;
use overturn_core::auth::person::{StoredPerson, StoredPractice};
use overturn_core::base::id::PracticeId;
use overturn_core::request::idempotency::{Kept, Repeatable};

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

/// The caller's account, by the hash of the credential.
#[must_use]
pub fn account_of_caller(caller: &str) -> Query<Option<Account>> {
    Query::optional("accounts.account_of_caller", sql::ACCOUNT_OF_CALLER, [text(caller)])
}
