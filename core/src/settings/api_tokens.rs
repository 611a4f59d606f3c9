//! `/api/v1/settings/api_tokens`: the tokens of a practice's people for their integrations.

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::scope::{TokenScope, TokenScopes};
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{ApiTokenId, PracticeId, UserId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::base::time::Time;
use crate::base::token::{ApiToken, Realm};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::settings::ApiTokenRecord;
use crate::plan::{Guard, SettingsGuard, SettingsWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Names, Printable, Whole};
use crate::request::error::RequestError;
use crate::request::page::{Listed, Page};
use crate::request::reason::Reason;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[cfg(test)]
mod tests;

const DAY_MS: i64 = 86_400_000;

body! {
    TokenRequest { name: Printable<200>, scopes: Names<TokenScope>, expires_in_days: Whole<1, 365> }
}

body! {
    Regeneration {
        /// How many days the old token stays valid.
        grace_days: Whole<0, 7>,
    }
}

/// A token, as shown: everything except the token itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ApiTokenView {
    pub id: ApiTokenId,
    pub user_id: UserId,
    /// The name that the person gave it.
    pub name: String,
    /// Its first characters.
    pub prefix: String,
    /// The names of its scopes.
    pub scopes: Vec<String>,
    pub created_at: Time,
    pub expires_at: Time,
    pub revoked_at: Option<Time>,
    /// When it was last used. The stored time may be up to five minutes old.
    pub last_used_at: Option<Time>,
    pub replaced_by: Option<ApiTokenId>,
}

names! {
    /// What a person may do with a token.
    ApiTokenAction {
        Revoke = "revoke",
        /// Replace it by a new one.
        Regenerate = "regenerate",
    }
}

/// A token, as a person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ApiTokenFor {
    #[serde(flatten)]
    pub token: ApiTokenView,
    /// What the person may do.
    pub may: Vec<ApiTokenAction>,
}

impl ApiTokenFor {
    fn of(token: ApiTokenView, person: &Person, now: Instant) -> Self {
        let may = |action: &ApiTokenAction| match action {
            ApiTokenAction::Revoke => {
                person.may_in_session(Action::RevokeApiTokens) && sees(person, &token) && token.revoked_at.is_none()
            }
            ApiTokenAction::Regenerate => {
                person.may_in_session(Action::ManageApiTokens) && regenerates(person, &token, now).is_ok()
            }
        };
        let may = ApiTokenAction::ALL.into_iter().filter(may).collect();
        Self { token, may }
    }
}

/// A page of tokens, newest first.
#[must_use]
pub fn list(person: &Person, (page, now): (Page, Instant), tokens: Vec<ApiTokenView>) -> Listed<ApiTokenFor> {
    let shown = tokens.into_iter();
    let shown = shown.map(|token| ApiTokenFor::of(token, person, now));
    page.list("api_tokens", shown.collect(), |shown: &ApiTokenFor| shown.token.id.0)
}

/// Makes a token. Only this answer shows its value.
///
/// # Errors
///
/// [`RequestError::NotAuthorized`] for a person without a practice.
pub fn create(
    new: TokenRequest,
    person: &Person,
    (realm, random): (Realm, [u8; 24]),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let named = (new.name, TokenScopes::of(&new.scopes), new.expires_in_days.saturating_mul(DAY_MS));
    let (record, answer) = mint(named, (practice_id, person), (realm, random), ctx);
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ApiTokenCreated, record.id);
    Ok(Change::new(audit, answer).write(Write::Settings(SettingsWrite::NewApiToken(record))))
}

fn mint(
    (name, scopes, lifetime_ms): (String, TokenScopes, i64),
    (practice_id, person): (PracticeId, &Person),
    (realm, random): (Realm, [u8; 24]),
    ctx: &Ctx,
) -> (ApiTokenRecord, Answer) {
    let token = ApiToken::mint(realm, random);
    let record = ApiTokenRecord {
        id: ApiTokenId(ctx.id(Purpose::Record, 0)),
        practice_id,
        user_id: person.user_id,
        name,
        hash: token.hash(),
        hint: token.hint().into(),
        scopes,
        created_at: ctx.now,
        expires_at: ctx.now.plus(lifetime_ms),
    };
    let view = ApiTokenView {
        id: record.id,
        user_id: record.user_id,
        name: record.name.clone(),
        prefix: record.hint.clone(),
        scopes: record.scopes.iter().map(|s| s.to_string()).collect(),
        created_at: Time(record.created_at),
        expires_at: Time(record.expires_at),
        revoked_at: None,
        last_used_at: None,
        replaced_by: None,
    };
    (record, Answer::new(201, &view).once("token", token.expose()))
}

/// Replaces a token by a new one with the same name, scopes and lifetime. The old one ends after the grace period, but
/// never later than it would have expired.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a token that the practice does not have, [`RequestError::NotAuthorized`] for another person's
/// token, [`RequestError::Conflict`] for one that has ended or was replaced.
pub fn regenerate(
    (stored, grace): (Option<ApiTokenView>, Regeneration),
    person: &Person,
    (realm, random): (Realm, [u8; 24]),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = stored.filter(|stored| sees(person, stored)).ok_or(UNKNOWN)?;
    regenerates(person, &stored, ctx.now)?;
    let lifetime_ms = stored.expires_at.0.since(stored.created_at.0);
    let named = (stored.name, TokenScopes::parse(&stored.scopes.join(" ")), lifetime_ms);
    let (record, answer) = mint(named, (practice_id, person), (realm, random), ctx);
    let (id, by) = (stored.id, record.id);
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ApiTokenRegenerated, id);
    let audit = audit.detail(json!({ "replaced_by": by }));
    let until = ctx.now.plus(grace.grace_days.saturating_mul(DAY_MS));
    Ok(Change::new(audit, answer)
        .guard(Guard::Settings(SettingsGuard::ApiToken { practice: practice_id, token: id }))
        .write(Write::Settings(SettingsWrite::NewApiToken(record)))
        .write(Write::Settings(SettingsWrite::ApiTokenReplaced { practice_id, id, by, until })))
}

/// Checks that a person may replace a token.
fn regenerates(person: &Person, token: &ApiTokenView, now: Instant) -> Result<(), RequestError> {
    if token.user_id != person.user_id {
        return Err(RequestError::NotAuthorized(Reason::NotYours, "the token is another person's"));
    }
    if token.replaced_by.is_some() || !is_valid(token, now) {
        return Err(RequestError::Conflict(Reason::TokenEnded, "the token has ended or was replaced"));
    }
    Ok(())
}

/// Revokes a token at once. Revoking it again changes nothing and is not an error.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a token that the practice does not have or that the person may not see.
pub fn revoke(stored: Option<ApiTokenView>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = stored.filter(|stored| sees(person, stored)).ok_or(UNKNOWN)?;
    if stored.revoked_at.is_some() {
        return Ok(Change::nothing(Answer::empty()));
    }
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ApiTokenRevoked, stored.id);
    let change = Change::new(audit, Answer::empty());
    Ok(change.write(Write::Settings(SettingsWrite::ApiTokenRevoked { practice: practice_id, token: stored.id })))
}

const UNKNOWN: RequestError = RequestError::NotFound("no such API token");

/// People see their own tokens, and managers of the practice see all.
fn sees(person: &Person, token: &ApiTokenView) -> bool {
    person.leads() || token.user_id == person.user_id
}

fn is_valid(token: &ApiTokenView, now: Instant) -> bool {
    token.revoked_at.is_none() && now < token.expires_at.0
}
