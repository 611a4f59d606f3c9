//! `/api/v1/settings/api_tokens`: the tokens of a practice's people for their integrations.

use super::expiry::next_warning;
use crate::auth::rights::{Action, LEADERS};
use crate::auth::scope::{TokenScope, TokenScopes};
use crate::prelude::*;
use crate::request::declare::kinds::{Names, Printable, Whole};
use overturn_core::base::id::ApiTokenId;
use overturn_core::base::instant::DAY_MS;
use overturn_core::base::token::ApiToken;

body! {
    TokenRequest { name: Printable<200>, scopes: Names<TokenScope>, expires_in_days: Whole<1, 365> }
}

body! {
    Regeneration {
        /// How many days the old token remains valid. `0` ends it at once.
        grace_days: Whole<0, 7>,
    }
}

/// An API token, without the token itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ApiTokenView {
    pub(crate) id: ApiTokenId,
    /// The person that the token belongs to.
    user_id: UserId,
    name: String,
    /// The token's first characters.
    prefix: String,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TokenScope>"))]
    scopes: Vec<String>,
    created_at: Time,
    expires_at: Time,
    revoked_at: Option<Time>,
    /// May be up to five minutes old.
    last_used_at: Option<Time>,
    /// The token that replaced this one.
    replaced_by: Option<ApiTokenId>,
}

impl ApiTokenView {
    pub(crate) const fn is_revoked(&self) -> bool {
        self.revoked_at.is_some()
    }
}

impl ShownOnce for ApiToken {
    const KEY: &'static str = "token";
}

names! {
    /// What a person may do with a token.
    ApiTokenAction {
        Revoke = "revoke",
        /// Replace it with a new one.
        Regenerate = "regenerate",
    }
}

/// An API token, without the token itself.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ListedApiToken {
    #[serde(flatten)]
    token: ApiTokenView,
    /// What the caller may do with this token.
    may: Vec<ApiTokenAction>,
}

impl Item for ListedApiToken {
    const LIST: &'static str = "api_tokens";
}

/// A token `t` as [`ApiTokenView`] reads it.
pub(crate) const TOKEN: &str = "json_object('id', t.id, 'user_id', t.user_id, 'name', t.name, 'prefix', t.hint,
       'scopes', json('[\"' || replace(t.scopes, ' ', '\",\"') || '\"]'), 'created_at', t.created_at,
       'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at,
       'replaced_by', t.replaced_by)";

/// The tokens that the caller may see.
pub(super) fn page(caller: &str, of: Page) -> Query<Option<Vec<ApiTokenView>>> {
    select!(
        "settings.api_tokens",
        "SELECT json_group_array({TOKEN}) AS json FROM (SELECT * FROM api_tokens WHERE practice_id = {OF_CALLER}
           AND (user_id = {ACCOUNT_OF_CALLER}
             OR (SELECT role FROM users WHERE id = {ACCOUNT_OF_CALLER}) IN (SELECT value FROM json_each({leaders})))
           AND id < {after} ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) t" [TOKEN];
        caller, leaders = Json(LEADERS), after = after(of), most = of.reads()
    )
    .optional()
}

/// One token of the practice.
pub(super) fn one(caller: &str, id: ApiTokenId) -> Query<Option<ApiTokenView>> {
    select!(
        "settings.api_token",
        "SELECT {TOKEN} AS json FROM api_tokens t WHERE t.practice_id = {OF_CALLER} AND t.id = {id}" [TOKEN];
        caller, id
    )
    .optional()
}

/// `listApiTokens`: List API tokens.
///
/// Owners and admins see all tokens of the practice. A member sees their own.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Gives<Listed<ListedApiToken>>, AppError> {
    let load = |of| page(request.credential(), of);
    let now = request.ctx().now;
    let view = |person: &Person, of: Page, tokens: Vec<ApiTokenView>| {
        let shown = tokens.into_iter().map(|token| ListedApiToken { may: may(person, &token, now), token });
        of.list(shown.collect(), |shown| shown.token.id.0)
    };
    request.list_for(load, view).await
}

