//! `/api/v1/auth/session`: signing in, reading the session, signing out.

use crate::accounts::sign_in as signing_in;
use crate::error::Refusal;
use crate::extract::{AnyBody, ReadRequest, SignInRequest, WriteRequest};
use axum::response::Response;
use overturn_core::accounts::{sessions, sign_in};
use overturn_core::auth::rights::Action;
use overturn_core::request::denied::Denied;
use overturn_store::accounts::queries;

/// `POST`: the first factor.
#[worker::send]
pub(crate) async fn sign_in(request: SignInRequest) -> Result<Response, Refusal> {
    signing_in::by_password(request).await
}

/// `POST …/2fa`: the second factor.
#[worker::send]
pub(crate) async fn second_factor(request: SignInRequest) -> Result<Response, Refusal> {
    signing_in::by_second_factor(request).await
}

/// `GET`: the signed-in person and the session.
#[worker::send]
pub(crate) async fn show(request: ReadRequest) -> Result<Response, Refusal> {
    let load = (
        queries::account_of_caller(request.credential()),
        queries::session_facts(request.credential()),
    );
    let view = request.show(Action::ReadSelf, load, |_, (account, session)| {
        let account = account.ok_or(Denied::NotSignedIn)?;
        Ok::<_, Denied>(sign_in::view(&account, session))
    });
    view.await
}

/// `POST …/logout`: ends the session and removes its cookie.
#[worker::send]
pub(crate) async fn sign_out(request: WriteRequest<AnyBody>) -> Result<Response, Refusal> {
    let decide = request.change(Action::SignOut, (), |person, (), _| {
        sessions::sign_out(person, request.credential(), request.ctx())
    });
    decide.await
}
