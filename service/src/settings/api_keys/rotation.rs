//! `/api/v1/settings/api_keys/{id}/rotate`: a new key in place of one that works, and the end of the old one.
//!
//! A program can do both with an API token of its own scope. It can neither widen what a key may do nor end a key without
//! a working replacement. A key has at most one that works, so none is left over that nobody knows: if its value was
//! lost, the replacement is itself replaced, and then ended.

use super::{ApiKeyView, Maker, NewApiKey, has_room, maker, mint, revoking, view};
use crate::auth::scope::Scopes;
use crate::plan::sandbox::SANDBOX_CREDENTIALS;
use crate::prelude::*;
use overturn_core::base::id::ApiKeyId;
use overturn_core::base::token::{ApiKey, Realm};

/// A key that is to be replaced, or was.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::settings) struct RotatedKey {
    id: ApiKeyId,
    name: String,
    scopes: String,
    expires_at: Instant,
    revoked_at: Option<Instant>,
    /// Whether a key that works has replaced it.
    replaced: bool,
    /// How many keys of the practice are not revoked.
    unrevoked: usize,
}

/// A key `r` that can be used at an instant.
const WORKS: &str = "r.revoked_at IS NULL AND r.expires_at > CAST({now} AS INTEGER)";

pub(in crate::settings) fn rotated_key(caller: &str, id: ApiKeyId, now: Instant) -> Query<Option<RotatedKey>> {
    select!(
        "settings.rotated_key",
        "SELECT json_object('id', k.id, 'name', k.name, 'scopes', k.scopes, 'expires_at', k.expires_at,
           'revoked_at', k.revoked_at, 'unrevoked', (SELECT count(*) FROM api_keys o
             WHERE o.practice_id = k.practice_id AND o.revoked_at IS NULL), 'replaced', json(iif(EXISTS (SELECT 1 FROM api_keys r
             WHERE r.practice_id = k.practice_id AND r.id = k.replaced_by AND {WORKS}), 'true', 'false'))) AS json
         FROM api_keys k WHERE k.practice_id = {OF_CALLER} AND k.id = {id}" [WORKS];
        caller, id, now
    )
    .optional()
}

/// `rotateApiKey`: Make a new API key in place of another one.
///
/// Owners and admins only. Sensitive. Also for their API tokens with the scope `api_keys:rotate`. The new key has the
/// name and the scopes of the old one, and its value is only in this answer: who rotates a key can do what its scopes
/// allow. The old key keeps working until *finishApiKeyRotation*, or until it ends. If it does not work any more, or a
/// key that works has replaced it (`replaced_by`), the answer is `409`. If the value of that one was lost, rotate it and
/// finish its rotation: then the newest key replaces both.
pub(crate) async fn rotate(
    PathId(id): PathId<ApiKeyId>,
    request: WriteRequest,
) -> Result<Gives<WithOnce<ApiKeyView, ApiKey>, 201>, AppError> {
    let (realm, random) = (request.call.app.settings.realm, request.call.random()?);
    let ctx = request.ctx();
    let load = (rotated_key(request.credential(), id, ctx.now), maker(request.credential()));
    let decide = |person: &Person, stored, _| {
        let realm = if person.sandbox { Realm::Test } else { realm };
        rotated(stored, person, (realm, random), ctx)
    };
    request.change(load, decide).await
}

/// `finishApiKeyRotation`: Revoke an API key that was replaced.
///
/// Owners and admins only. Sensitive. Also for their API tokens with the scope `api_keys:rotate`. If no key that works
/// has replaced it, the answer is `409`, so that the caller always has one. It is not an error to call it again.
pub(crate) async fn end(PathId(id): PathId<ApiKeyId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = rotated_key(request.credential(), id, request.ctx().now);
    let decide = |person: &Person, stored, _| ended(stored, person, request.ctx());
    request.change(load, decide).await
}

pub(in crate::settings) fn rotated(
    (stored, maker): (Option<RotatedKey>, Option<Maker>),
    person: &Person,
    (realm, random): (Realm, [u8; 24]),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let old = stored.ok_or(RequestError::NotFound("no such API key"))?;
    if old.revoked_at.is_some() || ctx.now >= old.expires_at {
        return Err(RequestError::Conflict(Reason::KeyEnded, "the API key was revoked or has expired"));
    }
    if old.replaced {
        return Err(RequestError::Conflict(Reason::KeyReplaced, "another API key that works has replaced it"));
    }
    if person.sandbox && old.unrevoked >= SANDBOX_CREDENTIALS {
        return Err(RequestError::Conflict(Reason::LimitReached, "a sandbox has at most 100 keys"));
    }
    let new = NewApiKey { practice_id: practice, name: old.name, scopes: Scopes::parse(&old.scopes), realm };
    let (key, mut record) = mint(new, random, 0, ctx);
    record.created_by = Some(person.user_id);
    let audit =
        Entry::new(ctx, 0, Some(practice), Event::ApiKeyRotated, record.id).detail(json!({ "replaces": old.id }));
    let answer = Answer::new(201, &view(&record, maker)).once(ApiKey::KEY, key.expose());
    let guard = abort_if!(
        Record,
        "EXISTS (SELECT 1 FROM api_keys k LEFT JOIN api_keys r ON r.practice_id = k.practice_id AND r.id = k.replaced_by
             AND r.id <> {new} AND {WORKS}
           WHERE k.practice_id = {practice} AND k.id = {id} AND (k.revoked_at IS NOT NULL OR r.id IS NOT NULL))" [WORKS];
        practice, id = old.id, new = record.id, now = ctx.now
    );
    let change = Change::new(audit, answer).guard(guard).write(record.insert()).write(sql!(
        "UPDATE api_keys SET replaced_by = {by}
         WHERE practice_id = {practice} AND (id = {id} OR replaced_by = {id} AND revoked_at IS NULL)";
        practice, id = old.id, by = record.id
    ));
    Ok(if person.sandbox { change.guard(has_room!("api_keys", practice)) } else { change })
}

pub(in crate::settings) fn ended(
    stored: Option<RotatedKey>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let old = stored.ok_or(RequestError::NotFound("no such API key"))?;
    if old.revoked_at.is_some() {
        return Ok(Change::nothing(Answer::empty()));
    }
    if !old.replaced {
        return Err(RequestError::Conflict(Reason::KeyNotReplaced, "no API key that works has replaced it"));
    }
    let audit = Entry::new(ctx, 0, Some(practice), Event::ApiKeyRevoked, old.id);
    let guard = abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM api_keys k JOIN api_keys r ON r.practice_id = k.practice_id AND r.id = k.replaced_by
           WHERE k.practice_id = {practice} AND k.id = {id} AND k.revoked_at IS NULL AND {WORKS})" [WORKS];
        practice, id = old.id, now = ctx.now
    );
    Ok(Change::new(audit, Answer::empty()).guard(guard).write(revoking(practice, old.id, ctx.now)))
}

#[cfg(test)]
mod tests;
