//! `/api/v1/auth/passkeys`: a person's passkeys (Web Authentication Level 3). The identity Worker checks signatures; its
//! facts are judged here.

pub(super) mod assertion;
pub(crate) mod ceremony;
pub(crate) mod enrolment;
pub(crate) mod sign_in;

use crate::accounts::account::{Account, account_of_caller, set_epoch};
use crate::accounts::new_session::{SignInContext, setting, tell};
use crate::accounts::sessions::{self, SessionState, renew_token};
use crate::extract::{IfNoneMatch, PublicRequest};
use crate::pipeline::tagged;
use crate::plan::change::LetterKind;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Printable;
use crate::request::declare::{Field, Raw, Shape, Terms};
use data_encoding::BASE64URL_NOPAD;
use overturn_core::base::id::{PasskeyId, UserId};
use overturn_core::identity::passkeys::{KnownCredential, NewCredential};
use overturn_core::request::field::Problems;
use overturn_core::request::problem::Rule;
use serde_json::Value;
use std::fmt;
use uuid::Uuid;

/// Most passkeys of an account.
pub const PASSKEYS_MAX: u32 = 20;

/// The longest body with a credential that is read, in bytes. Browsers send about one kilobyte.
const BODY_MAX: usize = 64 * 1024;

const NO_PASSKEY: RequestError = RequestError::NotFound("no such passkey");
const LAST: RequestError = RequestError::Conflict(
    Reason::LastFactor,
    "this is your last second factor: enroll another one first, then remove it",
);

body! {
    NewName { name: Printable<100> }
}

/// A browser's response to a ceremony. `Debug` does not print it.
#[derive(Clone)]
pub struct Credential(Value);

impl Credential {
    /// The response for the identity Worker.
    pub(super) fn expose(&self) -> Value {
        self.0.clone()
    }

    /// The credential id that the response names; empty if it names none.
    pub(super) fn id(&self) -> &str {
        self.0.get("id").and_then(Value::as_str).unwrap_or_default()
    }

    /// The account that the authenticator names. Nothing has proved it yet.
    pub(super) fn user(&self) -> Option<UserId> {
        let handle = self.0.pointer("/response/userHandle")?.as_str()?;
        let id = BASE64URL_NOPAD.decode(handle.as_bytes()).ok()?;
        Uuid::from_slice(&id).ok().map(UserId)
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential(…)")
    }
}

impl Field for Credential {
    type Value = Self;

    const SHAPE: Shape = Shape::AnyObject;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<Self> {
        let rule = match raw {
            Raw::AnyObject(_) if terms.length > BODY_MAX => Rule::Form("is too long"),
            Raw::AnyObject(fields) => return Some(Self(Value::Object(fields))),
            Raw::Absent | Raw::Null => Rule::Required,
            _ => Rule::Object,
        };
        p.add(name, rule);
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        let about = "What the browser made of the options, as its `toJSON()` returns it. At most 64 KiB.";
        json!({ "description": about, "type": "object", "additionalProperties": true })
    }
}

/// A passkey, as its person sees it. Its key and its credential id are not shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PasskeyView {
    id: PasskeyId,
    name: String,
    created_at: Time,
    last_used_at: Option<Time>,
    /// Whether it was synced to other devices when it was last used.
    synced: bool,
    /// How a browser reaches the authenticator, such as `internal` or `usb`.
    transports: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PasskeysView {
    /// The oldest first.
    #[cfg_attr(feature = "schema", schemars(length(max = PASSKEYS_MAX)))]
    passkeys: Vec<PasskeyView>,
}

/// A passkey, as stored.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct StoredPasskey {
    pub(super) id: PasskeyId,
    pub(super) user_id: UserId,
    /// What the person calls it.
    pub(super) name: String,
    /// When it was enrolled.
    pub(super) created_at: Time,
    /// When it was last used.
    pub(super) last_used_at: Option<Time>,
    /// What the last assertion said of it.
    pub(super) credential: NewCredential,
}

impl StoredPasskey {
    fn view(&self) -> PasskeyView {
        PasskeyView {
            id: self.id,
            name: self.name.clone(),
            created_at: self.created_at,
            last_used_at: self.last_used_at,
            synced: self.credential.backed_up,
            transports: self.credential.transports.clone(),
        }
    }

    /// The passkey as the options of a ceremony name it.
    fn known(&self) -> KnownCredential {
        let NewCredential { id, transports, .. } = &self.credential;
        KnownCredential { id: id.clone(), transports: transports.clone() }
    }
}

/// A passkey `k` as [`StoredPasskey`] reads it.
const PASSKEY: &str = "json_object('id', k.id, 'user_id', k.user_id, 'name', k.name, 'created_at', k.created_at,
       'last_used_at', k.last_used_at, 'credential', json_object('id', k.credential_id, 'public_key', k.public_key,
         'sign_count', k.sign_count, 'backup_eligible', json(iif(k.backup_eligible = 1, 'true', 'false')),
         'backed_up', json(iif(k.backed_up = 1, 'true', 'false')), 'transports', json(k.transports)))";

/// The caller's passkeys, the oldest first.
pub(super) fn of_caller(caller: &str) -> Query<Vec<StoredPasskey>> {
    select!(
        "accounts.passkeys",
        "SELECT json_group_array({PASSKEY}) AS json FROM (
           SELECT * FROM passkeys WHERE user_id = {ACCOUNT_OF_CALLER} ORDER BY id) k" [PASSKEY];
        caller
    )
    .one()
}

