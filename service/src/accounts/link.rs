//! Mailed links: who gets one, and what it allows when it is used.
//!
//! A request for a link reveals nothing: the answer and the work before it are the same for every address. The email is
//! sent after the answer.

use crate::accounts::account::{ACCOUNT, Account, UserState, account_of_address, in_use};
use crate::accounts::new_session::{SignInContext, setting};
use crate::accounts::password_attempts;
use crate::accounts::sign_in::record_failure;
use crate::call::Call;
use crate::directory;
use crate::extract::{NamesCell, SignInRequest};
use crate::mail::LINK_MS;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::change::{LetterKind, PlannedLetter};
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::{Email, Token};
use crate::request::email::EmailAddress;
use crate::request::secret::LinkToken;
use crate::response;
use crate::sign_in_limits;
use http::StatusCode;
use overturn_core::base::cell::Cell;
use std::rc::Rc;

/// How many times a link is made if its account keeps changing.
const ROUNDS: usize = 3;

body! {
    LinkAsked { email: Email }
}

body! {
    LinkPressed { token: Token<LinkToken> }
}

impl NamesCell for LinkPressed {
    fn handed_out(&self) -> Option<(String, Cell)> {
        self.token.as_ref().ok().map(LinkToken::handed_out)
    }
}

names! {
    /// The purpose of a link.
    LinkKind {
        SignIn = "sign_in",
        /// Lets the person choose a new password.
        PasswordReset = "password_reset",
        /// Lets an invited person join.
        Invitation = "invitation",
    }
}

#[derive(Clone, Debug)]
pub struct NewLink {
    /// The hash of its token.
    pub hash: String,
    /// Its purpose.
    pub kind: LinkKind,
    /// The account it is for.
    pub user_id: UserId,
    /// The account's epoch when it was made: a link from before a change of rights is invalid.
    pub epoch: i64,
    pub expires_at: Instant,
}

impl NewLink {
    /// Inserts it, and deletes the account's expired ones.
    pub fn writes(&self, now: Instant) -> [Write; 2] {
        let user = self.user_id;
        [
            sql!("DELETE FROM links WHERE user_id = {user} AND expires_at <= {now}"; user, now),
            sql!(
                "INSERT INTO links (hash, kind, user_id, epoch, expires_at)
                 VALUES ({hash}, {kind}, {user}, {epoch}, {expires_at}) ON CONFLICT (hash) DO NOTHING";
                hash = &self.hash, kind = self.kind, user, epoch = self.epoch, expires_at = self.expires_at
            ),
        ]
    }
}

/// The stored state of a link and of its account, which is active or invited.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredLink {
    pub(super) account: Account,
    /// The state of the account.
    pub(super) state: UserState,
    /// What the link does.
    pub(super) kind: LinkKind,
    /// The epoch of the account when the link was made.
    pub(super) epoch: i64,
    pub(super) expires_at: Instant,
    /// True if it was used.
    pub(super) used: bool,
}

/// The stored state of a link. `None` if its account was removed.
pub(super) fn stored(token: &LinkToken) -> Query<Option<StoredLink>> {
    select!(
        "accounts.link",
        "SELECT json_object('account', {ACCOUNT}, 'state', u.state, 'kind', l.kind, 'epoch', l.epoch,
           'expires_at', l.expires_at, 'used', json(iif(l.used_at IS NULL, 'false', 'true'))) AS json
         FROM links l JOIN users u ON u.id = l.user_id AND u.state <> 'removed'
           LEFT JOIN practices p ON p.id = u.practice_id
         WHERE l.hash = {hash}" [ACCOUNT];
        hash = token.hash()
    )
    .optional()
}

/// A link that can still be used. Only [`open`] makes one.
#[derive(Debug)]
pub(super) struct OpenedLink<'l> {
    pub(super) account: &'l Account,
    hash: String,
    now: Instant,
}

impl OpenedLink<'_> {
    /// The same change, with the link used up.
    pub(super) fn use_up(&self, change: Change) -> Change {
        let Self { hash, now, .. } = self;
        change
            .guard(abort_if!(
                Secret,
                "NOT EXISTS (SELECT 1 FROM links WHERE hash = {hash} AND used_at IS NULL AND expires_at > {now})";
                hash, now = *now
            ))
            .write(sql!(
                "UPDATE links SET used_at = {now} WHERE hash = {hash} AND used_at IS NULL"; hash, now = *now
            ))
    }
}

/// A link for a purpose, if it can still be used.
///
/// # Errors
///
/// [`RequestError::SignInFailed`], without the reason, for a link that is unknown, of another kind, used or expired, or
/// whose account has changed since the link was made.
pub(super) fn open<'l>(
    token: &LinkToken,
    stored: Option<&'l StoredLink>,
    kind: LinkKind,
    now: Instant,
) -> Result<OpenedLink<'l>, RequestError> {
    let stored = stored.filter(|stored| stored.kind == kind && stored.holds(now));
    let stored = stored.ok_or(RequestError::SignInFailed)?;
    Ok(OpenedLink { account: &stored.account, hash: token.hash(), now })
}

impl StoredLink {
    fn holds(&self, now: Instant) -> bool {
        let state = match self.kind {
            LinkKind::SignIn | LinkKind::PasswordReset => UserState::Active,
            LinkKind::Invitation => UserState::Invited,
        };
        !self.used && now < self.expires_at && self.epoch == self.account.epoch && self.state == state
    }
}

