//! Joining a practice by an invitation.

use super::context::setting;
use super::{links, passwords};
use crate::error::AppError;
use crate::extract::SignInRequest;
use crate::pipeline;
use crate::response::Response;
use crate::sign_in_limits;
use overturn_core::accounts::invitation::{self, AcceptedInvitation};
use overturn_core::accounts::new_password;
use overturn_core::plan::Actor;
use overturn_core::plan::accounts::LinkKind;

/// The invited person joins. They sign in with their password afterward, and enroll a second factor.
pub(crate) async fn accept(request: SignInRequest) -> Result<Response, AppError> {
    let SignInRequest { call, body, .. } = request;
    sign_in_limits::link(&call).await?;
    let joining = call.parse::<AcceptedInvitation>(&body?)?;
    let stored = links::stored(&call, &joining.token).await?;
    let opened = links::open(&call, &joining.token, stored.as_ref(), LinkKind::Invitation)?;
    new_password::suits(&joining.password, "password", opened.account, &joining.name)?;
    let hash = passwords::hash(&call, &joining.password).await?;
    let change = invitation::join(&opened, joining.name, hash, setting(&call)?);
    pipeline::commit_signing_in(&call, Actor::User(opened.account.user_id), change).await
}
