//! `/api/v1/settings/audit`, and `/api/v1/staff/audit` for the staff's own trail.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{IfNoneMatch, PageOf, Presented};
use crate::pipeline;
use crate::trail;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::settings::trail::{Export, Start, Trail, events};
use overturn_store::settings::queries;
use overturn_store::settings::trail as store;

use std::sync::Arc;

/// `GET`: a page of the practice's trail.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::audit(&presented.hash, page);
    let asked = (&presented, &known);
    pipeline::list(&call, asked, Action::ReadAudit, page, (load, events::list)).await
}

/// `GET …/verify`: whether the practice's trail is as it was written.
#[worker::send]
pub(crate) async fn verify(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    start: PageOf<Start>,
) -> Result<Response, Refusal> {
    verify_as(&call, (&presented, &known), Action::ReadAudit, start).await
}

/// `GET …/export`: the practice's trail as lines of JSON.
#[worker::send]
pub(crate) async fn export(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf<Export>,
) -> Result<Response, Refusal> {
    export_as(&call, (&presented, &known), Action::ReadAudit, page).await
}

/// `GET /api/v1/staff/audit`: a page of the staff's own trail.
#[worker::send]
pub(crate) async fn list_staff(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let asked = (&presented, &known);
    let view = (store::of_staff, events::list);
    pipeline::list(&call, asked, Action::ReadStaffAudit, page, view).await
}

/// `GET …/verify`: whether the staff's own trail is as it was written.
#[worker::send]
pub(crate) async fn verify_staff(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    start: PageOf<Start>,
) -> Result<Response, Refusal> {
    verify_as(&call, (&presented, &known), Action::ReadStaffAudit, start).await
}

/// `GET …/export`: the staff's own trail as lines of JSON.
#[worker::send]
pub(crate) async fn export_staff(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf<Export>,
) -> Result<Response, Refusal> {
    export_as(&call, (&presented, &known), Action::ReadStaffAudit, page).await
}

/// The trail is that of the person's practice; the staff have no practice, and a trail of their own.
async fn verify_as(
    call: &Arc<Call>,
    (presented, known): (&Presented, &IfNoneMatch),
    action: Action,
    start: PageOf<Start>,
) -> Result<Response, Refusal> {
    let person = pipeline::caller(call, presented, action).await?;
    let Start(from) = start.page?;
    let found = trail::check(&call.app, &call.db, Trail(person.practice_id), from).await?;
    // What core answers has text for every key.
    let body = serde_json::to_string(&found).unwrap_or_default();
    Ok(pipeline::tagged(known, body))
}

async fn export_as(
    call: &Arc<Call>,
    (presented, known): (&Presented, &IfNoneMatch),
    action: Action,
    page: PageOf<Export>,
) -> Result<Response, Refusal> {
    let person = pipeline::caller(call, presented, action).await?;
    let of = page.page.clone()?;
    let trail = Trail(person.practice_id);
    let (lines, last) = trail::export(&call.app, &call.db, trail, of).await?;
    let next = last.map(|last| page.next(&last.to_string()));
    pipeline::linked(pipeline::tagged_lines(known, lines), next)
}
