//! `/api/v1/auth/identities`: an identity that waits in a browser to be joined to the account of the signed-in person.

use super::identities::{IDENTITIES_MAX, IdentityView, notice};
use super::shown::PracticeProvider;
use super::spent::spend;
use crate::accounts::account::{ACCOUNT, Account};
use crate::call::Call;
use crate::cookies;
use crate::cookies::ceremony::{self, CeremonyPurpose, OpenedCeremony};
use crate::directory::{LOGINS, login};
use crate::extract::IdentityCookie;
use crate::pipeline::after_commit;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Text;
use crate::request::email::EmailAddress;
use overturn_core::base::id::{IdentityId, UserId};
use std::fmt;
use std::rc::Rc;

/// An identity that a provider confirmed, and that no account has. The signed-in person may join it to their account.
/// `Debug` prints only the provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WaitingIdentity {
    /// The provider: the id of a SAML provider, or the id in the configuration.
    pub(super) provider: String,
    /// The SAML provider that checked it; `None` for a provider of the installation.
    pub(super) saml: Option<PracticeProvider>,
    /// What people call the provider.
    pub(super) provider_name: String,
    /// The issuer or entity id.
    pub(super) issuer: String,
    /// The person's id there.
    pub(super) subject: String,
    /// The person's address there, which is verified.
    pub(super) email: String,
}

impl fmt::Debug for WaitingIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitingIdentity").field("provider", &self.provider).finish_non_exhaustive()
    }
}

/// An identity that waits in a browser, as the signed-in person sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct WaitingIdentityView {
    /// Names this wait. Send it back to connect the identity.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub(super) id: String,
    /// The id of the provider.
    pub(super) provider: String,
    /// What people call the provider.
    pub(super) provider_name: String,
    /// Your address there.
    pub(super) email: String,
}

body! {
    SeenIdentity {
        /// The `id` of the identity that waits.
        id: Text<64>,
    }
}

/// What the store knows when an identity is to be joined.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredJoin {
    /// The caller's account.
    pub(super) account: Account,
    /// How many identities the account has.
    pub(super) count: usize,
    /// True if an account has the identity.
    pub(super) taken: bool,
    /// True if the waiting identity was joined before.
    pub(super) spent: bool,
}

/// What is known when the caller is to join a waiting identity.
pub(super) fn stored(caller: &str, waiting: Option<&OpenedCeremony<WaitingIdentity>>) -> Query<Option<StoredJoin>> {
    let part = |of: fn(&WaitingIdentity) -> &String| waiting.map_or("", |waiting| of(&waiting.content));
    select!(
        "sso.to_join",
        "SELECT json_object('account', json({ACCOUNT}),
           'count', (SELECT count(*) FROM identities WHERE user_id = u.id),
           'taken', json(iif(EXISTS (SELECT 1 FROM identities
             JOIN users holder ON holder.id = identities.user_id AND holder.state <> 'removed'
             WHERE provider = {provider} AND issuer = {issuer} AND subject = {subject}), 'true', 'false')),
           'spent', json(iif(EXISTS (SELECT 1 FROM spent_proofs WHERE hash = {proof}), 'true', 'false'))) AS json
         FROM callers c JOIN users u ON u.id = c.user_id AND u.state = 'active'
           LEFT JOIN practices p ON p.id = u.practice_id
         WHERE c.hash = {caller}"
        [ACCOUNT]; caller, provider = part(|of| &of.provider), issuer = part(|of| &of.issuer),
        subject = part(|of| &of.subject), proof = waiting.map_or("", |waiting| &waiting.spent.hash)
    )
    .optional()
}

/// `showWaitingIdentity`: Read which identity waits in this browser.
///
/// Show this to the person before they connect it. `404` means that no identity waits, and `409` that the one that
/// waits cannot be connected to your account.
pub(crate) async fn show(
    waiting: IdentityCookie,
    request: ReadRequest,
) -> Result<Gives<WaitingIdentityView>, AppError> {
    let waiting = opened(&request.call, &waiting);
    let load = stored(request.credential(), waiting.as_ref());
    let view = request.show(load, |_, stored| view(waiting, stored.as_ref()));
    view.await
}

/// `joinIdentity`: Connect the identity that waits in this browser.
///
/// Sensitive. After a sign-in at a provider that is not connected to an account, the identity waits in the browser
/// for five minutes, in the cookie `__Host-identity`. This call connects it to your account. The provider must have
/// verified its address, and the address must be that of your account. The provider of a practice is only for the
/// people of that practice. `id` is the one that `GET /api/v1/auth/identities/waiting` showed, so that the person
/// connects what they have seen. `404` means that no identity waits, and `409` also that another one waits by now.
/// You get an email.
pub(crate) async fn join(
    waiting: IdentityCookie,
    request: WriteRequest<SeenIdentity>,
) -> Result<Gives<IdentityView, 201>, AppError> {
    let waiting = opened(&request.call, &waiting);
    let load = stored(request.credential(), waiting.as_ref());
    let decide = request.change_asking(
        load,
        async |stored, _| reserved(&request.call, joinable(waiting.clone(), stored.as_ref()), stored.as_ref()).await,
        |person, (stored, ()), seen| joins((&seen, waiting.clone()), stored.as_ref(), person, request.ctx()),
    );
    let mut response: Response = decide.await?;
    after_commit::set_cookies(&mut response, [cookies::IDENTITY.end()])?;
    Ok(response.into())
}

