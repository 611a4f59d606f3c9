//! New passwords.

use super::context::setting;
use super::links;
use super::sign_in::close;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{SignInRequest, WriteRequest};
use crate::hashing::{self, For};
use crate::pipeline;
use crate::response::Response;
use crate::sign_in_limits;
use overturn_core::accounts::account::{Account, SessionFacts};
use overturn_core::accounts::new_password::{self, Renewal, Reset};
use overturn_core::accounts::password::{Check, Password};
use overturn_core::accounts::tries::{self, Tries};
use overturn_core::auth::person::Person;
use overturn_core::plan::accounts::{LinkKind, PasswordTry};
use overturn_core::plan::{Actor, Write};
use overturn_core::request::error::RequestError;
use overturn_store::accounts::queries;

/// Sets the password of a link's account. It does not sign in.
pub(crate) async fn reset(request: SignInRequest) -> Result<Response, AppError> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let asked = call.parse::<Reset>(&body?)?;
    let stored = links::stored(&call, &asked.token).await?;
    let opened = links::open(&call, &asked.token, stored.as_ref(), LinkKind::PasswordReset)?;
    let account = opened.account;
    new_password::suits(&asked.password, "password", account, &account.name)?;
    let hash = hash(&call, &asked.password).await?;
    let change = new_password::reset(&opened, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(opened.account.user_id), change).await
}

/// Changes the password of a person who is signed in and knows the current one.
pub(crate) async fn change(request: WriteRequest<Renewal>) -> Result<Response, AppError> {
    let call = &request.call;
    let setting = setting(call)?;
    let load = (queries::account_of_caller(request.credential()), queries::session_facts(request.credential()));
    // Each attempt is counted before it is compared, so parallel attempts cannot exceed the limit.
    let attempt = |person: &Person, rows: &AccountAndSession, renewal: Renewal| {
        let suits = suited(rows.0.as_ref(), &renewal).is_ok();
        suits.then(|| {
            let user = person.user_id;
            let count = tries::count(PasswordTry::OfAccount(user));
            (count, queries::password_tries_of(user))
        })
    };
    let decide = |person: &Person, ((account, session), attempts): (AccountAndSession, Option<Tries>), renewal| {
        let account = suited(account.as_ref(), &renewal)?;
        let session = session.ok_or(RequestError::NotSignedIn)?;
        // A decision cannot wait for its turn. It takes the turn at once, and later hashes wait longer.
        let turn = hashing::turn(call, 2, For::Known)?;
        let check = turn.check(call, &renewal.current_password, account.password_hash.as_deref());
        let attempts = attempts.ok_or(AppError::Internal("attempt not counted"))?;
        let allow = attempts.allow(call.app.settings.password_failures);
        let check = if allow { check } else { Check::Wrong };
        if let Err(wrong) = new_password::check(check) {
            let entry = vec![Write::Audit(new_password::failure(person, setting))];
            pipeline::record_in_background(call, Actor::from(person), entry);
            close(call, account, attempts, setting);
            return Err(wrong.into());
        }
        let hash = turn.hash(call, &renewal.new_password)?;
        Ok(new_password::change(account, &session, hash, person, setting)?)
    };
    request.change_counted(load, attempt, decide).await
}

/// The loaded facts about the person.
type AccountAndSession = (Option<Account>, Option<SessionFacts>);

/// The acting account, if it may have the new password.
fn suited<'a>(account: Option<&'a Account>, renewal: &Renewal) -> Result<&'a Account, RequestError> {
    let account = account.ok_or(RequestError::NotSignedIn)?;
    new_password::suits(&renewal.new_password, "new_password", account, &account.name)?;
    Ok(account)
}

/// The hash of a new password. It is computed between two batches and never during one, because the time limit of the
/// batch would pass.
pub(crate) async fn hash(call: &Call, password: &Password) -> Result<String, AppError> {
    let turn = hashing::turn(call, 1, For::Known)?;
    turn.come(call).await;
    turn.hash(call, password)
}
