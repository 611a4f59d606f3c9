//! Signing in: the first factor, and the steps after it (interface: Session endpoints).

use crate::accounts::account::Account;
use crate::accounts::new_session::{self, SignInContext};
use crate::accounts::password::{Check, Password};
use crate::auth::session::SessionKind;
use crate::base::ctx::Ctx;
use crate::base::email::EmailAddress;
use crate::base::id::UserId;
use crate::base::names::names;
use crate::base::secret::ContinuationToken;
use crate::plan::accounts::{CONTINUATION_MS, ClientOrigin, NewContinuation};
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::body::{Text, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use alloc::string::String;
use serde_json::json;

object! {
    /// The body of a sign-in, unchecked.
    RawSignIn { email: Text<'a>, password: Text<'a>, }
}

/// The longest password that is read. No account has a longer one.
const PASSWORD_READ_MAX: usize = 10_000;

/// An address and a password.
#[derive(Debug)]
pub struct SignIn {
    /// The address.
    pub email: EmailAddress,
    /// The password.
    pub password: Password,
}

names! {
    /// The kind of the first factor.
    FirstFactor {
        /// A password.
        Password = "password",
        /// A mailed link.
        MagicLink = "magic_link",
    }
}

/// A correct first factor.
#[derive(Debug)]
pub struct Passed {
    /// The account.
    pub user_id: UserId,
    /// The writes, and the answer if no second factor is needed.
    pub change: Change,
    /// The token for the second factor. The answer is then a `402` with it.
    pub ask: Option<ContinuationToken>,
}

/// Reads `{email, password}`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<SignIn, RequestError> {
    let raw: RawSignIn<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let email = field::email(&mut p, "email", raw.email);
    let password = password(&mut p, "password", raw.password);
    p.settle(
        email
            .zip(password)
            .map(|(email, password)| SignIn { email, password }),
    )
}

/// A password typed for a check.
pub(crate) fn password(p: &mut Problems, name: &'static str, value: Text<'_>) -> Option<Password> {
    let text = field::required(p, name, value, PASSWORD_READ_MAX)?;
    Some(Password::given(&text))
}

/// Signs in with a password if the earlier attempts `allow` it. `fresh` is the hash of the password under today's
/// parameters, for an account whose hash has other ones.
///
/// # Errors
///
/// [`RequestError::SignInFailed`] for an unknown address, a wrong password and a closed password alike.
pub fn by_password(
    account: Option<&Account>,
    allow: bool,
    check: Check,
    fresh: Option<String>,
    setting: SignInContext<'_>,
) -> Result<Passed, RequestError> {
    let account = account
        .filter(|_| allow && matches!(check, Check::Right { .. }))
        .ok_or(RequestError::SignInFailed)?;
    let mut passed = passed(account, FirstFactor::Password, setting);
    let fresh = fresh.map(|hash| {
        Write::Accounts(AccountsWrite::Password {
            user: account.user_id,
            hash,
        })
    });
    passed.change.writes.extend(fresh);
    Ok(passed)
}

/// The steps after a correct first factor. The count of attempts at the password restarts. The second factor is
/// requested; if the account has none, a session begins that can only enroll one.
#[must_use]
pub fn passed(account: &Account, first: FirstFactor, setting: SignInContext<'_>) -> Passed {
    let SignInContext {
        place, random, ctx, ..
    } = setting;
    let entry = |event| {
        let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
        entry.detail(json!({ "by": first.name(), "ip": place.ip }))
    };
    let guard = Guard::Accounts(AccountsGuard::InUse {
        user: account.user_id,
        epoch: account.epoch,
    });
    let opened = Write::Accounts(AccountsWrite::PasswordOpened(account.user_id));
    if !account.enrolled {
        let change = new_session::begin(
            account,
            SessionKind::Enrolment,
            entry(Event::SignedIn),
            setting,
        );
        return Passed {
            user_id: account.user_id,
            change: change.guard(guard).write(opened),
            ask: None,
        };
    }
    let token = ContinuationToken::mint(random);
    let continuation = NewContinuation {
        hash: token.hash(),
        user_id: account.user_id,
        epoch: account.epoch,
        session_id: None,
        expires_at: ctx.now.plus(CONTINUATION_MS),
    };
    let change = Change::new(entry(Event::SignInBegun), Answer::empty());
    Passed {
        user_id: account.user_id,
        change: change
            .guard(guard)
            .write(Write::Accounts(AccountsWrite::NewContinuation(
                continuation,
            )))
            .write(opened),
        ask: Some(token),
    }
}

/// The audit row of a failed sign-in, for an account whose first factor was wrong.
#[must_use]
pub fn failure(account: &Account, place: &ClientOrigin, ctx: &Ctx) -> Entry {
    let event = Event::SignInFailed;
    let entry = Entry::new(ctx, 0, account.practice_id, event, account.user_id);
    entry.detail(json!({ "ip": place.ip }))
}