/// The identity in the browser's cookie.
fn opened(call: &Call, IdentityCookie(cookie): &IdentityCookie) -> Option<OpenedCeremony<WaitingIdentity>> {
    let keys = &call.app.keys;
    ceremony::open(&keys.ceremonies, CeremonyPurpose::Identity, cookie.as_deref()?, call.ctx.now)
}

/// Reserves the identity for the account.
async fn reserved(
    call: &Rc<Call>,
    waiting: Result<OpenedCeremony<WaitingIdentity>, RequestError>,
    stored: Option<&StoredJoin>,
) -> Result<(), AppError> {
    let OpenedCeremony { content: of, .. } = waiting?;
    let user = stored.ok_or(RequestError::NotSignedIn)?.account.user_id;
    let login = login(&of.provider, &of.issuer, &of.subject);
    if LOGINS.reserve(call, &login, user.0).await? { Ok(()) } else { Err(JOINED.into()) }
}

const JOINED: RequestError =
    RequestError::Conflict(Reason::AlreadyExists, "the identity is connected to an account already");
const NONE_WAITS: RequestError =
    RequestError::NotFound("no identity waits in this browser: sign in at the provider first");

/// The identity that may be joined to the account now.
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
    let is_foreign = |of: PracticeProvider| practice != Some(of.practice_id);
    if waiting.content.saml.is_some_and(is_foreign) {
        return Err(RequestError::Conflict(
            Reason::OtherPractice,
            "the provider is for the people of another practice",
        ));
    }
    if stored.taken {
        return Err(JOINED);
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
fn view(
    waiting: Option<OpenedCeremony<WaitingIdentity>>,
    stored: Option<&StoredJoin>,
) -> Result<WaitingIdentityView, RequestError> {
    let OpenedCeremony { content: waiting, spent } = joinable(waiting, stored)?;
    Ok(WaitingIdentityView {
        id: spent.hash,
        provider: waiting.provider,
        provider_name: waiting.provider_name,
        email: waiting.email,
    })
}

/// Joins the identity that waits in the person's browser to their account, if it is the one that the person was shown.
/// The person gets an email.
pub(super) fn joins(
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
    let identity = ProviderIdentity { provider: &waiting.provider, issuer: &waiting.issuer, subject: &waiting.subject };
    let email_key = account.map_or_else(String::new, Account::email_key);
    let mut change = Change::new(entry, Answer::new(201, &view))
        .guard(is_free(identity))
        // The account is active, and still has the address, which is that of the identity as well.
        .guard(abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM users u WHERE u.id = {user} AND u.state = 'active' AND u.email_key = {email_key}
               AND (SELECT count(*) FROM identities i WHERE i.user_id = u.id) < CAST({most} AS INTEGER))";
            user = person.user_id, email_key, most = IDENTITIES_MAX
        ));
    change.writes.extend(joined(identity, id, (person.user_id, &waiting.email), ctx.now));
    if let Some(of) = waiting.saml {
        change = change.guard(of.is_unchanged());
    }
    let change = spend(change, &[spent], ctx.now);
    Ok(notice(change, account, waiting.provider_name, true))
}

/// What a provider calls a person.
#[derive(Clone, Copy)]
pub(super) struct ProviderIdentity<'i> {
    pub(super) provider: &'i str,
    pub(super) issuer: &'i str,
    pub(super) subject: &'i str,
}

/// The guard that no account has the identity.
pub(super) fn is_free(ProviderIdentity { provider, issuer, subject }: ProviderIdentity<'_>) -> Guard {
    abort_if!(
        Record,
        "EXISTS (SELECT 1 FROM identities i JOIN users u ON u.id = i.user_id AND u.state <> 'removed'
           WHERE i.provider = {provider} AND i.issuer = {issuer} AND i.subject = {subject})";
        provider, issuer, subject
    )
}

/// Joins an identity to an account. If an account that was removed has it, it is freed.
pub(super) fn joined(
    ProviderIdentity { provider, issuer, subject }: ProviderIdentity<'_>,
    id: IdentityId,
    (user, email): (UserId, &str),
    now: Instant,
) -> [Write; 2] {
    [
        sql!(
            "DELETE FROM identities WHERE provider = {provider} AND issuer = {issuer} AND subject = {subject}
               AND EXISTS (SELECT 1 FROM users u WHERE u.id = user_id AND u.state = 'removed')";
            provider, issuer, subject
        ),
        sql!(
            "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
             VALUES ({user}, {id}, {provider}, {issuer}, {subject}, {email}, {now})
             ON CONFLICT (user_id, id) DO NOTHING";
            user, id, provider, issuer, subject, email, now
        ),
    ]
}

#[cfg(test)]
mod tests;
