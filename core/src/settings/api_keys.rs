//! `/api/v1/settings/api_keys`: the keys of a practice's billing systems.

mod mint;

pub use mint::{NewApiKey, expires, mint};

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::scope::{Scope, Scopes};
use crate::base::ctx::Ctx;
use crate::base::id::{ApiKeyId, UserId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::base::time::Time;
use crate::base::token::Realm;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::{SettingsWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Names, Printable};
use crate::request::error::RequestError;
use crate::request::page::{Listed, Page};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

body! {
    RequestedApiKey { name: Printable<200>, scopes: Names<Scope> }
}

/// A key, as shown: everything except the key itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ApiKeyView {
    pub id: ApiKeyId,
    /// The name that the practice gave it.
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
    /// The person who made it; `None` for the operator.
    pub created_by: Option<Maker>,
    /// True if the person who made it has left the practice. The key still works.
    pub maker_removed: bool,
}

/// The person who made a key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Maker {
    pub id: UserId,
    /// The person's name or address.
    pub name: String,
}

names! {
    /// What a person may do with a key.
    ApiKeyAction {
        Revoke = "revoke",
    }
}

/// A key, as a person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ApiKeyFor {
    #[serde(flatten)]
    pub key: ApiKeyView,
    /// What the person may do.
    pub may: Vec<ApiKeyAction>,
}

impl ApiKeyFor {
    fn of(key: ApiKeyView, person: &Person) -> Self {
        let revokes = person.may_in_session(Action::ManageApiKeys) && key.revoked_at.is_none();
        let may = ApiKeyAction::ALL.into_iter().filter(|_| revokes).collect();
        Self { key, may }
    }
}

/// A page of keys, newest first.
#[must_use]
pub fn list(person: &Person, page: Page, keys: Vec<ApiKeyView>) -> Listed<ApiKeyFor> {
    let shown = keys.into_iter().map(|key| ApiKeyFor::of(key, person));
    page.list("api_keys", shown.collect(), |shown: &ApiKeyFor| shown.key.id.0)
}

/// Makes a key. Only this answer shows its value.
///
/// # Errors
///
/// [`RequestError::NotAuthorized`] for a person without a practice.
pub fn create(
    new: RequestedApiKey,
    (person, maker): (&Person, Option<Maker>),
    realm: Realm,
    random: [u8; 24],
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let new = NewApiKey { practice_id, name: new.name, scopes: Scopes::of(&new.scopes), realm };
    let (key, mut record) = mint(new, random, 0, ctx);
    record.created_by = Some(person.user_id);
    let view = ApiKeyView {
        id: record.id,
        name: record.name.clone(),
        prefix: record.hint.clone(),
        scopes: record.scopes.iter().map(|s| s.to_string()).collect(),
        created_at: Time(record.created_at),
        expires_at: Time(record.expires_at),
        revoked_at: None,
        last_used_at: None,
        created_by: maker,
        maker_removed: false,
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ApiKeyCreated, record.id);
    let answer = Answer::new(201, &view).once("key", key.expose());
    Ok(Change::new(audit, answer).write(Write::Settings(SettingsWrite::NewApiKey(record))))
}

/// The stored facts about a key to revoke.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredApiKey {
    /// The key.
    pub id: ApiKeyId,
    /// When it was revoked, if it was.
    pub revoked_at: Option<Instant>,
}

/// Revokes a key at once. Revoking it again changes nothing and is not an error.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a key that the practice does not have.
pub fn revoke(stored: Option<StoredApiKey>, person: &Person, ctx: &Ctx) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    let stored = stored.ok_or(RequestError::NotFound("no such API key"))?;
    if stored.revoked_at.is_some() {
        return Ok(Change::nothing(Answer::empty()));
    }
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ApiKeyRevoked, stored.id);
    let change = Change::new(audit, Answer::empty());
    Ok(change.write(Write::Settings(SettingsWrite::ApiKeyRevoked { practice: practice_id, key: stored.id })))
}
