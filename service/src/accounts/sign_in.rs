//! Signing in: by a password or a link, and with a second factor.

use super::context::{browser, setting};
use super::links;
use super::passkeys::{self, PresentedAssertion};
use crate::call::Call;
use crate::error::AppError;
use crate::extract::SignInRequest;
use crate::hashing::{self, For};
use crate::pipeline;
use crate::pipeline::after_commit;
use crate::pipeline::tampered;
use crate::response::Response;
use crate::sign_in_limits;
use overturn_core::accounts::account::Account;
use overturn_core::accounts::continuation::StoredContinuation;
use overturn_core::accounts::link::{self, LinkPressed};
use overturn_core::accounts::new_session::SignInContext;
use overturn_core::accounts::passkeys::assertion::{AssertionUse, StoredAssertion};
use overturn_core::accounts::password::Check;
use overturn_core::accounts::second_factor::{self, OpenedFactors, PresentedFactor};
use overturn_core::accounts::sign_in::{self, Passed, SignIn};
use overturn_core::accounts::tries::{self, Tries};
use overturn_core::base::totp::TotpSecret;
use overturn_core::plan::accounts::{LinkKind, PasswordTry};
use overturn_core::plan::{Actor, Write};
use overturn_core::request::error::RequestError;
use overturn_store::accounts::queries as account_queries;
use std::rc::Rc;

/// The first factor: a password. `402` with a continuation token if there is a second one.
///
/// 1. Is the body valid? `400`, `413`, `422`. Are there too many attempts or waiting hashes? `429`.
/// 2. Load the account of the address. Without an account, do the same work.
/// 3. Unknown or wrong: `401`, with an audit row after the answer.
/// 4. Write the continuation, or the session of an account that must first enroll.
pub(crate) async fn by_password(request: SignInRequest) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    let asked = call.parse::<SignIn>(&body?)?;
    let email_key = asked.email.key();
    let counted = sign_in_limits::CountedAccount { email_key: &email_key, device: device.as_deref() };
    let (tries, turn) = sign_in_limits::sign_in(&call, &counted).await?;

    let count = tries::count(PasswordTry::OfAddress(email_key.clone()));
    let queries = (
        account_queries::password_tries(&email_key),
        account_queries::account_of_address(&email_key),
        presented.map(|presented| account_queries::session(&presented.hash)),
    );
    let (attempts, account, standing) = pipeline::count_and_read(&call, count, &queries).await?;
    let standing = standing.flatten();
    let browser = browser(&call, standing.as_ref(), counted.device(&call).is_some());
    let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
    let check = turn.check(&call, &asked.password, hash);
    let allow = attempts.allow(call.app.settings.password_failures);
    // A refused attempt must not take longer if its password was right.
    let fresh = if allow { renewed(&call, &asked, check)? } else { None };
    let setting = SignInContext { browser, ..setting(&call)? };
    let passed = sign_in::by_password(account.as_ref(), allow, check, fresh, setting);
    match (passed, account) {
        (Ok(passed), _) => {
            if let Some(tries) = tries {
                tries.give_back(&call);
            }
            proceed(&call, passed).await
        }
        (Err(denied), account) => {
            if let Some(account) = account {
                let actor = Actor::User(account.user_id);
                let entry = sign_in::failure(&account, &call.place, &call.ctx);
                pipeline::record_in_background(&call, actor, vec![Write::Audit(entry)]);
                close(&call, &account, attempts, setting);
            }
            Err(denied.into())
        }
    }
}

/// A mailed link counts as the first factor, like a password. `402` if there is a second one.
pub(crate) async fn by_link(request: SignInRequest) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    sign_in_limits::link(&call).await?;
    let token = call.parse::<LinkPressed>(&body?)?.token;
    let session = presented.map(|presented| account_queries::session(&presented.hash));
    let queries = (account_queries::link(&token.hash()), session);
    let (stored, standing) = call.db.read(&queries).await?;
    let standing = standing.flatten();
    let opened = links::open(&call, &token, stored.as_ref(), LinkKind::SignIn)?;
    let counted = sign_in_limits::CountedAccount { email_key: &opened.account.email_key(), device: device.as_deref() };
    let setting = SignInContext {
        browser: browser(&call, standing.as_ref(), counted.device(&call).is_some()),
        ..setting(&call)?
    };
    proceed(&call, link::sign_in(&opened, setting)).await
}

/// Closes the password after the answer if this was one wrong password too many.
pub(crate) fn close(call: &Rc<Call>, account: &Account, attempts: Tries, setting: SignInContext<'_>) {
    let most = call.app.settings.password_failures;
    if let Some(change) = tries::close(account, attempts, most, setting) {
        pipeline::commit_in_background(call, Actor::User(account.user_id), change);
    }
}

