//! `/api/v1/settings/api_keys`: the keys of a practice's billing systems.

pub(crate) mod rotation;

use super::expiry::next_warning;
use crate::auth::rights::Action;
use crate::auth::scope::{Scope, Scopes};
use crate::prelude::*;
use crate::request::declare::kinds::{Names, Printable};
use overturn_core::base::date::Date;
use overturn_core::base::id::ApiKeyId;
use overturn_core::base::token::{ApiKey, Realm};

body! {
    RequestedApiKey { name: Printable<200>, scopes: Names<Scope> }
}

/// An API key, without the key itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ApiKeyView {
    pub(crate) id: ApiKeyId,
    name: String,
    /// The key's first characters.
    prefix: String,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Scope>"))]
    scopes: Vec<String>,
    created_at: Time,
    expires_at: Time,
    revoked_at: Option<Time>,
    /// May be up to five minutes old.
    last_used_at: Option<Time>,
    /// Who made the key. `null` for keys made by the service's operator and for keys made before we recorded this.
    created_by: Option<Maker>,
    /// Whether the person who made the key has left the practice. The key continues to work.
    maker_removed: bool,
    /// The key that was made in its place.
    replaced_by: Option<ApiKeyId>,
}

/// The person who made a key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Maker {
    id: UserId,
    /// The person's name, or their address.
    name: String,
}

impl ApiKeyView {
    pub(crate) const fn is_revoked(&self) -> bool {
        self.revoked_at.is_some()
    }
}

impl ShownOnce for ApiKey {
    const KEY: &'static str = "key";
}

names! {
    /// What a person may do with a key.
    ApiKeyAction {
        Revoke = "revoke",
    }
}

/// An API key, without the key itself.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ListedApiKey {
    #[serde(flatten)]
    key: ApiKeyView,
    /// What the caller may do with this key.
    may: Vec<ApiKeyAction>,
}

/// The choices for a new key.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// The practice it will act for.
    pub practice_id: PracticeId,
    /// The name that the practice gives it.
    pub name: String,
    pub scopes: Scopes,
    /// The environment, which decides the prefix.
    pub realm: Realm,
}

/// A key, as stored: everything except the key itself.
#[derive(Clone, Debug)]
pub struct ApiKeyRecord {
    pub id: ApiKeyId,
    practice_id: PracticeId,
    name: String,
    /// The hash that it is found by.
    hash: String,
    /// Its first characters, which are shown.
    hint: String,
    scopes: Scopes,
    pub created_at: Instant,
    pub expires_at: Instant,
    pub revoked_at: Option<Instant>,
    /// Who made it; `None` for the operator.
    created_by: Option<UserId>,
}

/// Makes a key: its text, to be shown once, and the record to store. `random` comes from a cryptographic source. `n` is
/// the number of the record within the command.
pub fn mint(new: NewApiKey, random: [u8; 24], n: usize, ctx: &Ctx) -> (ApiKey, ApiKeyRecord) {
    let key = ApiKey::mint(new.realm, random);
    let record = ApiKeyRecord {
        id: ApiKeyId(ctx.id(Purpose::Record, n)),
        practice_id: new.practice_id,
        name: new.name,
        hash: key.hash(),
        hint: key.hint().into(),
        scopes: new.scopes,
        created_at: ctx.now,
        expires_at: expires(ctx.now),
        revoked_at: None,
        created_by: None,
    };
    (key, record)
}

/// The expiry of a key made at this instant: one year later (interface: Limits), on the same day and at the same time
/// in UTC. A key of February 29 expires on February 28.
pub fn expires(made: Instant) -> Instant {
    let day = Date::of(made);
    let ends = day.next_year().map_or(made, Date::begins);
    ends.plus(made.since(day.begins()))
}

