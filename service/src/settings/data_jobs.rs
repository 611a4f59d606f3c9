//! `/api/v1/settings/data_jobs`.

pub(crate) mod letters;
mod records;
mod sweep;

pub(crate) use sweep::sweep;

use crate::error::AppError;
use crate::extract::{PathId, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::base::id::DataJobId;
use overturn_core::request::page::Page;
use overturn_core::settings::data_jobs::{self, JobRequest};
use overturn_store::settings::data_jobs as store;
use overturn_store::settings::data_keys;

/// `GET`: a page of the practice's jobs.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let load = |page| store::list(request.credential(), page);
    request.list(load, data_jobs::list).await
}

/// `POST`: requests a return or a destruction.
pub(crate) async fn request(request: WriteRequest<JobRequest>) -> Result<Response, AppError> {
    let wait = request.call.app.settings.destruction_wait_ms;
    let load = store::basis_of_caller(request.credential());
    let decide = request.change(load, |person, basis, order| {
        let basis = basis.ok_or(AppError::Internal("an owner without a practice"))?;
        let actor = data_jobs::actor(person);
        let change = data_jobs::request(&order, basis, wait, actor, request.ctx());
        change.map_err(AppError::from)
    });
    decide.await
}

/// `GET …/{id}`: the progress of a job, and its report when it is done.
pub(crate) async fn show(PathId(id): PathId<DataJobId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = store::of_caller(request.credential(), id);
    request.show(load, |_, stored| data_jobs::show(stored)).await
}

/// `POST …/{id}/cancel`: cancels a return, or a destruction that has not begun.
pub(crate) async fn cancel(PathId(id): PathId<DataJobId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = store::of_caller(request.credential(), id);
    let decide = request.change(load, |_, stored, _| data_jobs::cancel(stored, request.ctx()));
    decide.await
}

/// `GET …/{id}/records?cursor=CURSOR`: a page of the practice's data as NDJSON, including patients. Its audit row is
/// committed before its first byte.
pub(crate) async fn records(PathId(id): PathId<DataJobId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = (
        store::of_caller(request.credential(), id),
        data_keys::of_caller(request.credential()),
        store::destroying(request.credential()),
    );
    let take = async |(job, data_key, destroying)| records::take(&request.call, (job, destroying), data_key).await;
    request.export(load, take).await
}
