//! `/api/v1/settings/documents`.

use crate::error::AppError;
use crate::extract::{ReadRequest, WriteRequest, parse_body};
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::documents::retention::{self, SettingsEdit};
use overturn_store::documents::queries;

parse_body! {
    SettingsEdit = |body, _| retention::parse(body);
}

/// `GET`: how long the practice keeps documents.
#[worker::send]
pub(crate) async fn show(request: ReadRequest) -> Result<Response, AppError> {
    let load = queries::settings(request.credential());
    request
        .show(Action::ReadPractice, load, |_, stored| {
            Ok::<_, AppError>(stored)
        })
        .await
}

/// `PATCH`: changes it.
#[worker::send]
pub(crate) async fn edit(request: WriteRequest<SettingsEdit>) -> Result<Response, AppError> {
    let load = queries::settings(request.credential());
    let decide = request.change(Action::EditRetention, load, |person, stored, edit| {
        retention::edit(edit, stored, person, request.ctx())
    });
    decide.await
}
