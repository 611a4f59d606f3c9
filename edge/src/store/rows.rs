//! Rows as values. A row is one JSON text, so an integer of 64 bits comes through as it is.

use overturn_core::access::Credential;
use overturn_core::ctx::Instant;
use overturn_core::id::{ApiKeyId, PracticeId};
use overturn_core::intake::{Outcome, StoredClaim};
use overturn_core::practice::State;
use overturn_core::scope::Scopes;
use overturn_core::status::StoredStatus;
use serde::Deserialize;

/// A row does not have the form that its statement gives it: the database was written by something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadRow;

#[derive(Deserialize)]
struct CredentialRow {
    practice_id: PracticeId,
    api_key_id: ApiKeyId,
    scopes: String,
    expires_at: Instant,
    revoked: u8,
    last_used_at: Option<Instant>,
    practice_state: String,
    baa_signed: u8,
    appeal_button: u8,
}

/// The credential of `sql::CREDENTIAL`.
///
/// # Errors
///
/// [`BadRow`].
pub fn credential(json: Option<&str>) -> Result<Option<Credential>, BadRow> {
    let row: Option<CredentialRow> = one(json)?;
    Ok(row.map(|row| Credential {
        practice_id: row.practice_id,
        api_key_id: row.api_key_id,
        scopes: Scopes::parse(&row.scopes),
        expires_at: row.expires_at,
        revoked: row.revoked != 0,
        last_used_at: row.last_used_at,
        practice_state: State::parse(&row.practice_state),
        baa_signed: row.baa_signed != 0,
        appeal_button: row.appeal_button != 0,
    }))
}

/// The claims of `sql::CLAIMS_OF_KEY`.
///
/// # Errors
///
/// [`BadRow`].
pub fn stored_claims(json: Option<&str>) -> Result<Vec<StoredClaim>, BadRow> {
    one(json).map(Option::unwrap_or_default)
}

/// What came of a plan, of `sql::OUTCOME`.
///
/// # Errors
///
/// [`BadRow`].
pub fn outcome(json: Option<&str>) -> Result<Outcome, BadRow> {
    one(json)?.ok_or(BadRow)
}

/// The claim of `sql::STATUS_OF_KEY`.
///
/// # Errors
///
/// [`BadRow`].
pub fn stored_status(json: Option<&str>) -> Result<Option<StoredStatus>, BadRow> {
    one(json)
}

fn one<'a, T: Deserialize<'a>>(json: Option<&'a str>) -> Result<Option<T>, BadRow> {
    json.map(serde_json::from_str)
        .transpose()
        .map_err(|_| BadRow)
}
