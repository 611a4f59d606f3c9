//! `/api/v1/auth/password_reset` and `/api/v1/auth/password`: a new password.

use crate::accounts::{links, passwords};
use crate::error::Refusal;
use crate::extract::{SignInRequest, WriteRequest};
use axum::response::Response;
use overturn_core::accounts::link;
use overturn_core::accounts::new_password::Renewal;

/// `POST /api/v1/auth/password_reset`: a letter with a link, if the address has an account.
#[worker::send]
pub(crate) async fn send(request: SignInRequest) -> Result<Response, Refusal> {
    links::ask(request, link::send_password_reset).await
}

/// `POST …/confirm`: the password of the account of a link.
#[worker::send]
pub(crate) async fn reset(request: SignInRequest) -> Result<Response, Refusal> {
    passwords::reset(request).await
}

/// `POST /api/v1/auth/password`: another password for the person who is signed in and knows the present one.
#[worker::send]
pub(crate) async fn change(request: WriteRequest<Renewal>) -> Result<Response, Refusal> {
    passwords::change(request).await
}
