//! `/api/v1/settings/agreements`.

use crate::app::Call;
use crate::door::{self, Json};
use crate::error::Refusal;
use crate::extract::{Body, IfNoneMatch, Once, PathId, Presented};
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::AgreementId;
use overturn_core::settings::agreements;
use overturn_store::{data_jobs, load, rows};
use std::sync::Arc;

/// `GET`: the agreements, and what the practice has signed.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
) -> Result<Response, Refusal> {
    let load = vec![load::agreements(&presented.hash)];
    let asked = (&presented, &known);
    door::read(
        &call,
        asked,
        Action::ReadAgreements,
        load,
        |person, read| {
            let history = rows::one(read.json(0))?.unwrap_or_default();
            Ok(agreements::list(history, person))
        },
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
    let load = vec![
        load::agreements(&presented.hash),
        data_jobs::destruction_open(&presented.hash),
    ];
    let asked = (&presented, &once, &body);
    let action = Action::SignAgreement;
    door::change(&call, asked, action, load, |person, read, body| {
        let signature = agreements::parse(body)?;
        let history: Vec<_> = rows::one(read.json(0))?.unwrap_or_default();
        let destruction = rows::one(read.json(1))?.unwrap_or_default();
        let (signed, signer) = ((&*history, destruction), (person, &*call.place.ip));
        Ok(agreements::sign(signature, signed, signer, &call.ctx)?)
    })
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
    let load = vec![load::agreements(&presented.hash)];
    let asked = (&presented, &once, &Ok(Vec::new()));
    let action = Action::EndAgreement;
    door::change(&call, asked, action, load, |person, read, _| {
        let history = rows::one(read.json(0))?.unwrap_or_default();
        Ok(agreements::end(
            AgreementId(id),
            history,
            person,
            &call.ctx,
        )?)
    })
    .await
}
