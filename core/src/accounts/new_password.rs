//! A new password, chosen through a link or in place of the current one.
//!
//! In both cases every earlier session, link and continuation token ends, and an email reports the change. The second
//! factor stays.

use crate::accounts::account::{Account, SessionFacts};
use crate::accounts::link::OpenedLink;
use crate::accounts::new_session::SignInContext;
#[cfg(feature = "schema")]
use crate::accounts::password::LEAST;
use crate::accounts::password::{Check, Password};
use crate::accounts::sign_in::TypedPassword;
use crate::auth::person::Person;
use crate::base::email::EmailAddress;
use crate::base::secret::{LinkToken, SessionToken};
use crate::plan::accounts::{SessionTurn, SessionsToEnd};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::kinds::Token;
use crate::request::declare::{Field, Raw, Terms, body};
#[cfg(feature = "schema")]
use crate::request::declare::{kinds::Text, schema};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::problem::Rule;
use alloc::string::String;
use serde::Serialize;
#[cfg(feature = "schema")]
use serde_json::Value;
use serde_json::json;

/// The longest password that can be chosen. A sign-in accepts a longer one.
pub const MAX: usize = 1_000;

body! {
    /// Sets a password by a link.
    Reset { token: Token<LinkToken>, password: NewPassword }
}

body! {
    /// Sets a password in place of the current one.
    Renewal { current_password: TypedPassword, new_password: NewPassword }
}

/// A newly chosen password.
pub struct NewPassword;

impl Field for NewPassword {
    type Value = Password;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Password> {
        let text = field::required(p, name, raw.text(), MAX)?;
        Password::choose(&text).map_err(|unfit| p.add(name, Rule::Form(unfit.message()))).ok()
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        schema::with(Text::<MAX>::schema(), "minLength", LEAST)
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
