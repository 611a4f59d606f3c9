//! `/api/v1/settings/agreements`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PathId, Presented};
use crate::pipeline;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::AgreementId;
use overturn_core::settings::agreements;
use overturn_store::settings::data_jobs;
use overturn_store::settings::queries;

use std::sync::Arc;

/// `GET`: the agreements, and what the practice has signed.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
) -> Result<Response, Refusal> {
    let load = queries::agreements(&presented.hash);
    let asked = (&presented, &known);
    pipeline::read(
        &call,
        asked,
        Action::ReadAgreements,
        load,
        |person, history| Ok(agreements::list(history, person)),
    )
    .await
}

/// `POST`: signs one.
#[worker::send]
pub(crate) async fn sign(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = (
        queries::agreements(&presented.hash),
        data_jobs::destruction_open(&presented.hash),
    );
    let asked = (&presented, &once, &body);
    let action = Action::SignAgreement;
    pipeline::change(
        &call,
        asked,
        action,
        load,
        |person, (history, destruction), body| {
            let signature = agreements::parse(body)?;
            let (signed, signer) = ((&*history, destruction), (person, &*call.place.ip));
            Ok(agreements::sign(signature, signed, signer, &call.ctx)?)
        },
    )
    .await
}

/// `POST …/{id}/end`: ends one, at once.
#[worker::send]
pub(crate) async fn end(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = queries::agreements(&presented.hash);
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::EndAgreement;
    pipeline::change(&call, asked, action, load, |person, history, _| {
        Ok(agreements::end(
            AgreementId(id),
            history,
            person,
            &call.ctx,
        )?)
    })
    .await
}
