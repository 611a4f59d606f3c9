//! `/api/v1/settings/documents`.

use crate::error::AppError;
use crate::extract::{IfMatch, ReadRequest, WriteRequest};
use crate::pipeline::Versioned;
use crate::response::Response;
use overturn_core::documents::retention::{self, SettingsEdit};
use overturn_store::documents::queries;

/// `GET`: how long the practice keeps documents.
pub(crate) async fn show(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::settings(request.credential());
    let view = request.show_versioned(load, |_, body| Ok(Versioned { version: body.version, body }));
    view.await
}

/// `PATCH`: changes it.
pub(crate) async fn edit(IfMatch(seen): IfMatch, request: WriteRequest<SettingsEdit>) -> Result<Response, AppError> {
    let load = queries::settings(request.credential());
    let decide =
        request.change(load, |person, stored, edit| retention::edit(edit, (stored, seen), person, request.ctx()));
    decide.await
}
