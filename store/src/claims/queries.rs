//! The queries of a send: the credential, and claims by number.

use super::sql;
use crate::json::json;
use crate::query::Query;
use crate::rows::{self, CredentialToSend};
use crate::statement::{Param, text};
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::claims::intake::{ClaimToOpen, MismatchCounts, StoredClaim};

/// Claims with the numbers of a send, and the mismatches of the day.
pub type ClaimsOfSend = Query<(Vec<StoredClaim>, MismatchCounts)>;

/// The queries of a send: the credential with its practice's data key, then the practice's claims with these numbers
/// and the mismatches of the day.
#[must_use]
pub fn send(key_hash: &str, numbers: &[&str], day: Date) -> (Query<CredentialToSend>, ClaimsOfSend) {
    let params = [text(key_hash), Param::Text(json(&numbers)), text(day)];
    let claims = Query::new("claims.of_key", sql::CLAIMS_OF_KEY, params, rows::stored_claims);
    (credential_to_send(key_hash), claims)
}

/// The claims of a send by a person: those of the person's practice with these numbers, and the mismatches of the day.
#[must_use]
pub fn claims_of_person(credential: &str, numbers: &[&str], day: Date) -> ClaimsOfSend {
    let params = [text(credential), Param::Text(json(&numbers)), text(day)];
    Query::new("claims.of_person", sql::CLAIMS_OF_PERSON, params, rows::stored_claims)
}

/// How many claims one statement reads for opening: their sealed parts fit into one database value.
const HELD_AT_ONCE: usize = 10;

/// Claims of a practice to open, a few in each statement.
#[must_use]
pub fn held(practice: PracticeId, claims: &[ClaimId]) -> Vec<Query<Vec<ClaimToOpen>>> {
    let read = |some: &[ClaimId]| {
        let params = [text(practice), Param::Text(json(&some))];
        Query::or_default("claims.held", sql::fills::HELD, params)
    };
    claims.chunks(HELD_AT_ONCE).map(read).collect()
}

/// The credential and the data key of its practice, for a send.
#[must_use]
pub fn credential_to_send(key_hash: &str) -> Query<CredentialToSend> {
    let params = [text(key_hash)];
    Query::new("claims.credential_to_send", sql::CREDENTIAL_TO_SEND, params, rows::credential_to_send)
}
