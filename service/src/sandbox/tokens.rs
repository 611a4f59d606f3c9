//! `/api/v1/settings/sandbox/tokens`: the tokens with which people of the practice read and set up its sandbox.

use super::own::{CLOCK, StoredSandbox, of_caller, with_room};
use crate::plan::sandbox::Clock;
use crate::prelude::*;
use crate::settings::api_keys::has_room;
use crate::settings::api_tokens::{ApiTokenView, TOKEN, TokenRequest, created, revoked};
use overturn_core::base::id::ApiTokenId;
use overturn_core::base::token::{ApiToken, Realm};

/// `createSandboxToken`: Make a token of the sandbox.
///
/// Owners and admins only. The token is the caller's, and works for the sandbox alone. It begins with `ovu_test_`, goes by the
/// sandbox's clock, and may do more than a token of the practice: beside what its scopes name, it sends and reads claims,
/// and manages webhooks and documents. It does nothing else. The value is only in this answer. A sandbox has at most 100
/// tokens that are not revoked (`409`). All of them together have the limits of one person.
pub(crate) async fn create(
    request: WriteRequest<TokenRequest>,
) -> Result<Gives<WithOnce<ApiTokenView, ApiToken>, 201>, AppError> {
    let token = ApiToken::mint(Realm::Test, request.call.random()?);
    let load = of_caller(request.credential());
    let decide = |person: &Person, stored, new| {
        let sandbox = with_room(stored, StoredSandbox::live_tokens, "a sandbox has at most 100 tokens")?;
        let made = created(sandbox.id, new, (person, &token), &sandbox.ctx(request.ctx()))?;
        Ok::<_, RequestError>(made.guard(has_room!("api_tokens", sandbox.id)))
    };
    request.change(load, decide).await
}

/// `revokeSandboxToken`: Revoke a token of the sandbox.
///
/// Owners and admins only. The token stops working at once. It is not an error to revoke a token again.
pub(crate) async fn revoke(PathId(id): PathId<ApiTokenId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = one(request.credential(), id);
    let decide = |person: &Person, found: Option<(Clock, ApiTokenView)>, _| {
        let (clock, token) = found.ok_or(RequestError::NotFound("the practice's sandbox has no such token"))?;
        revoked(Some(token), (clock.sandbox, person), &clock.ctx(request.ctx()))
    };
    request.change(load, decide).await
}

/// A token of the sandbox of the caller's practice, and the sandbox's clock.
fn one(caller: &str, id: ApiTokenId) -> Query<Option<(Clock, ApiTokenView)>> {
    select!(
        "sandbox.api_token",
        "SELECT json_array({CLOCK}, {TOKEN}) AS json
         FROM practices p JOIN api_tokens t ON t.practice_id = p.id WHERE p.sandbox_of = {OF_CALLER} AND t.id = {id}" [CLOCK, TOKEN];
        caller, id
    )
    .optional()
}
