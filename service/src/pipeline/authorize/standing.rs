//! What the database says of a caller: the session or the API token, its person, and their practice.

use crate::auth::disclosure::PracticeState;
use crate::auth::person::{StoredCredential, StoredPerson, StoredPractice, StoredToken};
use crate::auth::role::Role;
use crate::auth::scope::TokenScopes;
use crate::auth::session::StoredSession;
use crate::sql::select;
use crate::store::Query;
use crate::store::rows::{ShapeError, one};
use overturn_core::base::id::{ApiTokenId, PracticeId, UserId};
use overturn_core::base::instant::Instant;
use serde::Deserialize;

/// Whether an account `u` has a second factor: an authenticator app or a passkey.
macro_rules! enrolled {
    () => {
        "(EXISTS (SELECT 1 FROM factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
           OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id))"
    };
}
pub(crate) use enrolled;

/// The rights of an account `u` of a practice `p`, as [`StandingRow`] reads them.
const STANDING: &str = concat!(
    "json_array(u.id, u.role, u.epoch, u.state = 'active',
       ",
    enrolled!(),
    ", p.id, p.state, ",
    usable!("p.id"),
    ", p.sso_required, iif(p.sandbox_of IS NULL, NULL, p.clock_ms))"
);

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
    clock_ms: Option<i64>,
}

#[derive(Deserialize)]
struct TokenRow {
    id: ApiTokenId,
    scopes: String,
    expires_at: Instant,
    revoked: u8,
    last_used_at: Option<Instant>,
}

/// The session and its person, by the hash of its token.
pub(crate) fn session(hash: &str) -> Query<Option<StoredPerson>> {
    select!(
        "accounts.session",
        "SELECT json_array({STANDING}, json_object('id', s.id, 'kind', s.kind, 'epoch', s.epoch, 'ends_at', s.ends_at,
           'seen_at', s.seen_at, 'verified_at', s.verified_at,
           'revoked', json(iif(s.revoked_at IS NULL, 'false', 'true')),
           'sso', json(iif(s.sso IS NULL, 'false', 'true'))), NULL) AS json
         FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN practices p ON p.id = u.practice_id
         WHERE s.hash = {hash}" [STANDING];
        hash
    )
    .read(standing)
}

/// The API token and its person, by its hash. A token belongs to the practice that it was made for: the person's own, or its
/// sandbox.
pub(super) fn api_token(hash: &str) -> Query<Option<StoredPerson>> {
    select!(
        "accounts.api_token",
        "SELECT json_array({STANDING}, NULL,
           json_array(t.id, t.scopes, t.expires_at, t.revoked_at IS NOT NULL, t.last_used_at)) AS json
         FROM api_tokens t JOIN practices p ON p.id = t.practice_id
           JOIN users u ON u.id = t.user_id AND u.practice_id = coalesce(p.sandbox_of, p.id)
         WHERE t.hash = {hash}" [STANDING];
        hash
    )
    .read(standing)
}

fn standing(json: Option<&str>) -> Result<Option<StoredPerson>, ShapeError> {
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
            clock_ms: row.clock_ms,
        }),
        held,
    }))
}

/// Whether the patient data of a practice may be read.
pub(crate) fn practice_standing(id: PracticeId) -> Query<Option<StoredPractice>> {
    const AGREEMENT: &str = agreement!("p.id");
    select!(
        "accounts.practice_standing",
        "SELECT json_array(p.id, p.state, {AGREEMENT}, p.sso_required) AS json FROM practices p WHERE p.id = {id}"
        [AGREEMENT]; id
    )
    .read(practice)
}

fn practice(json: Option<&str>) -> Result<Option<StoredPractice>, ShapeError> {
    let row: Option<(PracticeId, String, u8, u8)> = one(json)?;
    Ok(row.map(|(id, state, baa_signed, sso_required)| StoredPractice {
        id,
        state: PracticeState::stored(&state),
        baa_signed: baa_signed != 0,
        sso_required: sso_required != 0,
        clock_ms: None,
    }))
}
