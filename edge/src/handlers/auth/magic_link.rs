//! `/api/v1/auth/magic_link`: signing in by a link.

use super::links;
use super::session::{proceed, setting};
use crate::app::Call;
use crate::error::Refusal;
use crate::extract::Body;
use crate::gate;
use axum::Extension;
use axum::response::Response;
use overturn_core::account::LinkKind;
use overturn_core::link;
use std::sync::Arc;

/// `POST`: a letter with a link, where the address has an account.
#[worker::send]
pub(crate) async fn send(
    Extension(call): Extension<Arc<Call>>,
    body: Body,
) -> Result<Response, Refusal> {
    links::ask(&call, body, link::send_sign_in).await
}

/// `POST …/verify`: the link is the first factor, as a password is. `402` where there is a second one.
#[worker::send]
pub(crate) async fn verify(
    Extension(call): Extension<Arc<Call>>,
    Body(body): Body,
) -> Result<Response, Refusal> {
    gate::link(&call).await?;
    let token = link::parse_pressed(&body?)?;
    let stored = links::stored(&call, &token).await?;
    let opened = links::open(&call, &token, stored.as_ref(), LinkKind::SignIn)?;
    proceed(&call, link::sign_in(&opened, setting(&call)?)).await
}