/// [`open`]. A failure gets a row in the account's trail, after the answer.
pub(super) fn open_or_record<'l>(
    call: &Rc<Call>,
    token: &LinkToken,
    stored: Option<&'l StoredLink>,
    kind: LinkKind,
) -> Result<OpenedLink<'l>, AppError> {
    let opened = open(token, stored, kind, call.ctx.now);
    if let (Err(_), Some(stored)) = (&opened, stored) {
        record_failure(call, &stored.account);
    }
    Ok(opened?)
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Accepted {
    /// For people. The wording may change.
    message: &'static str,
}

/// Shows what a link is for. It stays usable, because a mail scanner may open it, too.
pub(super) async fn preview<T: Serialize>(
    request: SignInRequest<LinkPressed>,
    kind: LinkKind,
    view: fn(&OpenedLink<'_>) -> T,
) -> Result<Gives<T>, AppError> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let (pressed, call) = body.parse_in_cell(&call)?;
    let token = pressed.token?;
    let stored = call.db.read(&stored(&token)).await?;
    let opened = open(&token, stored.as_ref(), kind, call.ctx.now)?;
    Ok(response::json(StatusCode::OK, &view(&opened)).into())
}

/// Answers a request for a link, in the same way and after the same work for every address.
///
/// 1. Is the body valid? `400`, `413`, `422`. Were there too many emails? `429`.
/// 2. Find the cell of the address and its account, and store the link. For an address without an account, write a row that no account has.
/// 3. `202`, or `503` if the database did not take it. The email is sent after the answer, so neither its text nor its
///    time shows whether there is an account.
pub(super) async fn ask(
    request: SignInRequest<LinkAsked>,
    what: RequestedLink,
) -> Result<Gives<Accepted, 202>, AppError> {
    let SignInRequest { call, body, .. } = request;
    let email_key = body.parse(&call)?.email.key();
    sign_in_limits::letter(&call, &email_key).await?;
    let call = directory::in_cell_of_address(&call, &email_key).await?;
    make_once(&call, &email_key, what).await?;
    let message = "if the address has an account, it gets an email with a link";
    Ok(response::json(StatusCode::ACCEPTED, &Accepted { message }).into())
}

/// [`make`], again if the account changes before its commit. A refusal of its own would show that there is one.
async fn make_once(call: &Rc<Call>, email_key: &str, what: RequestedLink) -> Result<(), AppError> {
    for _ in 0..ROUNDS {
        match make(call, email_key, what).await {
            Err(AppError::Request(_)) => {}
            done => return done,
        }
    }
    Err(AppError::Unavailable("the account keeps changing"))
}

/// Makes the link for the active account of an address, or as much work if there is none.
async fn make(call: &Rc<Call>, email_key: &str, what: RequestedLink) -> Result<(), AppError> {
    let account = call.db.read(&account_of_address(email_key)).await?;
    let setting = setting(call)?;
    let decided = account.and_then(|account| {
        let change = sent(&account, what, setting)?;
        Some((Actor::User(account.user_id), change))
    });
    if let Some((actor, change)) = decided {
        pipeline::commit_signing_in(call, actor, change).await?;
    } else {
        // No account has the empty address, so the time of the answer does not show whether there is one.
        let count = vec![password_attempts::count_for_address("")];
        let plan = pipeline::plan(&call.ctx, Actor::Service, Vec::new(), count);
        pipeline::run(&call.db, &call.app, &plan).await?;
        let email_key = email_key.to_owned();
        call.after_answer(async move |call| make_elsewhere(&call, &email_key, what).await);
    }
    Ok(())
}

/// Makes the link if the practice has left the call's cell since the directory was asked. This second look comes after the answer:
/// before it, its time would show that there is no account.
async fn make_elsewhere(call: &Rc<Call>, email_key: &str, what: RequestedLink) {
    if let Ok(there) = directory::in_cell_of_address(call, email_key).await
        && there.ctx.cell != call.ctx.cell
        && Box::pin(make_once(&there, email_key, what)).await.is_err()
    {
        log::error!("{}", json!({ "event": "mail_not_sent", "reason": "moving" }));
    }
}

/// A link that a person can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RequestedLink {
    SignIn,
    PasswordReset,
}

/// The link and its email. `None` if the account's address cannot receive mail.
pub(super) fn sent(account: &Account, what: RequestedLink, setting: SignInContext<'_>) -> Option<Change> {
    let SignInContext { place, random, ctx, .. } = setting;
    let to = EmailAddress::parse(&account.email)?;
    let token = LinkToken::mint(random);
    let hash = token.hash();
    let (kind, event, says) = match what {
        RequestedLink::SignIn => (LinkKind::SignIn, Event::LinkSent, LetterKind::SignIn(token)),
        RequestedLink::PasswordReset => (LinkKind::PasswordReset, Event::ResetSent, LetterKind::PasswordReset(token)),
    };
    let (user_id, epoch) = (account.user_id, account.epoch);
    let link = NewLink { hash, kind, user_id, epoch, expires_at: ctx.now.plus(LINK_MS) };
    let entry = Entry::new(ctx, 0, account.practice_id, event, user_id).detail(json!({ "ip": place.ip }));
    let change = Change::new(entry, Answer::empty())
        .guard(in_use(user_id, epoch))
        .write_all(link.writes(ctx.now))
        .after(After::Mail(PlannedLetter { to, says }));
    Some(change)
}

#[cfg(test)]
mod tests;
