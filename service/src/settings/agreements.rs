//! `/api/v1/settings/agreements`.

use crate::error::AppError;
use crate::extract::{PathId, ReadRequest, WriteRequest};
use crate::response::Response;
use overturn_core::base::id::AgreementId;
use overturn_core::settings::agreements::{self, AgreementSignature};
use overturn_store::settings::{data_jobs, queries};

/// `GET`: the agreements, with the practice's signatures.
pub(crate) async fn list(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::agreements(request.credential());
    let view = request.show(load, |person, history| Ok::<_, AppError>(agreements::list(history, person)));
    view.await
}

/// `POST`: signs one.
pub(crate) async fn sign(request: WriteRequest<AgreementSignature>) -> Result<Response, AppError> {
    let load = (queries::agreements(request.credential()), data_jobs::destruction_open(request.credential()));
    let decide = request.change(load, |person, (history, destruction), signature| {
        let (signed, signer) = ((&*history, destruction), (person, &*request.call.place.ip));
        agreements::sign(signature, signed, signer, request.ctx())
    });
    decide.await
}

/// `POST …/{id}/end`: ends one at once.
pub(crate) async fn end(PathId(id): PathId<AgreementId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::agreements(request.credential());
    let decide = request.change(load, |person, history, _| agreements::end(id, history, person, request.ctx()));
    decide.await
}
