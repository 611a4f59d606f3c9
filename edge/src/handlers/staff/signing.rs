//! `/api/v1/staff/practices/{practice}/claims/{id}/signing` and `…/signature`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfMatch, IfNoneMatch, Once, PathIds, Presented};
use crate::pipeline::{self, Disclosed, Sealing};
use crate::platform;
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ClaimId;
use overturn_core::signing::staff;
use overturn_core::work::claims;
use overturn_store::settings::data_keys as practice_keys;
use overturn_store::signing::queries as signing_queries;
use overturn_store::work::queries as work_queries;

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
    let random = platform::bytes()?;
    let load = work_queries::claim(practice, ClaimId(id));
    let load = (load, Sealing::Of(practice));
    let asked = (&presented, &once, &body);
    pipeline::change_sealed(
        &call,
        asked,
        Action::Work,
        load,
        |person, (stored, _), body| {
            let status = staff::parse(body)?;
            let stored = claims::seen(stored, seen)?;
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
    let load = (
        work_queries::claim(practice, id),
        signing_queries::has_link(practice, id),
    );
    let asked = (&presented, &once, &Ok(Vec::new()));
    pipeline::change(
        &call,
        asked,
        Action::Work,
        load,
        |_, (stored, has_link), _| {
            let stored = claims::seen(stored, seen)?;
            Ok(staff::revoke_link(practice, &stored, has_link, &call.ctx))
        },
    )
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
    let load = (
        signing_queries::signature(practice, id),
        practice_keys::of_practice(practice),
    );
    let asked = (&presented, &known);
    pipeline::disclose(
        &call,
        asked,
        Action::ReadClaim,
        load,
        |_, (stored, data_key)| {
            let keys = tampered::keys(&call, practice, data_key.as_ref());
            let (version, body) = staff::show((practice, id), stored, &keys)?;
            Ok(Disclosed {
                version,
                audit: staff::audit(practice, id, &body, &call.ctx),
                patient: (practice, id),
                body,
            })
        },
    )
    .await
}