impl ApiKeyRecord {
    pub fn insert(&self) -> Write {
        sql!(
            "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at, revoked_at, created_by, warn_at)
             VALUES ({practice}, {id}, {name}, {hash}, {hint}, {scopes}, {created_at}, {expires_at}, {revoked_at}, {created_by}, {warn_at})
             ON CONFLICT (practice_id, id) DO NOTHING";
            practice = self.practice_id, id = self.id, name = &self.name, hash = &self.hash, hint = &self.hint,
            scopes = self.scopes.to_string(), created_at = self.created_at, expires_at = self.expires_at,
            revoked_at = self.revoked_at, created_by = self.created_by,
            warn_at = next_warning(self.expires_at, self.created_at)
        )
    }
}

/// Revokes a key at once.
pub(crate) fn revoking(practice: PracticeId, key: ApiKeyId, now: Instant) -> Write {
    sql!(
        "UPDATE api_keys SET revoked_at = {now} WHERE practice_id = {practice} AND id = {key} AND revoked_at IS NULL";
        practice, key, now
    )
}

impl Item for ListedApiKey {
    const LIST: &'static str = "api_keys";
}

/// A key to revoke.
#[derive(Clone, Deserialize)]
pub(crate) struct StoredApiKey {
    id: ApiKeyId,
    revoked_at: Option<Time>,
}

/// A person `u` as [`Maker`] reads it.
pub(crate) const MAKER: &str = "json_object('id', u.id, 'name', coalesce(nullif(u.name, ''), u.email))";

/// A key `k` as [`ApiKeyView`] reads it.
pub(crate) const VIEW: &str = "json_object('id', k.id, 'name', k.name, 'prefix', k.hint,
           'scopes', json('[\"' || replace(k.scopes, ' ', '\",\"') || '\"]'), 'created_at', k.created_at,
           'expires_at', k.expires_at, 'revoked_at', k.revoked_at, 'last_used_at', k.last_used_at,
           'created_by', json((SELECT {MAKER} FROM users u WHERE u.id = k.created_by)),
           'maker_removed', json(iif(EXISTS (SELECT 1 FROM users u
             WHERE u.id = k.created_by AND u.state = 'removed'), 'true', 'false')),
           'replaced_by', k.replaced_by)";

pub(super) fn page(caller: &str, of: Page) -> Query<Option<Vec<ApiKeyView>>> {
    select!(
        "settings.api_keys",
        "SELECT json_group_array({VIEW}) AS json
         FROM (SELECT * FROM api_keys WHERE practice_id = {OF_CALLER} AND id < {after}
           ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) k" [VIEW, MAKER];
        caller, after = after(of), most = of.reads()
    )
    .optional()
}

/// The caller, as the maker of a key.
pub(crate) fn maker(caller: &str) -> Query<Option<Maker>> {
    select!("settings.maker", "SELECT {MAKER} AS json FROM users u WHERE u.id = {ACCOUNT_OF_CALLER}" [MAKER]; caller)
        .optional()
}

pub(super) fn one(caller: &str, id: ApiKeyId) -> Query<Option<StoredApiKey>> {
    select!(
        "settings.api_key",
        "SELECT json_object('id', k.id, 'revoked_at', k.revoked_at) AS json FROM api_keys k
         WHERE k.practice_id = {OF_CALLER} AND k.id = {id}";
        caller, id
    )
    .optional()
}

/// `listApiKeys`: List the practice's API keys.
///
/// Owners and admins only. The list shows each key's first characters. We do not store its value.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Gives<Listed<ListedApiKey>>, AppError> {
    let load = |of| page(request.credential(), of);
    let view = |person: &Person, of: Page, keys: Vec<ApiKeyView>| {
        let shown = keys.into_iter().map(|key| {
            let revokes = person.may_in_session(Action::ManageApiKeys) && key.revoked_at.is_none();
            ListedApiKey { may: ApiKeyAction::ALL.into_iter().filter(|_| revokes).collect(), key }
        });
        of.list(shown.collect(), |shown| shown.key.id.0)
    };
    request.list_for(load, view).await
}

