//! Rows as values. A row is one JSON text, so 64-bit integers stay exact.

use crate::request::idempotency::Kept;
use crate::request::json::JsonError;
use overturn_core::base::instant::Instant;
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
