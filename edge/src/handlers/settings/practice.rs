//! `/api/v1/settings/practice`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, Presented};
use crate::pipeline;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::settings::practice;
use overturn_store::settings::queries;
use std::sync::Arc;

/// `GET`: the practice's settings.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
) -> Result<Response, Refusal> {
    let load = queries::practice(&presented.hash);
    let asked = (&presented, &known);
    pipeline::read(&call, asked, Action::ReadPractice, load, |_, stored| {
        Ok(practice::show(stored)?)
    })
    .await
}

/// `PATCH`: changes some of them.
#[worker::send]
pub(crate) async fn edit(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = queries::practice(&presented.hash);
    let action = practice::action(body.as_deref().unwrap_or_default());
    let asked = (&presented, &once, &body);
    pipeline::change(&call, asked, action, load, |person, stored, body| {
        let edit = practice::parse(body)?;
        Ok(practice::edit(edit, stored, person, &call.ctx)?)
    })
    .await
}
