//! What a billing system's requests read: the credential, and claims by their numbers.

use super::sql;
use crate::json::json;
use crate::query::Query;
use crate::rows::{self, CredentialToSend};
use crate::statement::{Param, text};
use overturn_core::auth::key::Credential;
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::claims::intake::{ClaimToOpen, Counts, StoredClaim};
use overturn_core::claims::status::StoredStatus;

/// What a send needs: the credential with the data key of its practice, and of the practice the claims of these numbers and the
/// mismatches of the day.
#[must_use]
pub fn send(
    key_hash: &str,
    numbers: &[&str],
    day: Date,
) -> (Query<CredentialToSend>, Query<(Vec<StoredClaim>, Counts)>) {
    let params = [text(key_hash), Param::Text(json(&numbers)), text(day)];
    let claims = Query::new(
        "claims.of_key",
        sql::CLAIMS_OF_KEY,
        params,
        rows::stored_claims,
    );
    (credential_to_send(key_hash), claims)
}

/// How many claims one statement reads to be opened: what is sealed of them fits into a value of the database.
const HELD_AT_ONCE: usize = 10;

/// The claims of a practice that are to be opened, some with each statement.
#[must_use]
pub fn held(practice: PracticeId, claims: &[ClaimId]) -> Vec<Query<Vec<ClaimToOpen>>> {
    let read = |some: &[ClaimId]| {
        let params = [text(practice), Param::Text(json(&some))];
        Query::or_default("claims.held", sql::fills::HELD, params)
    };
    claims.chunks(HELD_AT_ONCE).map(read).collect()
}

/// What a status read needs: the credential, and the claim of this number in its practice.
#[must_use]
pub fn status(
    key_hash: &str,
    claim_number: &str,
) -> Query<(Option<Credential>, Option<StoredStatus>)> {
    let params = [text(key_hash), text(claim_number)];
    Query::new(
        "claims.status",
        sql::STATUS_OF_KEY,
        params,
        rows::stored_status,
    )
}

/// The credential alone, for a request that is refused whatever the store holds.
#[must_use]
pub fn credential(key_hash: &str) -> Query<Option<Credential>> {
    Query::new(
        "claims.credential",
        sql::CREDENTIAL,
        [text(key_hash)],
        rows::credential,
    )
}

/// The credential and the data key of its practice, for a send.
#[must_use]
pub fn credential_to_send(key_hash: &str) -> Query<CredentialToSend> {
    let params = [text(key_hash)];
    Query::new(
        "claims.credential_to_send",
        sql::CREDENTIAL_TO_SEND,
        params,
        rows::credential_to_send,
    )
}
