//! `/api/v1/auth/magic_link`: signing in with a mailed link.

use crate::accounts::{links, sign_in};
use crate::error::Refusal;
use crate::extract::SignInRequest;
use axum::response::Response;
use overturn_core::accounts::link;

/// `POST`: emails a link if the address has an account.
#[worker::send]
pub(crate) async fn send(request: SignInRequest) -> Result<Response, Refusal> {
    links::ask(request, link::send_sign_in).await
}

/// `POST …/verify`: signs in with the link.
#[worker::send]
pub(crate) async fn verify(request: SignInRequest) -> Result<Response, Refusal> {
    sign_in::by_link(request).await
}
