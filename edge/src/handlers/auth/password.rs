//! `/api/v1/auth/password_reset` and `/api/v1/auth/password`: a new password.

use super::links;
use super::session::{close, setting};
use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, Once, Presented};
use crate::hashing::{self, For};
use crate::pipeline;
use crate::sign_in_limits;
use axum::Extension;
use axum::response::Response;
use overturn_core::accounts::link;
use overturn_core::accounts::new_password::{self, Renewal};
use overturn_core::accounts::password::{Check, Password};
use overturn_core::accounts::sign_in::{Account, SessionFacts};
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::plan::accounts::LinkKind;
use overturn_core::plan::{Actor, Write};
use overturn_core::request::denied::Denied;
use overturn_store::accounts::queries;
use std::sync::Arc;

/// `POST /api/v1/auth/password_reset`: a letter with a link, where the address has an account.
#[worker::send]
pub(crate) async fn send(
    Extension(call): Extension<Arc<Call>>,
    body: Body,
) -> Result<Response, Refusal> {
    links::ask(&call, body, link::send_password_reset).await
}

/// `POST …/confirm`: the password of the account of a link. Nobody is signed in by it.
#[worker::send]
pub(crate) async fn reset(
    Extension(call): Extension<Arc<Call>>,
    Body(body): Body,
) -> Result<Response, Refusal> {
    sign_in_limits::link(&call).await?;
    let asked = new_password::parse_reset(&body?)?;
    let stored = links::stored(&call, &asked.token).await?;
    let opened = links::open(
        &call,
        &asked.token,
        stored.as_ref(),
        LinkKind::PasswordReset,
    )?;
    let account = opened.account;
    new_password::suits(&asked.password, "password", account, &account.name)?;
    let hash = hash(&call, &asked.password).await?;
    let change = new_password::reset(&opened, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(opened.account.user_id), change).await
}

/// `POST /api/v1/auth/password`: another password for who is signed in, who has to know the one so far.
#[worker::send]
pub(crate) async fn change(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let setting = setting(&call)?;
    let load = (
        queries::account_of_caller(&presented.hash),
        queries::session_facts(&presented.hash),
    );
    let asked = (&presented, &once, &body);
    // Of many attempts at once no more are compared than are allowed, since each is counted first.
    let attempt = |person: &Person, rows: &Facts, body: &[u8]| {
        let tried = renewal(rows.0.as_ref(), body).is_ok();
        tried.then(|| queries::count_password_try_of(person.user_id))
    };
    pipeline::change_counted(
        &call,
        asked,
        Action::ChangePassword,
        (load, attempt),
        |person, ((account, session), attempts), body| {
            let (renewal, account) = renewal(account.as_ref(), body)?;
            let session = session.ok_or(Denied::NotSignedIn)?;
            // The turn is not waited for, since a decision cannot wait. It pushes back those that come later.
            let turn = hashing::turn(&call, 2, For::Known)?;
            let check = turn.check(&call, &renewal.current, account.password_hash.as_deref());
            let attempts = attempts
                .flatten()
                .ok_or(Refusal::Internal("attempt not counted"))?;
            let allow = attempts.allow(call.app.settings.password_failures);
            let check = if allow { check } else { Check::Wrong };
            if let Err(wrong) = new_password::check(check) {
                let entry = new_password::failure(person, setting);
                pipeline::record_in_background(
                    &call,
                    Actor::from(person),
                    vec![Write::Audit(entry)],
                );
                close(&call, account, attempts, setting);
                return Err(wrong.into());
            }
            let hash = turn.hash(&call, &renewal.new)?;
            let changed = new_password::change(account, &session, hash, person, setting);
            Ok(changed?)
        },
    )
    .await
}

/// What is loaded of who is signed in.
type Facts = (Option<Account>, Option<SessionFacts>);

/// The passwords of a body, where the new one suits the account that acts, and that account.
fn renewal<'a>(
    account: Option<&'a Account>,
    body: &[u8],
) -> Result<(Renewal, &'a Account), Refusal> {
    let renewal = new_password::parse_renewal(body)?;
    let account = account.ok_or(Denied::NotSignedIn)?;
    new_password::suits(&renewal.new, "new_password", account, &account.name)?;
    Ok((renewal, account))
}

/// The hash of a new password. It is computed between two batches and never beside one, whose time would run out in the meantime.
pub(super) async fn hash(call: &Call, password: &Password) -> Result<String, Refusal> {
    let turn = hashing::turn(call, 1, For::Known)?;
    turn.come(call).await;
    turn.hash(call, password)
}
