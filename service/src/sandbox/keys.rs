//! `/api/v1/settings/sandbox/keys`: the keys of a sandbox. They begin with `ovt_test_` everywhere.

use super::own::{CLOCK, StoredSandbox, of_caller, with_room};
use crate::plan::sandbox::Clock;
use crate::prelude::*;
use crate::settings::api_keys::{ApiKeyView, RequestedApiKey, StoredApiKey, created, has_room, maker, revoked};
use overturn_core::base::id::ApiKeyId;
use overturn_core::base::token::{ApiKey, Realm};

/// `createSandboxKey`: Make a key of the sandbox.
///
/// Owners and admins only. The key works as a key of the practice does, but for the sandbox alone. The value is only in this
/// answer. A sandbox has at most 100 keys that are not
/// revoked (`409`).
pub(crate) async fn create(
    request: WriteRequest<RequestedApiKey>,
) -> Result<Gives<WithOnce<ApiKeyView, ApiKey>, 201>, AppError> {
    let random = (Realm::Test, request.call.random()?);
    let load = (of_caller(request.credential()), maker(request.credential()));
    let decide = |person: &Person, (stored, maker), new| {
        let sandbox = with_room(stored, StoredSandbox::live_keys, "a sandbox has at most 100 keys")?;
        let made = created(sandbox.id, new, (person, maker), random, &sandbox.ctx(request.ctx()))?;
        Ok::<_, RequestError>(made.guard(has_room!("api_keys", sandbox.id)))
    };
    request.change(load, decide).await
}

/// `revokeSandboxKey`: Revoke a key of the sandbox.
///
/// Owners and admins only. The key stops working at once. It is not an error to revoke a key again.
pub(crate) async fn revoke(PathId(id): PathId<ApiKeyId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = one(request.credential(), id);
    let decide = |person: &Person, found: Option<(Clock, StoredApiKey)>, _| {
        let (clock, key) = found.ok_or(RequestError::NotFound("the practice's sandbox has no such key"))?;
        revoked(Some(key), (clock.sandbox, person), &clock.ctx(request.ctx()))
    };
    request.change(load, decide).await
}

/// A key of the sandbox of the caller's practice, and the sandbox's clock.
fn one(caller: &str, id: ApiKeyId) -> Query<Option<(Clock, StoredApiKey)>> {
    select!(
        "sandbox.api_key",
        "SELECT json_array({CLOCK}, json_object('id', k.id, 'revoked_at', k.revoked_at)) AS json
         FROM practices p JOIN api_keys k ON k.practice_id = p.id WHERE p.sandbox_of = {OF_CALLER} AND k.id = {id}" [CLOCK];
        caller, id
    )
    .optional()
}
