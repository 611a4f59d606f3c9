//! `/api/v1/auth/invitation`: joining a practice.

use super::session::setting;
use super::{links, password};
use crate::app::Call;
use crate::error::Refusal;
use crate::extract::Body;
use crate::pipeline;
use crate::sign_in_limits;
use axum::Extension;
use axum::response::Response;
use overturn_core::accounts::{invitation, new_password};
use overturn_core::plan::Actor;
use overturn_core::plan::accounts::LinkKind;
use std::sync::Arc;

/// `POST`: the invited person joins. They sign in with their password afterwards, and enrol a second factor.
#[worker::send]
pub(crate) async fn accept(
    Extension(call): Extension<Arc<Call>>,
    Body(body): Body,
) -> Result<Response, Refusal> {
    sign_in_limits::link(&call).await?;
    let joining = invitation::parse(&body?)?;
    let stored = links::stored(&call, &joining.token).await?;
    let opened = links::open(&call, &joining.token, stored.as_ref(), LinkKind::Invitation)?;
    new_password::suits(&joining.password, "password", opened.account, &joining.name)?;
    let hash = password::hash(&call, &joining.password).await?;
    let change = invitation::join(&opened, joining.name, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(opened.account.user_id), change).await
}
