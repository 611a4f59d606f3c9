//! A new password, chosen through a link or in place of the current one.
//!
//! In both cases every earlier session, link and continuation token ends, and an email reports the change. The second
//! factor stays.

use crate::accounts::account::{Account, SessionFacts};
use crate::accounts::link::{self, OpenedLink};
use crate::accounts::new_session::SignInContext;
use crate::accounts::password::{Check, Password};
use crate::accounts::sign_in;
use crate::auth::person::Person;
use crate::base::email::EmailAddress;
use crate::base::secret::{LinkToken, SessionToken};
use crate::plan::accounts::{SessionTurn, SessionsToEnd};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::body::{Text, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::problem::Rule;
use alloc::string::String;
use serde::Serialize;
use serde_json::json;

/// The longest password that can be chosen. A sign-in accepts a longer one.
pub const MAX: usize = 1_000;

object! {
    /// The body that sets a password with a link, unchecked.
    RawReset { token: Text<'a>, password: Text<'a>, }
}
object! {
    /// The body that changes a password, unchecked.
    RawRenewal { current_password: Text<'a>, new_password: Text<'a>, }
}

/// A password chosen by a link.
#[derive(Debug)]
pub struct Reset {
    pub token: LinkToken,
    /// The new password.
    pub password: Password,
}

/// A new password in place of the current one.
#[derive(Debug)]
pub struct Renewal {
    /// The current password, as typed.
    pub current: Password,
    pub new: Password,
}

/// Reads `{token, password}`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem; [`RequestError::SignInFailed`] for text that cannot be a
/// token.
pub fn parse_reset(body: &[u8]) -> Result<Reset, RequestError> {
    let raw: RawReset<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let token = link::token(&mut p, raw.token);
    let password = chosen(&mut p, "password", raw.password);
    let (token, password) = p.settle(token.zip(password))?;
    let token = link::read(&token)?;
    Ok(Reset { token, password })
}

/// Reads `{current_password, new_password}`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse_renewal(body: &[u8]) -> Result<Renewal, RequestError> {
    let raw: RawRenewal<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let current = sign_in::password(&mut p, "current_password", raw.current_password);
    let new = chosen(&mut p, "new_password", raw.new_password);
    p.settle(current.zip(new).map(|(current, new)| Renewal { current, new }))
}

/// A newly chosen password.
pub(crate) fn chosen(p: &mut Problems, name: &'static str, value: Text<'_>) -> Option<Password> {
    let text = field::required(p, name, value, MAX)?;
    match Password::choose(&text) {
        Ok(password) => Some(password),
        Err(unfit) => {
            p.add(name, Rule::Form(unfit.message()));
            None
        }
    }
}

/// Checks that a password may be chosen for an account of a person called `name`.
///
/// # Errors
///
/// [`RequestError::Invalid`] for `field` if the password consists mostly of public facts about the person.
pub fn suits(password: &Password, field: &'static str, account: &Account, name: &str) -> Result<(), RequestError> {
    let practice = account.practice_name.as_deref().unwrap_or_default();
    let suits = password.suits(&[&account.email, name, practice]);
    suits.map_err(|unfit| RequestError::invalid(field, Rule::Form(unfit.message())))
}

/// A reset link, as its person sees it before choosing a password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ResetView {
    /// The address of the account.
    pub email: String,
}

/// The account whose password a link resets. This does not use up the link: a mail scanner may open it, too.
#[must_use]
pub fn view(opened: &OpenedLink<'_>) -> ResetView {
    ResetView { email: opened.account.email.clone() }
}

/// Sets the password of a link's account. This does not sign in.
#[must_use]
pub fn reset(opened: &OpenedLink<'_>, hash: String, setting: SignInContext<'_>) -> Change {
    let account = opened.account;
    let entry = entry(account, "password_reset", setting);
    let change = Change::new(entry, Answer::empty())
        .guard(Guard::Accounts(AccountsGuard::InUse { user: account.user_id, epoch: account.epoch }))
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::All(account.user_id))));
    let epoch = account.epoch.saturating_add(1);
    set(opened.spend(change), account, epoch, hash)
}

/// Checks the current password.
///
/// # Errors
///
/// [`RequestError::Invalid`] if it is wrong.
pub fn check(check: Check) -> Result<(), RequestError> {
    match check {
        Check::Right { .. } => Ok(()),
        Check::Wrong => Err(RequestError::invalid("current_password", Rule::NotRight)),
    }
}

/// The audit row of a wrong current password.
#[must_use]
pub fn failure(person: &Person, setting: SignInContext<'_>) -> Entry {
    let (user, event) = (person.user_id, Event::VerificationFailed);
    let entry = Entry::new(setting.ctx, 0, person.practice_id, event, user);
    entry.detail(json!({ "by": "password", "ip": setting.place.ip }))
}

/// Changes a person's password. All other sessions end, and `session` gets a new token.
///
/// # Errors
///
/// [`RequestError::NotAuthorized`] for an API token.
pub fn change(
    account: &Account,
    session: &SessionFacts,
    hash: String,
    person: &Person,
    setting: SignInContext<'_>,
) -> Result<Change, RequestError> {
    let (user_id, id) = (person.user_id, person.session()?);
    let epoch = person.epoch.saturating_add(1);
    let token = SessionToken::mint(setting.random);
    let turned = SessionTurn {
        user_id,
        id,
        hash: token.hash(),
        kind: session.kind,
        epoch,
        verified_at: session.verified_at.map(|at| at.0),
    };
    let entry = entry(account, "current_password", setting);
    let change = Change::new(entry, Answer::empty())
        .write(Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(user_id, id))))
        .write(Write::Accounts(AccountsWrite::SessionTurned(turned)))
        .after(After::SetSession(id, token));
    Ok(set(change, account, epoch, hash))
}

fn entry(account: &Account, by: &str, setting: SignInContext<'_>) -> Entry {
    let (user, event) = (account.user_id, Event::PasswordChanged);
    let entry = Entry::new(setting.ctx, 0, account.practice_id, event, user);
    entry.detail(json!({ "by": by, "ip": setting.place.ip }))
}

/// Sets the password, ends everything made under the earlier one, and sends an email.
fn set(change: Change, account: &Account, epoch: i64, hash: String) -> Change {
    let change = change
        .write(Write::Accounts(AccountsWrite::Password { user: account.user_id, hash }))
        .write(Write::Accounts(AccountsWrite::PasswordOpened(account.user_id)))
        .write(Write::Accounts(AccountsWrite::Epoch { user: account.user_id, epoch }));
    match EmailAddress::parse(&account.email) {
        Some(to) => change.after(After::Mail(PlannedLetter { to, says: LetterKind::PasswordChanged })),
        None => change,
    }
}

#[cfg(test)]
mod tests;
