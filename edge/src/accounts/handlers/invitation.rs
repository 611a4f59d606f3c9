//! `/api/v1/auth/invitation`: joining a practice.

use crate::accounts::invitation;
use crate::error::Refusal;
use crate::extract::SignInRequest;
use axum::response::Response;

/// `POST`: the invited person joins.
#[worker::send]
pub(crate) async fn accept(request: SignInRequest) -> Result<Response, Refusal> {
    invitation::accept(request).await
}
