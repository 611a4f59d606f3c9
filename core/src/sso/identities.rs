//! `/api/v1/auth/identities`: the identities at providers that a person signs in by.

use super::begun::WaitingIdentity;
use super::spent::spend;
use crate::accounts::account::Account;
use crate::accounts::ceremony::OpenedCeremony;
use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::email::EmailAddress;
use crate::base::id::{IdentityId, SsoProviderId};
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::accounts::SessionsToEnd;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::sso::NewIdentity;
use crate::plan::{AccountsWrite, Guard, SsoGuard, SsoWrite, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Text;
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Most identities of an account.
pub const IDENTITIES_MAX: usize = 10;
#[derive(Clone, Debug, Deserialize)]
pub struct StoredIdentity {
    pub id: IdentityId,
    /// The provider: the id of a SAML provider, or the id in the configuration.
    pub provider: String,
    /// What the practice calls a SAML provider.
    pub saml_name: Option<String>,
    /// The person's address there.
    pub email: String,
    /// When it was joined.
    pub created_at: Instant,
    /// When it last signed in.
    pub last_used_at: Option<Instant>,
}

/// An identity, as its person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IdentityView {
    pub id: IdentityId,
    pub provider: String,
    /// What people call the provider; `null` if the installation no longer has it.
    pub provider_name: Option<String>,
    /// The person's address there.
    pub email: String,
    /// When it was joined.
    pub created_at: Time,
    /// When it last signed in; `null` if it never did since.
    pub last_used_at: Option<Time>,
}

/// All identities of a person, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct IdentitiesView {
    /// The identities, the oldest first.
    pub identities: Vec<IdentityView>,
}

/// An identity that waits in a browser, as the signed-in person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitingView {
    /// The id of this wait. The request that connects the identity names it.
    pub id: String,
    pub provider: String,
    /// What people call the provider.
    pub provider_name: String,
    /// The person's address there.
    pub email: String,
}

body! {
    SeenIdentity {
        /// The wait that the person was shown, see [`WaitingView::id`].
        id: Text<64>,
    }
}

/// What the store knows when an identity is to be joined.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredJoin {
    /// The caller's account.
    pub account: Account,
    /// How many identities the account has.
    pub count: usize,
    /// True if an account has the identity.
    pub taken: bool,
    /// True if the waiting identity was joined before.
    pub spent: bool,
}

/// The identities of a person. `name` gives the name of a provider of the installation.
#[must_use]
pub fn list(stored: Vec<StoredIdentity>, name: impl Fn(&str) -> Option<String>) -> IdentitiesView {
    let view = |stored: StoredIdentity| IdentityView {
        id: stored.id,
        provider_name: stored.saml_name.or_else(|| name(&stored.provider)),
        provider: stored.provider,
        email: stored.email,
        created_at: Time(stored.created_at),
        last_used_at: stored.last_used_at.map(Time),
    };
    IdentitiesView { identities: stored.into_iter().map(view).collect() }
}

const NONE_WAITS: RequestError =
    RequestError::NotFound("no identity waits in this browser: sign in at the provider first");

/// The identity that may be joined to the account now.
///
/// # Errors
///
/// [`RequestError::NotFound`] without an identity that waits in this browser, [`RequestError::Conflict`] for an identity
/// that the account cannot have.
fn joinable(
    waiting: Option<OpenedCeremony<WaitingIdentity>>,
    stored: Option<&StoredJoin>,
) -> Result<OpenedCeremony<WaitingIdentity>, RequestError> {
    let waiting = waiting.ok_or(NONE_WAITS)?;
    let stored = stored.ok_or(RequestError::NotSignedIn)?;
    if stored.spent {
        return Err(NONE_WAITS);
    }
    let theirs = EmailAddress::parse(&waiting.content.email).map(|email| email.key());
    if theirs.is_none_or(|theirs| theirs != stored.account.email_key()) {
        return Err(RequestError::Conflict(
            Reason::OtherAddress,
            "the provider knows you by another address than your account has",
        ));
    }
    let practice = stored.account.practice_id;
    let is_foreign = |(of, _): (_, SsoProviderId)| practice != Some(of);
    if waiting.content.saml.is_some_and(is_foreign) {
        return Err(RequestError::Conflict(
            Reason::OtherPractice,
            "the provider is for the people of another practice",
        ));
    }
    if stored.taken {
        return Err(RequestError::Conflict(Reason::AlreadyExists, "the identity is connected to an account already"));
    }
    if stored.count >= IDENTITIES_MAX {
        return Err(RequestError::Conflict(
            Reason::LimitReached,
            "an account has at most 10 identities: remove one first",
        ));
    }
    Ok(waiting)
}

