//! `/api/v1/auth/magic_link`: signing in by a link.

use super::links;
use super::session::{browser, proceed, setting};
use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, DeviceCookie, MaybePresented};
use crate::sign_in_limits;
use axum::Extension;
use axum::response::Response;
use overturn_core::accounts::link::{self};
use overturn_core::accounts::sign_in::SignInContext;
use overturn_core::plan::accounts::LinkKind;
use overturn_store::accounts::queries as account_queries;
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
    MaybePresented(presented): MaybePresented,
    DeviceCookie(device): DeviceCookie,
    Body(body): Body,
) -> Result<Response, Refusal> {
    sign_in_limits::link(&call).await?;
    let token = link::parse_pressed(&body?)?;
    let session = presented.map(|presented| account_queries::session(&presented.hash));
    let queries = (account_queries::link(&token.hash()), session);
    let (stored, standing) = call.db.read(&queries).await?;
    let standing = standing.flatten();
    let opened = links::open(&call, &token, stored.as_ref(), LinkKind::SignIn)?;
    let counted = sign_in_limits::Account {
        email_key: &opened.account.email_key(),
        device: device.as_deref(),
    };
    let setting = SignInContext {
        browser: browser(&call, standing.as_ref(), counted.device(&call).is_some()),
        ..setting(&call)?
    };
    proceed(&call, link::sign_in(&opened, setting)).await
}