/// The hash of a correct password under today's parameters, if the stored one has others.
fn renewed(call: &Call, asked: &SignIn, check: Check) -> Result<Option<String>, AppError> {
    if check != (Check::Right { outdated: true }) {
        return Ok(None);
    }
    // A failed renewal of the hash does not fail the sign-in.
    let turn = hashing::turn(call, 1, For::Known);
    Ok(turn.and_then(|turn| turn.hash(call, &asked.password)).ok())
}

/// The steps after a correct first factor.
pub(crate) async fn proceed(call: &Rc<Call>, passed: Passed) -> Result<Response, AppError> {
    let actor = Actor::User(passed.user_id);
    let response = pipeline::commit_signing_in(call, actor, passed.change).await?;
    match passed.ask {
        Some(token) => Err(RequestError::TwoFactorRequired(Some(token)).into()),
        None => Ok(response),
    }
}

/// The second factor completes a sign-in, or allows sensitive actions in a session.
///
/// 1. Is the body valid? `400`, `413`, `422`.
/// 2. Count the attempt and load its continuation, and the session of the request.
/// 3. Are there too many attempts on the account? `429`. Is anything wrong? `401`, with an audit row after the answer.
/// 4. Write the session or its new token, and mark the code or the challenge as used in the same batch.
///
/// `cookie` is that of a passkey's ceremony.
pub(crate) async fn by_second_factor(request: SignInRequest, cookie: Option<&str>) -> Result<Response, AppError> {
    let SignInRequest { call, presented, device, body } = request;
    let shown = call.parse::<PresentedFactor>(&body?)?;
    let hash = shown.token.hash();
    let ceremony = shown.proof.passkey().and_then(|_| passkeys::open_assertion(&call, cookie));
    let session = presented.as_ref();
    let queries = (
        account_queries::continuation(&hash),
        session.map(|presented| account_queries::session(&presented.hash)),
        shown.proof.passkey().map(|response| account_queries::passkey_of_credential(response.id())),
        passkeys::proof_is_spent(ceremony.as_ref()),
    );
    let count = second_factor::count_try(&shown);
    let (stored, standing, passkey, is_spent) = pipeline::count_and_read(&call, count, &queries).await?;
    let standing = standing.flatten();
    let again = standing.as_ref().zip(session).and_then(|(standing, presented)| {
        let id = standing.session_in_force(call.ctx.now)?;
        Some(second_factor::ConfirmingSession { id, proven: presented.is_proven() })
    });

    let Some(stored) = stored else {
        return Err(RequestError::SignInFailed.into());
    };
    let email_key = stored.account.email_key();
    let counted = sign_in_limits::CountedAccount { email_key: &email_key, device: device.as_deref() };
    sign_in_limits::code(&call, &counted).await?;
    let setting = SignInContext {
        browser: browser(&call, standing.as_ref(), counted.device(&call).is_some()),
        ..setting(&call)?
    };
    let user = stored.account.user_id;
    let opened = match shown.proof.passkey() {
        None => OpenedFactors { secret: opened(&call, &stored)?, passkey: None },
        Some(response) => {
            let passkey = passkey.flatten();
            let presented = PresentedAssertion {
                ceremony,
                used_for: AssertionUse::SecondFactor(user, &hash),
                response,
                stored: StoredAssertion { passkey: passkey.as_ref(), is_spent: is_spent.unwrap_or_default() },
            };
            OpenedFactors { secret: None, passkey: passkeys::accept(&call, presented, setting).await? }
        }
    };
    let fail = || {
        let entry = second_factor::failure(&shown, &stored, setting);
        pipeline::record_in_background(&call, Actor::User(user), vec![Write::Audit(entry)]);
    };
    match second_factor::show(&shown, &stored, opened, again, setting) {
        Ok(change) => {
            let done = pipeline::commit_signing_in(&call, Actor::User(user), change).await;
            if passkeys::is_overtaken(&done) {
                if shown.proof.passkey().is_some() {
                    passkeys::log_overtaken(&call);
                }
                fail();
            }
            let mut response = done?;
            after_commit::know_device(&call, &email_key, device.as_deref(), &mut response)?;
            if shown.proof.passkey().is_some() {
                passkeys::end(&mut response)?;
            }
            Ok(response)
        }
        Err(denied) => {
            fail();
            Err(denied.into())
        }
    }
}

/// The opened secret of the account's authenticator app.
fn opened(call: &Rc<Call>, stored: &StoredContinuation) -> Result<Option<TotpSecret>, AppError> {
    let user = stored.account.user_id;
    let factor = stored.factor.as_ref();
    let secret = factor.map(|factor| call.app.keys.open(user, factor));
    Ok(tampered::noted(call, secret.transpose())?)
}