/// The passkeys of the account of a continuation token, by its hash.
pub(super) fn of_continuation(hash: &str) -> Query<Vec<StoredPasskey>> {
    select!(
        "accounts.passkeys_of_continuation",
        "SELECT json_group_array({PASSKEY}) AS json FROM (
           SELECT * FROM passkeys WHERE user_id = (SELECT user_id FROM continuations WHERE hash = {hash}) ORDER BY id) k"
        [PASSKEY]; hash
    )
    .one()
}

/// A passkey of the caller.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct OwnPasskey {
    pub(super) passkey: StoredPasskey,
    /// True if the account has no other second factor.
    pub(super) is_last: bool,
}

pub(super) fn own(caller: &str, id: PasskeyId) -> Query<Option<OwnPasskey>> {
    select!(
        "accounts.own_passkey",
        "SELECT json_object('passkey', {PASSKEY}, 'is_last', json(iif(
             EXISTS (SELECT 1 FROM factors f WHERE f.user_id = k.user_id AND f.confirmed_at IS NOT NULL)
             OR EXISTS (SELECT 1 FROM passkeys o WHERE o.user_id = k.user_id AND o.id <> k.id), 'false', 'true'))) AS json
         FROM passkeys k WHERE k.user_id = {ACCOUNT_OF_CALLER} AND k.id = {id}" [PASSKEY];
        caller, id
    )
    .optional()
}

/// `listPasskeys`: Your passkeys.
///
/// All of them, the oldest first. An account has at most 20.
pub(crate) async fn list(request: ReadRequest) -> Result<Gives<PasskeysView>, AppError> {
    let load = of_caller(request.credential());
    let view = request.show(load, |_, stored| Ok::<_, RequestError>(listed(&stored)));
    view.await
}

/// `renamePasskey`: Rename a passkey.
///
/// The name is only for the person.
pub(crate) async fn rename(
    PathId(id): PathId<PasskeyId>,
    request: WriteRequest<NewName>,
) -> Result<Gives<PasskeyView>, AppError> {
    let load = own(request.credential(), id);
    let decide = request.change(load, |person, stored, new| renamed(new, stored, person, request.ctx()));
    decide.await
}

/// `removePasskey`: Remove a passkey.
///
/// Sensitive. Every other session ends, because one of them may have begun with this passkey, and this session
/// continues under a new token. `409` if it is the last second factor of the account. The person gets an email.
pub(crate) async fn remove(PathId(id): PathId<PasskeyId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let caller = request.credential();
    let load = (own(caller, id), account_of_caller(caller), sessions::state(caller));
    let setting = setting(&request.call)?;
    let decide = |person: &_, (stored, account, session): (_, Option<Account>, Option<_>), _| {
        let of = account.as_ref().zip(session).ok_or(RequestError::NotSignedIn)?;
        removed(stored, of, person, setting)
    };
    request.change(load, decide).await
}

/// `GET /.well-known/webauthn`: the origins that share the passkeys, if there are several sites.
pub(crate) async fn related_origins(
    PublicRequest { call }: PublicRequest,
    known: IfNoneMatch,
) -> Result<Response, AppError> {
    let origins = call.app.settings.identity.passkeys.related_origins();
    let origins = origins.ok_or(AppError::NoRoute)?;
    Ok(tagged(&known, json!({ "origins": origins }).to_string()))
}

fn listed(stored: &[StoredPasskey]) -> PasskeysView {
    PasskeysView { passkeys: stored.iter().map(StoredPasskey::view).collect() }
}

fn renamed(
    NewName { name }: NewName,
    stored: Option<OwnPasskey>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let mut passkey = stored.ok_or(NO_PASSKEY)?.passkey;
    if passkey.name == name {
        return Ok(Change::nothing(Answer::new(200, &passkey.view())));
    }
    passkey.name = name;
    let entry = Entry::new(ctx, 0, person.practice_id, Event::PasskeyRenamed, passkey.id);
    let answer = Answer::new(200, &passkey.view());
    Ok(Change::new(entry, answer).write(sql!(
        "UPDATE passkeys SET name = {name} WHERE user_id = {user} AND id = {id}";
        user = person.user_id, id = passkey.id, name = passkey.name
    )))
}

/// All other sessions end, because one of them may have begun with the passkey, and this one gets a new token.
fn removed(
    stored: Option<OwnPasskey>,
    (account, session): (&Account, SessionState),
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let OwnPasskey { passkey, is_last } = stored.ok_or(NO_PASSKEY)?;
    if is_last {
        return Err(LAST);
    }
    let (user, session_id, id) = (person.user_id, person.session()?, passkey.id);
    let epoch = person.epoch.saturating_add(1);
    let entry = Entry::new(setting.ctx, 0, person.practice_id, Event::PasskeyRemoved, id);
    let change = Change::new(entry, Answer::empty())
        .guard(abort_if!(
            Record,
            "NOT EXISTS (
               SELECT 1 FROM factors WHERE user_id = {user} AND confirmed_at IS NOT NULL
               UNION ALL SELECT 1 FROM passkeys WHERE user_id = {user} AND id <> {id})";
            user, id
        ))
        .write(sql!("DELETE FROM passkeys WHERE user_id = {user} AND id = {id}"; user, id))
        .write(set_epoch(user, epoch))
        .write(sessions::end_others(user, session_id, setting.ctx.now));
    let change = renew_token(change, (user, session_id, epoch), session, setting.random);
    Ok(tell(change, account, LetterKind::PasskeyChanged { name: passkey.name, added: false }))
}

#[cfg(test)]
mod tests;
