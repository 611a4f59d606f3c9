//! Rows as values. A row is one JSON text, so 64-bit integers stay exact.

use overturn_core::auth::disclosure::PracticeState;
use overturn_core::auth::key::Credential;
use overturn_core::auth::person::{StoredCredential, StoredPerson, StoredPractice, StoredToken};
use overturn_core::auth::role::Role;
use overturn_core::auth::scope::TokenScopes;
use overturn_core::auth::session::StoredSession;
use overturn_core::base::id::{ApiTokenId, PracticeId, UserId};
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

/// The stored rights of an account and its practice.
#[derive(Deserialize)]
struct StandingRow {
    user_id: UserId,
    role: Role,
    epoch: i64,
    active: u8,
    enrolled: u8,
    practice_id: Option<PracticeId>,
    practice_state: Option<String>,
    baa_signed: u8,
    sso_required: Option<u8>,
}

#[derive(Deserialize)]
struct TokenRow {
    id: ApiTokenId,
    scopes: String,
    expires_at: Instant,
    revoked: u8,
    last_used_at: Option<Instant>,
}

/// The standing of `accounts::sql::sessions::SESSION` or `TOKEN`.
///
/// # Errors
///
/// [`ShapeError`].
pub(crate) fn standing(json: Option<&str>) -> Result<Option<StoredPerson>, ShapeError> {
    type Row = (StandingRow, Option<StoredSession>, Option<TokenRow>);
    let Some((row, session, token)) = one::<Row>(json)? else {
        return Ok(None);
    };
    let token = token.map(|token| StoredToken {
        id: token.id,
        scopes: TokenScopes::parse(&token.scopes),
        expires_at: token.expires_at,
        revoked: token.revoked != 0,
        last_used_at: token.last_used_at,
    });
    let held =
        session.map(StoredCredential::Session).or(token.map(StoredCredential::Token)).ok_or(ShapeError::Missing)?;
    Ok(Some(StoredPerson {
        user_id: row.user_id,
        role: row.role,
        epoch: row.epoch,
        active: row.active != 0,
        enrolled: row.enrolled != 0,
        practice: row.practice_id.map(|id| StoredPractice {
            id,
            state: PracticeState::stored(row.practice_state.as_deref().unwrap_or_default()),
            baa_signed: row.baa_signed != 0,
            sso_required: row.sso_required == Some(1),
        }),
        held,
    }))
}

/// The practice of `sql::PRACTICE_STANDING`.
///
/// # Errors
///
/// [`ShapeError`].
pub(crate) fn practice_standing(json: Option<&str>) -> Result<Option<StoredPractice>, ShapeError> {
    let row: Option<(PracticeId, String, u8, u8)> = one(json)?;
    Ok(row.map(|(id, state, baa_signed, sso_required)| StoredPractice {
        id,
        state: PracticeState::stored(&state),
        baa_signed: baa_signed != 0,
        sso_required: sso_required != 0,
    }))
}

/// The result of `accounts::sql::KEPT`.
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
