//! `/api/v1/auth/invitation`: joining a practice.

use crate::accounts::{invitation, links};
use crate::error::AppError;
use crate::extract::SignInRequest;
use crate::response::Response;
use overturn_core::accounts::invitation as joining;
use overturn_core::plan::accounts::LinkKind;

/// `POST …/preview`: what the invitation invites to.
pub(crate) async fn preview(request: SignInRequest) -> Result<Response, AppError> {
    links::preview(request, LinkKind::Invitation, joining::view).await
}

/// `POST`: the invited person joins.
pub(crate) async fn accept(request: SignInRequest) -> Result<Response, AppError> {
    invitation::accept(request).await
}