/// `createApiToken`: Create an API token.
///
/// Owners and admins only. Sensitive. The value is only in this answer. The token stops working when its person or
/// the practice is no longer active.
pub(crate) async fn create(
    request: WriteRequest<TokenRequest>,
) -> Result<Gives<WithOnce<ApiTokenView, ApiToken>, 201>, AppError> {
    let token = mint(&request)?;
    let decide = |person: &Person, (), new| created(person.practice()?, new, (person, &token), request.ctx());
    request.change((), decide).await
}

/// `regenerateApiToken`: Replace an API token with a new one.
///
/// For owners and admins, and only for their own tokens. Sensitive. The new token has the same name, scopes and
/// lifetime as the old one. The lifetime starts now. The old token remains valid for `grace_days`, but never longer
/// than it would have been.
pub(crate) async fn regenerate(
    PathId(id): PathId<ApiTokenId>,
    request: WriteRequest<Regeneration>,
) -> Result<Gives<WithOnce<ApiTokenView, ApiToken>, 201>, AppError> {
    let token = mint(&request)?;
    let load = one(request.credential(), id);
    let decide = |person: &Person, stored, grace| regenerated((stored, grace), person, &token, request.ctx());
    request.change(load, decide).await
}

/// `revokeApiToken`: Revoke an API token.
///
/// For owners and admins, and for a member about their own tokens. Sensitive. The token stops working at once. It
/// is not an error to revoke a token again.
pub(crate) async fn revoke(PathId(id): PathId<ApiTokenId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = one(request.credential(), id);
    let decide = |person: &Person, stored, _| revoked(stored, (person.practice()?, person), request.ctx());
    request.change(load, decide).await
}

fn mint<B>(request: &WriteRequest<B>) -> Result<ApiToken, AppError> {
    Ok(ApiToken::mint(request.call.app.settings.realm, request.call.random()?))
}

/// A new token for a practice: the person's own, or its sandbox. The row of the trail is in the person's own practice.
pub(crate) fn created(
    practice: PracticeId,
    new: TokenRequest,
    (person, token): (&Person, &ApiToken),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let view = ApiTokenView {
        id: ApiTokenId(ctx.id(Purpose::Record, 0)),
        user_id: person.user_id,
        name: new.name,
        prefix: token.hint().into(),
        scopes: new.scopes.iter().map(|scope| scope.name().into()).collect(),
        created_at: Time(ctx.now),
        expires_at: Time(ctx.now.plus(new.expires_in_days.saturating_mul(DAY_MS))),
        revoked_at: None,
        last_used_at: None,
        replaced_by: None,
    };
    let audit = Entry::new(&ctx.by_real_clock(), 0, Some(person.practice()?), Event::ApiTokenCreated, view.id);
    Ok(Change::new(audit, answer(&view, token)).write(insert(practice, &view, token)))
}

/// The new token has the name, the scopes and the length of life of the old one. The old one ends after the grace
/// period, but never later than it would have expired.
pub(super) fn regenerated(
    (stored, grace): (Option<ApiTokenView>, Regeneration),
    person: &Person,
    token: &ApiToken,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let old = seen(person, stored)?;
    regenerates(person, &old, ctx.now)?;
    let view = ApiTokenView {
        id: ApiTokenId(ctx.id(Purpose::Record, 0)),
        prefix: token.hint().into(),
        // A name that this version does not know is not handed on.
        scopes: TokenScopes::parse(&old.scopes.join(" ")).iter().map(|scope| scope.name().into()).collect(),
        created_at: Time(ctx.now),
        expires_at: Time(ctx.now.plus(old.expires_at.0.since(old.created_at.0))),
        last_used_at: None,
        ..old.clone()
    };
    let audit = Entry::new(ctx, 0, Some(practice), Event::ApiTokenRegenerated, old.id);
    Ok(Change::new(audit.detail(json!({ "replaced_by": view.id })), answer(&view, token))
        .guard(abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM api_tokens WHERE practice_id = {practice} AND id = {id} AND revoked_at IS NULL
               AND replaced_by IS NULL AND expires_at > {now})";
            practice, id = old.id, now = ctx.now
        ))
        .write(insert(practice, &view, token))
        .write(sql!(
            "UPDATE api_tokens SET replaced_by = {by}, expires_at = min(expires_at, CAST({until} AS INTEGER))
             WHERE practice_id = {practice} AND id = {id} AND replaced_by IS NULL";
            practice, id = old.id, by = view.id,
            until = ctx.now.plus(grace.grace_days.saturating_mul(DAY_MS))
        )))
}

