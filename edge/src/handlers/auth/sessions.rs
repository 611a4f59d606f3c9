//! `/api/v1/auth/sessions`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{IfNoneMatch, Once, PageOf, PathId, Presented};
use crate::pipeline;
use axum::Extension;
use axum::response::Response;
use overturn_core::accounts::sessions;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::SessionId;
use overturn_store::accounts::queries;
use std::sync::Arc;

/// `GET`: a page of the person's own sessions that last.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::sessions(&presented.hash, page, call.ctx.now);
    let asked = (&presented, &known);
    pipeline::list(
        &call,
        asked,
        Action::ListSessions,
        page,
        (load, sessions::list),
    )
    .await
}

/// `DELETE …/{id}`: ends one of them, at once.
#[worker::send]
pub(crate) async fn revoke(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = queries::own_session(&presented.hash, SessionId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    pipeline::change(
        &call,
        asked,
        Action::RevokeSessions,
        load,
        |person, stored, _| {
            Ok(sessions::revoke(
                stored,
                &presented.hash,
                person,
                &call.ctx,
            )?)
        },
    )
    .await
}

/// `DELETE`: ends all of them but the one that asks.
#[worker::send]
pub(crate) async fn revoke_others(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
) -> Result<Response, Refusal> {
    let asked = (&presented, &once, &Ok(Vec::new()));
    pipeline::change(&call, asked, Action::RevokeSessions, (), |person, _, _| {
        Ok(sessions::revoke_others(person, &call.ctx)?)
    })
    .await
}