/// The identity that waits, as its person sees it before joining it.
///
/// # Errors
///
/// Those of `joinable`.
pub fn waiting(
    waiting: Option<OpenedCeremony<WaitingIdentity>>,
    stored: Option<&StoredJoin>,
) -> Result<WaitingView, RequestError> {
    let OpenedCeremony { content: waiting, spent } = joinable(waiting, stored)?;
    Ok(WaitingView {
        id: spent.hash,
        provider: waiting.provider,
        provider_name: waiting.provider_name,
        email: waiting.email,
    })
}

/// Joins the identity that waits in the person's browser to their account, if it is the one that the person was shown.
/// The person gets an email.
///
/// # Errors
///
/// Those of `joinable`, and [`RequestError::Conflict`] if another identity waits by now.
pub fn join(
    (seen, waiting): (&SeenIdentity, Option<OpenedCeremony<WaitingIdentity>>),
    stored: Option<&StoredJoin>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let OpenedCeremony { content: waiting, spent } = joinable(waiting, stored)?;
    if seen.id != spent.hash {
        return Err(RequestError::Conflict(
            Reason::VersionConflict,
            "another identity waits in this browser now: read it again",
        ));
    }
    let account = stored.map(|stored| &stored.account);
    let id = IdentityId(ctx.id(Purpose::Record, 0));
    let view = IdentityView {
        id,
        provider: waiting.provider.clone(),
        provider_name: Some(waiting.provider_name.clone()),
        email: waiting.email.clone(),
        created_at: Time(ctx.now),
        last_used_at: None,
    };
    let entry = Entry::new(ctx, 0, person.practice_id, Event::IdentityJoined, id);
    let entry = entry.detail(json!({ "provider": waiting.provider }));
    let mut change = Change::new(entry, Answer::new(201, &view))
        .guard(Guard::Sso(SsoGuard::IdentityFree {
            provider: waiting.provider.clone(),
            issuer: waiting.issuer.clone(),
            subject: waiting.subject.clone(),
        }))
        .guard(Guard::Sso(SsoGuard::Joinable {
            user: person.user_id,
            email_key: account.map_or_else(String::new, Account::email_key),
            bound: IDENTITIES_MAX,
        }))
        .write(Write::Sso(SsoWrite::NewIdentity(NewIdentity {
            id,
            user_id: person.user_id,
            provider: waiting.provider,
            issuer: waiting.issuer,
            subject: waiting.subject,
            email: waiting.email,
        })));
    if let Some((practice, provider)) = waiting.saml {
        change = change.guard(Guard::Sso(SsoGuard::Provider { practice, provider }));
    }
    let change = spend(change, &[spent]);
    Ok(notice(change, account, waiting.provider_name, true))
}

/// Removes an identity from the person's account, and ends the person's other sessions: one of them may have begun by the
/// identity. The person gets an email.
///
/// # Errors
///
/// [`RequestError::NotFound`] for an identity of another account, [`RequestError::NotAuthorized`] for a token.
pub fn remove(
    identity: Option<StoredIdentity>,
    account: Option<&Account>,
    name: impl Fn(&str) -> Option<String>,
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let identity = identity.ok_or(RequestError::NotFound("no such identity"))?;
    let (user, id) = (person.user_id, identity.id);
    let entry = Entry::new(ctx, 0, person.practice_id, Event::IdentityRemoved, id);
    let entry = entry.detail(json!({ "provider": identity.provider }));
    let change = Change::new(entry, Answer::empty())
        .guard(Guard::Sso(SsoGuard::Identity { user, identity: id }))
        .write(Write::Sso(SsoWrite::IdentityRemoved { user, identity: id }))
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(user, person.session()?))));
    let name = identity.saml_name.or_else(|| name(&identity.provider));
    let name = name.unwrap_or(identity.provider);
    Ok(notice(change, account, name, false))
}

/// Adds the email to the person.
fn notice(change: Change, account: Option<&Account>, provider: String, joined: bool) -> Change {
    let to = account.and_then(|account| EmailAddress::parse(&account.email));
    let Some(to) = to else { return change };
    let says = LetterKind::IdentityChanged { provider, joined };
    change.after(After::Mail(PlannedLetter { to, says }))
}

#[cfg(test)]
mod tests;
