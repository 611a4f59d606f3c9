//! `/api/v1/auth/invitation`: joining a practice.

use crate::accounts::invitation;
use crate::error::AppError;
use crate::extract::SignInRequest;
use axum::response::Response;

/// `POST …/preview`: what the invitation invites to.
#[worker::send]
pub(crate) async fn preview(request: SignInRequest) -> Result<Response, AppError> {
    invitation::preview(request).await
}

/// `POST`: the invited person joins.
#[worker::send]
pub(crate) async fn accept(request: SignInRequest) -> Result<Response, AppError> {
    invitation::accept(request).await
}
