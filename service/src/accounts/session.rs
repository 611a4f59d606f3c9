//! `/api/v1/auth/session`: signing in with a password, reading the session, signing out.

use crate::accounts::account::{Account, account_of_address, account_of_caller};
use crate::accounts::new_session::{PresentedSession, SignInContext, setting};
use crate::accounts::password::{self, TypedPassword};
use crate::accounts::password_attempts;
use crate::accounts::sessions::end;
use crate::accounts::sign_in::{self, FirstFactor, Passed};
use crate::accounts::sign_in::{proceed, record_failure};
use crate::accounts::signed_in::{SignedInView, view};
use crate::call::Call;
use crate::directory;
use crate::extract::{AnyBody, SignInRequest};
use crate::hashing::{self, For};
use crate::password::Check;
use crate::pipeline;
use crate::prelude::*;
use crate::request::declare::body;
use crate::request::declare::kinds::Email;
use crate::sign_in_limits::{self, CountedAccount};

body! {
    SignIn { email: Email, password: TypedPassword }
}

/// `signIn`: Sign in with email address and password.
///
/// The first factor. `200` is for an account without a second factor: it is signed in only to enroll one. An unknown address and a wrong password get the same answer in the same time.
pub(crate) async fn sign_in(request: SignInRequest<SignIn>) -> Result<Gives<SignedInView>, AppError> {
    by_password(request).await.map(Gives::from)
}

/// `showSession`: Who is signed in.
///
/// Every session may make this call, also one that may only enroll a second factor and one of an inactive practice.
/// For an API token, `session` is `null`.
pub(crate) async fn show(request: ReadRequest) -> Result<Gives<SignedInView>, AppError> {
    let load = account_of_caller(request.credential());
    let view = request.show_caller(load, |standing, account| {
        let account = account.ok_or(RequestError::NotSignedIn)?;
        Ok(view(&account, standing, request.ctx().now))
    });
    view.await
}

/// `signOut`: Sign out.
///
/// Ends the session at once and clears its cookies. If you repeat the call, the answer is `401`, because the
/// session no longer exists.
pub(crate) async fn sign_out(request: WriteRequest<AnyBody>) -> Result<Gives<(), 204>, AppError> {
    let decide = request.change((), |person, (), _| signed_out(person, request.credential(), request.ctx()));
    decide.await
}

fn signed_out(person: &Person, hash: &str, ctx: &Ctx) -> Result<Change, RequestError> {
    let session = person.session()?;
    let entry = Entry::new(ctx, 0, person.practice_id, Event::SignedOut, session);
    Ok(Change::new(entry, Answer::empty())
        .write(end(person.user_id, session, ctx.now))
        .after(After::ClearSession(hash.into())))
}

/// `402` with a continuation token if there is a second factor.
///
/// 1. Is the body valid? `400`, `413`, `422`. Are there too many attempts or waiting hashes? `429`.
/// 2. Find the cell of the address, and load its account. Without an account, do the same work.
/// 3. Unknown or wrong: `401`, with an audit row after the answer.
/// 4. Write the continuation, or the session of an account that must first enroll.
async fn by_password(request: SignInRequest<SignIn>) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    let asked = body.parse(&call)?;
    let email_key = asked.email.key();
    let counted = CountedAccount { email_key: &email_key, device: device.as_deref() };
    let (budget, turn) = sign_in_limits::sign_in(&call, &counted).await?;

    let session = PresentedSession::new(&call, presented.as_ref());
    let call = directory::in_cell_of_address(&call, &email_key).await?;
    let queries = (password_attempts::of_address(&email_key), account_of_address(&email_key), session.beside(&call));
    let count = password_attempts::count_for_address(&email_key);
    let (attempts, account, standing) = pipeline::count_and_read(&call, count, &queries).await?;
    let standing = session.standing(standing).await?;
    let browser = session.browser(standing.as_ref(), counted.device(&call).is_some());
    let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
    let check = turn.check(&call, &asked.password, hash);
    let allowed = attempts.allowed(call.app.settings.password_failures);
    // A refused attempt must not take longer if its password was right.
    let fresh = if allowed { renewed(&call, &asked, check)? } else { None };
    let setting = SignInContext { browser, ..setting(&call)? };
    let Some(passed) = passed(account.as_ref(), check, allowed, fresh, setting) else {
        if let Some(account) = account {
            record_failure(&call, &account);
            password_attempts::close(&call, &account, attempts, setting);
        }
        return Err(RequestError::SignInFailed.into());
    };
    if let Some(budget) = budget {
        budget.give_back(&call);
    }
    proceed(&call, passed).await
}

/// The steps after a right password, if the earlier attempts allow it. `fresh` is its hash under today's parameters, for an
/// account whose hash has other ones. `None` for an unknown address, a wrong password and a closed password alike.
fn passed(
    account: Option<&Account>,
    check: Check,
    allowed: bool,
    fresh: Option<String>,
    setting: SignInContext<'_>,
) -> Option<Passed> {
    let account = account.filter(|_| allowed && matches!(check, Check::Right { .. }))?;
    let mut passed = sign_in::passed(account, FirstFactor::Password, setting);
    let fresh = fresh.map(|hash| password::store(account.user_id, hash));
    passed.change.writes.extend(fresh);
    Some(passed)
}

/// The hash of a right password under today's parameters, if the stored one has others.
fn renewed(call: &Call, asked: &SignIn, check: Check) -> Result<Option<String>, AppError> {
    if check != (Check::Right { outdated: true }) {
        return Ok(None);
    }
    // A failed renewal of the hash does not fail the sign-in.
    let turn = hashing::turn(call, 1, For::Known);
    Ok(turn.and_then(|turn| turn.hash(call, &asked.password)).ok())
}

#[cfg(test)]
mod tests;
