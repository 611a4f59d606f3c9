//! `/api/v1/staff/practices/{practice}/reports`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathIds, Presented};
use crate::pipeline;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ReportId;
use overturn_core::work::reports;
use overturn_store::work::queries;
use std::sync::Arc;

/// `GET`: a page of the practice's reports.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathIds(practice, _): PathIds,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::reports(practice, page);
    let asked = (&presented, &known);
    let action = Action::ReadWork;
    pipeline::list(&call, asked, action, page, (load, reports::list)).await
}

/// `GET …/{id}`: one report with its claims.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathIds(practice, id): PathIds,
) -> Result<Response, Refusal> {
    let load = queries::report(practice, ReportId(id));
    let asked = (&presented, &known);
    pipeline::read(&call, asked, Action::ReadWork, load, |_, stored| {
        Ok(reports::show(stored)?)
    })
    .await
}

/// `POST`: delivers a report.
#[worker::send]
pub(crate) async fn deliver(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathIds(practice, _): PathIds,
    Body(body): Body,
) -> Result<Response, Refusal> {
    // What the body says wrongly, only a caller that may deliver is told.
    let named = reports::parse(body.as_deref().unwrap_or_default());
    let load = named.ok().map(|ids| queries::claims(practice, &ids));
    let asked = (&presented, &once, &body);
    pipeline::change(&call, asked, Action::Work, load, |person, found, body| {
        reports::parse(body)?;
        let found = found.unwrap_or_default();
        Ok(reports::deliver(practice, found, person, &call.ctx)?)
    })
    .await
}
