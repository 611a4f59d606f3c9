//! Mailed links: who gets one, and what it allows when it is used.
//!
//! A request for a link reveals nothing: the answer and the work before it are the same for every address. The email is
//! sent after the answer.

use crate::accounts::account::Account;
use crate::accounts::new_session::SignInContext;
use crate::accounts::sign_in::{self, FirstFactor, Passed};
use crate::accounts::tries;
use crate::base::email::EmailAddress;
use crate::base::instant::Instant;
use crate::base::secret::LinkToken;
use crate::plan::accounts::{LINK_MS, LinkKind, NewLink, PasswordTry, UserState};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Email, Token};
use crate::request::error::RequestError;
use alloc::string::String;
use serde::Deserialize;
use serde_json::json;

body! {
    LinkAsked { email: Email }
}

body! {
    LinkPressed { token: Token<LinkToken> }
}

/// The stored state of a link and of its account, which is active or invited.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredLink {
    pub account: Account,
    /// The state of the account.
    pub state: UserState,
    /// What the link does.
    pub kind: LinkKind,
    /// The epoch of the account when the link was made.
    pub epoch: i64,
    pub expires_at: Instant,
    /// True if it was used.
    pub used: bool,
}

/// A link that can still be used. Only [`open`] makes one.
#[derive(Debug)]
pub struct OpenedLink<'l> {
    pub account: &'l Account,
    hash: String,
}

/// The answer to every request for a link, for known and unknown addresses: `202`.
#[must_use]
pub fn accepted() -> Answer {
    let message = "if the address has an account, it gets an email with a link";
    Answer::new(202, &json!({ "message": message }))
}

/// The write in place of a link for an address that gets none. It counts in the row of tries that no account has, so the
/// time of the answer does not show whether there is an account.
#[must_use]
pub const fn count_unknown() -> Write<'static> {
    tries::count(PasswordTry::OfAddress(String::new()))
}

/// Sends a sign-in link. `None` if the account's address cannot receive mail.
#[must_use]
pub fn send_sign_in(account: &Account, setting: SignInContext<'_>) -> Option<Change> {
    let sent = (LinkKind::SignIn, Event::LinkSent);
    send(account, sent, LetterKind::SignIn, setting)
}

/// Sends a password reset link. `None` if the account's address cannot receive mail.
#[must_use]
pub fn send_password_reset(account: &Account, setting: SignInContext<'_>) -> Option<Change> {
    let sent = (LinkKind::PasswordReset, Event::ResetSent);
    send(account, sent, LetterKind::PasswordReset, setting)
}

fn send(
    account: &Account,
    (kind, event): (LinkKind, Event),
    says: fn(LinkToken) -> LetterKind,
    setting: SignInContext<'_>,
) -> Option<Change> {
    let SignInContext { place, random, ctx, .. } = setting;
    let to = EmailAddress::parse(&account.email)?;
    let token = LinkToken::mint(random);
    let link = NewLink {
        hash: token.hash(),
        kind,
        user_id: account.user_id,
        epoch: account.epoch,
        expires_at: ctx.now.plus(LINK_MS),
    };
    let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
    let entry = entry.detail(json!({ "ip": place.ip }));
    let says = says(token);
    let change = Change::new(entry, Answer::empty())
        .guard(Guard::Accounts(AccountsGuard::InUse { user: account.user_id, epoch: account.epoch }))
        .write(Write::Accounts(AccountsWrite::NewLink(link)))
        .after(After::Mail(PlannedLetter { to, says }));
    Some(change)
}

/// Opens a link for a purpose.
///
/// # Errors
///
/// [`RequestError::SignInFailed`], without the reason, for a link that is unknown, of another kind, used or expired, or whose
/// account has changed since the link was made.
pub fn open<'l>(
    token: &LinkToken,
    stored: Option<&'l StoredLink>,
    kind: LinkKind,
    now: Instant,
) -> Result<OpenedLink<'l>, RequestError> {
    let stored = stored.filter(|stored| stored.kind == kind && stored.holds(now));
    let stored = stored.ok_or(RequestError::SignInFailed)?;
    Ok(OpenedLink { account: &stored.account, hash: token.hash() })
}

/// Signs in with a link, which counts as much as a password.
#[must_use]
pub fn sign_in(opened: &OpenedLink<'_>, setting: SignInContext<'_>) -> Passed {
    let mut passed = sign_in::passed(opened.account, FirstFactor::MagicLink, setting);
    passed.change = opened.spend(passed.change);
    passed
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

impl OpenedLink<'_> {
    /// The same change, with the link marked as used.
    pub(crate) fn spend(&self, change: Change) -> Change {
        change
            .guard(Guard::Accounts(AccountsGuard::Link(self.hash.clone())))
            .write(Write::Accounts(AccountsWrite::LinkUsed(self.hash.clone())))
    }
}

#[cfg(test)]
pub(crate) mod tests;
