//! Rows as values. A row is one JSON text, so 64-bit integers stay exact.

use overturn_core::auth::key::Credential;
use overturn_core::base::instant::Instant;
use overturn_core::base::json::JsonError;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{CommitResult, MismatchCounts, MismatchRow, StoredClaim};
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

/// A credential, and the newest data key of its practice.
pub type CredentialToSend = (Option<Credential>, Option<StoredDataKey>);

/// The credential of `sql::CREDENTIAL_TO_SEND`, and the newest data key of its practice.
///
/// # Errors
///
/// [`ShapeError`].
pub(crate) fn credential_to_send(json: Option<&str>) -> Result<CredentialToSend, ShapeError> {
    Ok(one(json)?.unwrap_or_default())
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
