//! `/api/v1/staff/practices/{practice}/reports`.

use crate::app::Call;
use crate::door::{self, Json};
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathIds, Presented};
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ReportId;
use overturn_core::work::reports;
use overturn_store::{load, rows};
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
    let load = |page| load::work::reports(practice, page);
    let asked = (&presented, &known);
    let action = Action::ReadWork;
    door::list(&call, asked, action, page, (load, reports::list)).await
}

/// `GET …/{id}`: one report with its claims.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathIds(practice, id): PathIds,
) -> Result<Response, Refusal> {
    let load = vec![load::work::report(practice, ReportId(id))];
    let asked = (&presented, &known);
    door::read(&call, asked, Action::ReadWork, load, |_, read| {
        Ok(reports::show(rows::one(read.json(0))?)?)
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
    let load = named.iter().map(|ids| load::work::claims(practice, ids));
    let load: Vec<_> = load.collect();
    let asked = (&presented, &once, &body);
    door::change(&call, asked, Action::Work, load, |person, read, body| {
        reports::parse(body)?;
        let found = rows::one(read.json(0))?.unwrap_or_default();
        Ok(reports::deliver(practice, found, person, &call.ctx)?)
    })
    .await
}
