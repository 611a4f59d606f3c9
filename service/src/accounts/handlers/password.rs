//! `/api/v1/auth/password_reset` and `/api/v1/auth/password`: a new password.

use crate::accounts::{links, passwords};
use crate::error::AppError;
use crate::extract::{SignInRequest, WriteRequest};
use crate::response::Response;
use overturn_core::accounts::link;
use overturn_core::accounts::new_password::{self, Renewal};
use overturn_core::plan::accounts::LinkKind;

/// `POST /api/v1/auth/password_reset`: emails a link if the address has an account.
pub(crate) async fn send(request: SignInRequest) -> Result<Response, AppError> {
    links::ask(request, link::send_password_reset).await
}

/// `POST …/preview`: whose password the link resets.
pub(crate) async fn preview(request: SignInRequest) -> Result<Response, AppError> {
    links::preview(request, LinkKind::PasswordReset, new_password::view).await
}

/// `POST …/confirm`: sets the password of the link's account.
pub(crate) async fn reset(request: SignInRequest) -> Result<Response, AppError> {
    passwords::reset(request).await
}

/// `POST /api/v1/auth/password`: changes the password of a signed-in person who knows the current one.
pub(crate) async fn change(request: WriteRequest<Renewal>) -> Result<Response, AppError> {
    passwords::change(request).await
}
