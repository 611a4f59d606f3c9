//! `/api/v1/settings/practice`.

use crate::error::AppError;
use crate::extract::{IfMatch, ReadRequest, WriteRequest};
use crate::pipeline::Versioned;
use crate::response::Response;
use overturn_core::settings::practice::{self, AskedEdit};
use overturn_store::settings::queries;

/// `GET`: the practice's settings.
pub(crate) async fn show(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::practice(request.credential(), request.ctx().now);
    let view = request.show_versioned(load, |_, stored| {
        let body = practice::show(stored)?;
        Ok(Versioned { version: body.version, body })
    });
    view.await
}

/// `PATCH`: changes some of them.
pub(crate) async fn edit(IfMatch(seen): IfMatch, request: WriteRequest<AskedEdit>) -> Result<Response, AppError> {
    let load = queries::practice(request.credential(), request.ctx().now);
    let action = practice::action(request.body().ok().as_ref());
    let request = request.needing(action);
    let decide =
        request.change(load, |person, stored, edit| practice::edit(edit, (stored, seen), person, request.ctx()));
    decide.await
}
