//! Rows as values. A row is one JSON text, so 64-bit integers stay exact.

use overturn_core::auth::disclosure::PracticeState;
use overturn_core::auth::key::Credential;
use overturn_core::auth::scope::Scopes;
use overturn_core::base::id::{ApiKeyId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::json::JsonError;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{CommitResult, MismatchCounts, MismatchRow, StoredClaim};
use overturn_core::claims::status::StoredStatus;
use overturn_core::request::idempotency::Kept;
use serde::Deserialize;

/// A row does not have the shape of its statement, so something else wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// A row, or a part of it, is missing.
    #[error("there is no row")]
    Missing,
    /// The row is not the JSON of its type.
    #[error(transparent)]
    Json(#[from] JsonError),
}

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
/// [`ShapeError`].
pub(crate) fn credential(json: Option<&str>) -> Result<Option<Credential>, ShapeError> {
    let row: Option<CredentialRow> = one(json)?;
    Ok(row.map(Credential::from))
}

/// A credential, and the newest data key of its practice.
pub type CredentialToSend = (Option<Credential>, Option<StoredDataKey>);

/// The credential of `sql::CREDENTIAL_TO_SEND`, and the newest data key of its practice.
///
/// # Errors
///
/// [`ShapeError`].
pub(crate) fn credential_to_send(json: Option<&str>) -> Result<CredentialToSend, ShapeError> {
    let row: Option<(CredentialRow, Option<StoredDataKey>)> = one(json)?;
    Ok(row.map_or((None, None), |(row, key)| (Some(row.into()), key)))
}

impl From<CredentialRow> for Credential {
    fn from(row: CredentialRow) -> Self {
        Self {
            practice_id: row.practice_id,
            api_key_id: row.api_key_id,
            scopes: Scopes::parse(&row.scopes),
            expires_at: row.expires_at,
            revoked: row.revoked != 0,
            last_used_at: row.last_used_at,
            practice_state: PracticeState::stored(&row.practice_state),
            baa_signed: row.baa_signed != 0,
            appeal_button: row.appeal_button != 0,
        }
    }
}

/// The claims of `sql::CLAIMS_OF_KEY`, and the mismatches of the day.
///
/// # Errors
///
/// [`ShapeError`].
pub(crate) fn stored_claims(json: Option<&str>) -> Result<(Vec<StoredClaim>, MismatchCounts), ShapeError> {
    let read: Option<(Vec<StoredClaim>, Vec<MismatchRow>)> = one(json)?;
    let (claims, rows) = read.unwrap_or_default();
    Ok((claims, rows.into_iter().collect()))
}

/// The result of a plan, from `sql::OUTCOME`.
///
/// # Errors
///
/// [`ShapeError`].
pub fn outcome(json: Option<&str>) -> Result<CommitResult, ShapeError> {
    one(json)?.ok_or(ShapeError::Missing)
}

/// The credential and the claim of `claims::sql::STATUS_OF_KEY`.
///
/// # Errors
///
/// [`ShapeError`].
pub(crate) fn stored_status(json: Option<&str>) -> Result<(Option<Credential>, Option<StoredStatus>), ShapeError> {
    let row: Option<(CredentialRow, Option<StoredStatus>)> = one(json)?;
    Ok(row.map_or((None, None), |(row, claim)| (Some(row.into()), claim)))
}

/// The result of `answers::KEPT`.
///
/// # Errors
///
/// [`ShapeError`].
pub(crate) fn kept(json: Option<&str>) -> Result<Option<Kept>, ShapeError> {
    let row: Option<(String, u16, serde_json::Value, Instant)> = one(json)?;
    Ok(row.map(|(fingerprint, status, body, at)| Kept { fingerprint, status, body, at }))
}

/// One row of JSON.
///
/// # Errors
///
/// [`ShapeError`].
pub fn one<'a, T: Deserialize<'a>>(json: Option<&'a str>) -> Result<Option<T>, ShapeError> {
    let read = json.map(serde_json::from_str).transpose();
    Ok(read.map_err(JsonError::from)?)
}
