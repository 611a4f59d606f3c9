//! New passwords.

use super::context::setting;
use super::links;
use crate::call::Call;
use crate::error::Refusal;
use crate::extract::SignInRequest;
use crate::hashing::{self, For};
use crate::pipeline;
use crate::sign_in_limits;
use axum::response::Response;
use overturn_core::accounts::new_password;
use overturn_core::accounts::password::Password;
use overturn_core::plan::Actor;
use overturn_core::plan::accounts::LinkKind;

/// Sets the password of a link's account. It does not sign in.
pub(crate) async fn reset(request: SignInRequest) -> Result<Response, Refusal> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let asked = new_password::parse_reset(&body?)?;
    let stored = links::stored(&call, &asked.token).await?;
    let opened = links::open(
        &call,
        &asked.token,
        stored.as_ref(),
        LinkKind::PasswordReset,
    )?;
    let account = opened.account;
    new_password::suits(&asked.password, "password", account, &account.name)?;
    let hash = hash(&call, &asked.password).await?;
    let change = new_password::reset(&opened, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(opened.account.user_id), change).await
}

/// The hash of a new password. It is computed between two batches and never during one, because the batch would time
/// out.
pub(crate) async fn hash(call: &Call, password: &Password) -> Result<String, Refusal> {
    let turn = hashing::turn(call, 1, For::Known)?;
    turn.come(call).await;
    turn.hash(call, password)
}
