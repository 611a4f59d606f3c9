//! `/api/v1/settings/data_jobs`.

use crate::app::Call;
use crate::data;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PageOf, PathId, Presented};
use crate::pipeline;
use axum::Extension;
use axum::http::Uri;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::DataJobId;
use overturn_core::settings::data_jobs::{self, export};
use overturn_store::settings::data_jobs as store;
use overturn_store::settings::data_keys as practice_keys;

use std::sync::Arc;

/// `GET`: a page of the practice's jobs.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| store::list(&presented.hash, page);
    let asked = (&presented, &known);
    let action = Action::ReadDataJobs;
    pipeline::list(&call, asked, action, page, (load, data_jobs::list)).await
}

/// `POST`: requests a return or a destruction.
#[worker::send]
pub(crate) async fn request(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = store::basis_of_caller(&presented.hash);
    let asked = (&presented, &once, &body);
    let action = Action::ManageDataJobs;
    pipeline::change(&call, asked, action, load, |person, basis, body| {
        let order = data_jobs::parse(body)?;
        let basis = basis.ok_or(Refusal::Internal("an owner without a practice"))?;
        let wait = call.app.settings.destruction_wait_ms;
        let actor = data_jobs::actor(person);
        Ok(data_jobs::request(&order, basis, wait, actor, &call.ctx)?)
    })
    .await
}

/// `GET …/{id}`: how far a job is, and its report once it is done.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = store::of_caller(&presented.hash, DataJobId(id));
    let asked = (&presented, &known);
    pipeline::read(&call, asked, Action::ReadDataJobs, load, |_, stored| {
        Ok(data_jobs::show(stored)?)
    })
    .await
}

/// `POST …/{id}/cancel`: stops a return, or a destruction that has not begun.
#[worker::send]
pub(crate) async fn cancel(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = store::of_caller(&presented.hash, DataJobId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::ManageDataJobs;
    pipeline::change(&call, asked, action, load, |_, stored, _| {
        Ok(data_jobs::cancel(stored, &call.ctx)?)
    })
    .await
}

/// `GET …/{id}/records?cursor=CURSOR`: a page of the practice's data as NDJSON, patients included. That it is given is in the
/// trail before its first byte.
#[worker::send]
pub(crate) async fn records(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    PathId(id): PathId,
    uri: Uri,
) -> Result<Response, Refusal> {
    let load = (
        store::of_caller(&presented.hash, DataJobId(id)),
        practice_keys::of_caller(&presented.hash),
        store::destroying(&presented.hash),
    );
    let action = Action::TakeData;
    pipeline::export(&call, &presented, action, load, async |rows| {
        let (job, data_key, destroying) = rows;
        let cursor = data::cursor(&uri)?;
        let turn = export::turn(job, destroying, cursor.as_deref())?;
        let page = data::page(&call, &turn, data_key.as_ref()).await?;
        let change = export::settle(&turn, &page, &call.ctx)?;
        Ok((change, data::respond(&uri, page)?))
    })
    .await
}
