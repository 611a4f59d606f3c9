//! `/api/v1/auth/identities`: the identities at providers that a person signs in by.

use crate::accounts::account::{Account, account_of_caller, set_epoch};
use crate::accounts::new_session::{SignInContext, setting};
use crate::accounts::sessions::{self, SessionState, renew_token};
use crate::call::Call;
use crate::plan::change::{LetterKind, PlannedLetter};
use crate::prelude::*;
use crate::request::email::EmailAddress;
use overturn_core::base::id::{IdentityId, UserId};

/// Most identities of an account.
pub(super) const IDENTITIES_MAX: usize = 10;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredIdentity {
    pub(super) id: IdentityId,
    /// The provider: the id of a SAML provider, or the id in the configuration.
    pub(super) provider: String,
    /// What the practice calls a SAML provider.
    pub(super) saml_name: Option<String>,
    /// The person's address there.
    pub(super) email: String,
    /// When it was joined.
    pub(super) created_at: Instant,
    /// When it last signed in.
    pub(super) last_used_at: Option<Instant>,
}

/// An identity, as its person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct IdentityView {
    pub(super) id: IdentityId,
    /// The id of the provider.
    pub(super) provider: String,
    /// What people call the provider. `null` if this installation no longer has it.
    pub(super) provider_name: Option<String>,
    /// Your address there.
    pub(super) email: String,
    pub(super) created_at: Time,
    /// When it last signed in. `null` if it has not yet.
    pub(super) last_used_at: Option<Time>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct IdentitiesView {
    /// The oldest first.
    #[cfg_attr(feature = "schema", schemars(length(max = IDENTITIES_MAX)))]
    pub(super) identities: Vec<IdentityView>,
}

/// An identity `i` as [`StoredIdentity`] reads it.
const IDENTITY: &str = "json_object('id', i.id, 'provider', i.provider,
       'saml_name', (SELECT s.name FROM sso_providers s WHERE s.id = i.provider),
       'email', i.email, 'created_at', i.created_at, 'last_used_at', i.last_used_at)";

/// All identities of the caller, the oldest first.
pub(super) fn all(caller: &str) -> Query<Vec<StoredIdentity>> {
    select!(
        "sso.identities",
        "SELECT json_group_array({IDENTITY}) AS json
         FROM (SELECT * FROM identities WHERE user_id = {ACCOUNT_OF_CALLER} ORDER BY id) i" [IDENTITY]; caller
    )
    .one()
}

/// One of the caller's own identities.
pub(super) fn one(caller: &str, id: IdentityId) -> Query<Option<StoredIdentity>> {
    select!(
        "sso.identity",
        "SELECT {IDENTITY} AS json FROM identities i WHERE i.user_id = {ACCOUNT_OF_CALLER} AND i.id = {id}" [IDENTITY];
        caller, id
    )
    .optional()
}

/// `listIdentities`: List your identities at providers.
///
/// An account has at most 10.
pub(crate) async fn list(request: ReadRequest) -> Result<Gives<IdentitiesView>, AppError> {
    let load = all(request.credential());
    let view = request.show(load, |_, stored| {
        let name = |id: &str| name(&request.call, id);
        Ok::<_, RequestError>(view(stored, name))
    });
    view.await
}

/// `removeIdentity`: Remove an identity.
///
/// Sensitive. It no longer signs in to your account. Every other session ends, because one of them may have begun by it,
/// and this session continues under a new token. You get an email.
pub(crate) async fn remove(PathId(id): PathId<IdentityId>, request: WriteRequest) -> Result<Gives<(), 204>, AppError> {
    let caller = request.credential();
    let load = (one(caller, id), account_of_caller(caller), sessions::state(caller));
    let setting = setting(&request.call)?;
    let decide = request.change(load, |person, (identity, account, session), _| {
        let of = account.as_ref().zip(session).ok_or(RequestError::NotSignedIn)?;
        removed(identity, of, |id| name(&request.call, id), person, setting)
    });
    decide.await
}

/// The name of a provider of the installation.
fn name(call: &Call, id: &str) -> Option<String> {
    let provider = call.app.settings.identity.oidc_provider(id)?;
    Some(provider.name.clone())
}

/// The identities of a person. `name` gives the name of a provider of the installation.
fn view(stored: Vec<StoredIdentity>, name: impl Fn(&str) -> Option<String>) -> IdentitiesView {
    let shown = |stored: StoredIdentity| IdentityView {
        id: stored.id,
        provider_name: stored.saml_name.or_else(|| name(&stored.provider)),
        provider: stored.provider,
        email: stored.email,
        created_at: Time(stored.created_at),
        last_used_at: stored.last_used_at.map(Time),
    };
    IdentitiesView { identities: stored.into_iter().map(shown).collect() }
}

/// Removes an identity from the person's account. Other sessions and the sign-ins that wait for a second factor end: one of
/// them may have begun by the identity. This session gets a new token, and the person an email.
pub(super) fn removed(
    identity: Option<StoredIdentity>,
    (account, session): (&Account, SessionState),
    name: impl Fn(&str) -> Option<String>,
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let ctx = setting.ctx;
    let identity = identity.ok_or(RequestError::NotFound("no such identity"))?;
    let (user, session_id, id) = (person.user_id, person.session()?, identity.id);
    let epoch = person.epoch.saturating_add(1);
    let entry = Entry::new(ctx, 0, person.practice_id, Event::IdentityRemoved, id);
    let entry = entry.detail(json!({ "provider": identity.provider }));
    let change = Change::new(entry, Answer::empty())
        .guard(has_identity(user, id))
        .write(sql!("DELETE FROM identities WHERE user_id = {user} AND id = {id}"; user, id))
        .write(set_epoch(user, epoch))
        .write(sessions::end_others(user, session_id, ctx.now));
    let change = renew_token(change, (user, session_id, epoch), session, setting.random);
    let name = identity.saml_name.or_else(|| name(&identity.provider));
    let name = name.unwrap_or(identity.provider);
    Ok(notice(change, Some(account), name, false))
}

/// Adds the email to the person.
pub(super) fn notice(change: Change, account: Option<&Account>, provider: String, joined: bool) -> Change {
    let to = account.and_then(|account| EmailAddress::parse(&account.email));
    let Some(to) = to else { return change };
    let says = LetterKind::IdentityChanged { provider, joined };
    change.after(After::Mail(PlannedLetter { to, says }))
}

/// The guard that the account still has the identity.
pub(super) fn has_identity(user: UserId, id: IdentityId) -> Guard {
    abort_if!(Secret, "NOT EXISTS (SELECT 1 FROM identities WHERE user_id = {user} AND id = {id})"; user, id)
}

/// Records a sign-in by an identity.
pub(super) fn used(user: UserId, id: IdentityId, now: Instant) -> Write {
    sql!("UPDATE identities SET last_used_at = {now} WHERE user_id = {user} AND id = {id}"; user, id, now)
}

#[cfg(test)]
mod tests;
