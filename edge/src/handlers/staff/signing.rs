//! `/api/v1/staff/practices/{practice}/claims/{id}/signing` and `…/signature`.

use crate::ambient;
use crate::app::Call;
use crate::door::{self, Disclosed, Json, Sealing};
use crate::error::Refusal;
use crate::extract::{Body, IfMatch, IfNoneMatch, Once, PathIds, Presented};
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ClaimId;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::signing::staff;
use overturn_core::work::claims;
use overturn_store::{load, practice_keys, rows};
use std::sync::Arc;

/// `POST …/signing`: decides whether the patient's signature is needed.
#[worker::send]
pub(crate) async fn decide(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    IfMatch(seen): IfMatch,
    PathIds(practice, id): PathIds,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let random = ambient::bytes()?;
    let load = vec![load::claim(practice, ClaimId(id))];
    let load = (load, Sealing::Of(practice));
    let asked = (&presented, &once, &body);
    door::change_sealed(
        &call,
        asked,
        Action::Work,
        load,
        |person, (read, _), body| {
            let status = staff::parse(body)?;
            let stored = claims::seen(rows::one(read.json(0))?, seen)?;
            let decided = (&stored, status);
            Ok(staff::decide(practice, decided, person, random, &call.ctx)?)
        },
    )
    .await
}

/// `DELETE …/signing/link`: the link is worth nothing from now on.
#[worker::send]
pub(crate) async fn revoke_link(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    IfMatch(seen): IfMatch,
    PathIds(practice, id): PathIds,
) -> Result<Response, Refusal> {
    let id = ClaimId(id);
    let load = vec![
        load::claim(practice, id),
        load::signing::has_link(practice, id),
    ];
    let asked = (&presented, &once, &Ok(Vec::new()));
    door::change(&call, asked, Action::Work, load, |_, read, _| {
        let stored = claims::seen(rows::one(read.json(0))?, seen)?;
        let has_link = rows::one(read.json(1))?.unwrap_or_default();
        Ok(staff::revoke_link(practice, &stored, has_link, &call.ctx))
    })
    .await
}

/// `GET …/signature`: what the patient signed, and how.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathIds(practice, id): PathIds,
) -> Result<Response, Refusal> {
    let id = ClaimId(id);
    let load = vec![
        load::signing::signature(practice, id),
        practice_keys::of_practice(practice),
    ];
    let asked = (&presented, &known);
    door::disclose(&call, asked, Action::ReadClaim, load, |_, read| {
        let stored = rows::one(read.json(0))?;
        let data_key: Option<StoredDataKey> = rows::one(read.json(1))?;
        let keys = tampered::keys(&call, practice, data_key.as_ref());
        let (version, body) = staff::show((practice, id), stored, &keys)?;
        Ok(Disclosed {
            version,
            audit: staff::audit(practice, id, &body, &call.ctx),
            patient: (practice, id),
            body,
        })
    })
    .await
}