/// `createApiKey`: Create an API key.
///
/// Owners and admins only. Sensitive. The value is only in this answer. A key expires on the same day of the next
/// year. A key of February 29 expires on February 28.
pub(crate) async fn create(
    request: WriteRequest<RequestedApiKey>,
) -> Result<Gives<WithOnce<ApiKeyView, ApiKey>, 201>, AppError> {
    let random = (request.call.app.settings.realm, request.call.random()?);
    let load = maker(request.credential());
    let decide = |person: &Person, maker, new| created(person.practice()?, new, (person, maker), random, request.ctx());
    request.change(load, decide).await
}

/// `revokeApiKey`: Revoke an API key.
///
/// Owners and admins only. Sensitive. The key stops working at once. It is not an error to revoke a key again.
pub(crate) async fn revoke(PathId(id): PathId<ApiKeyId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let load = one(request.credential(), id);
    let decide = |person: &Person, stored, _| revoked(stored, (person.practice()?, person), request.ctx());
    request.change(load, decide).await
}

/// A guard that fails if a sandbox has as many keys, or tokens, as it may: several calls at once make no more.
macro_rules! has_room {
    ($table:literal, $sandbox:expr) => {{
        const TABLE: &str = $table;
        abort_if!(
            Record,
            "(SELECT count(*) FROM {TABLE} WHERE practice_id = {sandbox} AND revoked_at IS NULL)
               >= CAST({most} AS INTEGER)" [TABLE];
            sandbox = $sandbox, most = $crate::plan::sandbox::SANDBOX_CREDENTIALS
        )
    }};
}
pub(crate) use has_room;

/// A new key for a practice: the person's own, or its sandbox, by whose clock `ctx` is then. The row of the trail is in the
/// person's own practice, and goes by the real clock.
pub(crate) fn created(
    practice_id: PracticeId,
    new: RequestedApiKey,
    (person, maker): (&Person, Option<Maker>),
    (realm, random): (Realm, [u8; 24]),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let new = NewApiKey { practice_id, name: new.name, scopes: Scopes::of(&new.scopes), realm };
    let (key, mut record) = mint(new, random, 0, ctx);
    record.created_by = Some(person.user_id);
    let audit = Entry::new(&ctx.by_real_clock(), 0, Some(person.practice()?), Event::ApiKeyCreated, record.id);
    let answer = Answer::new(201, &view(&record, maker)).once(ApiKey::KEY, key.expose());
    Ok(Change::new(audit, answer).write(record.insert()))
}

/// A new key as its maker sees it.
fn view(record: &ApiKeyRecord, maker: Option<Maker>) -> ApiKeyView {
    ApiKeyView {
        id: record.id,
        name: record.name.clone(),
        prefix: record.hint.clone(),
        scopes: record.scopes.iter().map(|scope| scope.to_string()).collect(),
        created_at: Time(record.created_at),
        expires_at: Time(record.expires_at),
        revoked_at: None,
        last_used_at: None,
        created_by: maker,
        maker_removed: false,
        replaced_by: None,
    }
}

/// Revoking a key again changes nothing and is not an error. The clocks are as in [`created`].
pub(crate) fn revoked(
    stored: Option<StoredApiKey>,
    (practice, person): (PracticeId, &Person),
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let key = stored.ok_or(RequestError::NotFound("no such API key"))?;
    if key.revoked_at.is_some() {
        return Ok(Change::nothing(Answer::empty()));
    }
    let audit = Entry::new(&ctx.by_real_clock(), 0, Some(person.practice()?), Event::ApiKeyRevoked, key.id);
    let change = Change::new(audit, Answer::empty()).write(revoking(practice, key.id, ctx.now));
    // Of several parallel revocations, one is in the trail.
    Ok(change.guard(abort_if!(
        Secret,
        "EXISTS (SELECT 1 FROM api_keys WHERE practice_id = {practice} AND id = {id} AND revoked_at IS NOT NULL)";
        practice, id = key.id
    )))
}

#[cfg(test)]
mod tests;
