//! `/api/v1/settings/practice`.

use crate::error::Refusal;
use crate::extract::{ReadRequest, WriteRequest, parse_body};
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::plan::settings::PracticeEdit;
use overturn_core::settings::practice;
use overturn_store::settings::queries;

parse_body! {
    PracticeEdit = |body, _| practice::parse(body);
}

/// `GET`: the practice's settings.
#[worker::send]
pub(crate) async fn show(request: ReadRequest) -> Result<Response, Refusal> {
    let load = queries::practice(request.credential());
    request
        .show(Action::ReadPractice, load, |_, stored| {
            practice::show(stored)
        })
        .await
}

/// `PATCH`: changes some of them.
#[worker::send]
pub(crate) async fn edit(request: WriteRequest<PracticeEdit>) -> Result<Response, Refusal> {
    let load = queries::practice(request.credential());
    let action = practice::action(request.bytes.as_deref().unwrap_or_default());
    let decide = request.change(action, load, |person, stored, edit| {
        practice::edit(edit, stored, person, request.ctx())
    });
    decide.await
}
