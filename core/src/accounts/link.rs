//! The links that go out by mail: who gets one, and what it is worth when it comes back.
//!
//! Whoever asks for a link learns nothing: the answer is the same for every address, and what there is to do for one that has
//! an account is done behind it.

use crate::accounts::sign_in::{self, Account, FirstFactor, Passed, SignInContext};
use crate::base::email::EmailAddress;
use crate::base::instant::Instant;
use crate::base::secret::{LinkToken, SecretError};
use crate::plan::accounts::{LINK_MS, LinkKind, NewLink, UserState};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, Letter, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::body::{Text, object};
use crate::request::denied::Denied;
use crate::request::field::{self, Problems};
use alloc::string::String;
use serde::Deserialize;
use serde_json::json;

/// Most characters of a token that are read; a longer one is none.
const TOKEN_MAX: usize = 128;

object! {
    /// The body that asks for a link, as it came.
    RawAsked { email: Text<'a>, }
}
object! {
    /// The body that brings one back, as it came.
    RawPressed { token: Text<'a>, }
}

/// What the store knows of a link, and of the account it is for: one in use or invited.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredLink {
    /// The account.
    pub account: Account,
    /// Whether it is in use.
    pub state: UserState,
    /// What the link does.
    pub kind: LinkKind,
    /// The account's rights when it was made.
    pub epoch: i64,
    /// When it ends.
    pub expires_at: Instant,
    /// Whether it has done its work.
    pub used: bool,
}

/// A link that can still be used. Only [`open`] makes one.
#[derive(Debug)]
pub struct OpenedLink<'l> {
    /// The account it is for.
    pub account: &'l Account,
    hash: String,
}

/// Reads `{email}`.
///
/// # Errors
///
/// [`Denied::Malformed`] or [`Denied::Invalid`] with every problem.
pub fn parse_asked(body: &[u8]) -> Result<EmailAddress, Denied> {
    let raw: RawAsked<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let email = field::email(&mut p, "email", raw.email);
    p.settle(email)
}

/// Reads `{token}`.
///
/// # Errors
///
/// [`Denied::Malformed`] or [`Denied::Invalid`] with every problem; [`Denied::SignInFailed`] for what can be no token.
pub fn parse_pressed(body: &[u8]) -> Result<LinkToken, Denied> {
    let raw: RawPressed<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let token = token(&mut p, raw.token);
    read(&p.settle(token)?)
}

/// The text of a token, which may be none.
pub(crate) fn token(p: &mut Problems, value: Text<'_>) -> Option<String> {
    field::required(p, "token", value, TOKEN_MAX).map(Into::into)
}

/// Reads the token that a link carries.
///
/// # Errors
///
/// [`Denied::SignInFailed`] for what can be no token, which is as unknown as any other.
pub fn read(token: &str) -> Result<LinkToken, Denied> {
    token.parse().map_err(|SecretError| Denied::SignInFailed)
}

/// The answer to everybody who asks for a link, known or not: `202`.
#[must_use]
pub fn accepted() -> Answer {
    let message = "if the address has an account, it gets an email with a link";
    Answer::new(202, &json!({ "message": message }))
}

/// Sends a link to sign in with. `None` for an account whose address takes no mail.
#[must_use]
pub fn send_sign_in(account: &Account, setting: SignInContext<'_>) -> Option<Change> {
    let sent = (LinkKind::SignIn, Event::LinkSent);
    send(account, sent, LetterKind::SignIn, setting)
}

/// Sends a link to choose a new password with. `None` for an account whose address takes no mail.
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
    let SignInContext {
        place, random, ctx, ..
    } = setting;
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
        .guard(Guard::Accounts(AccountsGuard::InUse {
            user: account.user_id,
            epoch: account.epoch,
        }))
        .write(Write::Accounts(AccountsWrite::NewLink(link)))
        .after(After::Mail(Letter { to, says }));
    Some(change)
}

/// Takes a link that can still be used for this.
///
/// # Errors
///
/// [`Denied::SignInFailed`] for one that is unknown, of another kind, used or expired, or whose account is not as it was when
/// the link was made; no telling which.
pub fn open<'l>(
    token: &LinkToken,
    stored: Option<&'l StoredLink>,
    kind: LinkKind,
    now: Instant,
) -> Result<OpenedLink<'l>, Denied> {
    let stored = stored.filter(|stored| stored.kind == kind && stored.holds(now));
    let stored = stored.ok_or(Denied::SignInFailed)?;
    Ok(OpenedLink {
        account: &stored.account,
        hash: token.hash(),
    })
}

/// Signs in by a link, as far as a password would.
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
        !self.used
            && now < self.expires_at
            && self.epoch == self.account.epoch
            && self.state == state
    }
}

impl OpenedLink<'_> {
    /// The same change, which this link can make once.
    pub(crate) fn spend(&self, change: Change) -> Change {
        change
            .guard(Guard::Accounts(AccountsGuard::Link(self.hash.clone())))
            .write(Write::Accounts(AccountsWrite::LinkUsed(self.hash.clone())))
    }
}

#[cfg(test)]
pub(crate) mod tests;