fn answer(view: &ApiTokenView, token: &ApiToken) -> Answer {
    Answer::new(201, view).once(ApiToken::KEY, token.expose())
}

fn insert(practice: PracticeId, view: &ApiTokenView, token: &ApiToken) -> Write {
    sql!(
        "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at, warn_at)
         VALUES ({practice}, {id}, {user}, {name}, {hash}, {hint}, {scopes}, {created_at}, {expires_at}, {warn_at})
         ON CONFLICT (practice_id, id) DO NOTHING";
        practice, id = view.id, user = view.user_id, name = &view.name, hash = token.hash(), hint = token.hint(),
        scopes = view.scopes.join(" "), created_at = view.created_at, expires_at = view.expires_at,
        warn_at = next_warning(view.expires_at.0, view.created_at.0)
    )
}

/// Revoking a token again changes nothing and is not an error.
pub(crate) fn revoked(
    stored: Option<ApiTokenView>,
    (practice, person): (PracticeId, &Person),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let token = seen(person, stored)?;
    if token.revoked_at.is_some() {
        return Ok(Change::nothing(Answer::empty()));
    }
    let audit = Entry::new(&ctx.by_real_clock(), 0, Some(person.practice()?), Event::ApiTokenRevoked, token.id);
    // Of several parallel revocations, one is in the trail.
    let once = abort_if!(
        Secret,
        "EXISTS (SELECT 1 FROM api_tokens WHERE practice_id = {practice} AND id = {id} AND revoked_at IS NOT NULL)";
        practice, id = token.id
    );
    Ok(Change::new(audit, Answer::empty()).guard(once).write(sql!(
        "UPDATE api_tokens SET revoked_at = {now} WHERE practice_id = {practice} AND id = {id} AND revoked_at IS NULL";
        practice, id = token.id, now = ctx.now
    )))
}

/// The token, if the person may see it: people see their own, and managers of the practice see all.
fn seen(person: &Person, stored: Option<ApiTokenView>) -> Result<ApiTokenView, RequestError> {
    let seen = stored.filter(|token| person.leads() || token.user_id == person.user_id);
    seen.ok_or(RequestError::NotFound("no such API token"))
}

/// Refuses if the person may not replace the token.
fn regenerates(person: &Person, token: &ApiTokenView, now: Instant) -> Result<(), RequestError> {
    if token.user_id != person.user_id {
        return Err(RequestError::NotAuthorized(Reason::NotYours, "the token is another person's"));
    }
    if token.replaced_by.is_some() || token.revoked_at.is_some() || now >= token.expires_at.0 {
        return Err(RequestError::Conflict(Reason::TokenEnded, "the token has ended or was replaced"));
    }
    Ok(())
}

/// What a person may do with a token that they see.
fn may(person: &Person, token: &ApiTokenView, now: Instant) -> Vec<ApiTokenAction> {
    let may = |action: &ApiTokenAction| match action {
        ApiTokenAction::Revoke => person.may_in_session(Action::RevokeApiTokens) && token.revoked_at.is_none(),
        ApiTokenAction::Regenerate => {
            person.may_in_session(Action::ManageApiTokens) && regenerates(person, token, now).is_ok()
        }
    };
    ApiTokenAction::ALL.into_iter().filter(may).collect()
}

#[cfg(test)]
mod tests;
