//! `/api/v1/auth/magic_link`: signing in with a mailed link.

use crate::accounts::{links, sign_in};
use crate::error::AppError;
use crate::extract::SignInRequest;
use crate::response::Response;
use overturn_core::accounts::link;

/// `POST`: emails a link if the address has an account.
pub(crate) async fn send(request: SignInRequest) -> Result<Response, AppError> {
    links::ask(request, link::send_sign_in).await
}

/// `POST …/verify`: signs in with the link.
pub(crate) async fn verify(request: SignInRequest) -> Result<Response, AppError> {
    sign_in::by_link(request).await
}
