//! `/api/v1/staff/claims` and `/api/v1/staff/practices/{practice}/claims/{id}`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfMatch, IfNoneMatch, Once, PageOf, PathIds, Presented};
use crate::pipeline::{self, Disclosed, Sealing};
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::person::Person;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ClaimId;
use overturn_core::work::queue::{self, Query};
use overturn_core::work::{cases, claims, notes, view};
use overturn_store::settings::data_keys as practice_keys;
use overturn_store::work::queries;

use std::sync::Arc;

/// `GET /api/v1/staff/claims`: a page of the queue.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf<Query>,
) -> Result<Response, Refusal> {
    let load = |query: Query| queries::queue(&presented.hash, &query, call.ctx.now);
    let asked = (&presented, &known);
    let audit = |query: &Query, found: &[queue::Item], person: &Person| {
        queue::searched(query, found, person, &call.ctx)
    };
    let view = (load, queue::list);
    pipeline::search(&call, asked, Action::ReadWork, page, view, audit).await
}

/// `GET`: one claim with its patient, its history and its notes.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathIds(practice, id): PathIds,
) -> Result<Response, Refusal> {
    let load = (
        queries::claim_view(practice, ClaimId(id)),
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
            let body = view::show(stored, call.ctx.now, &keys)?;
            Ok(Disclosed {
                version: body.facts.version,
                audit: view::audit(&body, &call.ctx),
                patient: (practice, ClaimId(id)),
                body,
            })
        },
    )
    .await
}

/// `POST …/take`: the claim is the caller's from now on.
#[worker::send]
pub(crate) async fn take(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    IfMatch(seen): IfMatch,
    PathIds(practice, id): PathIds,
) -> Result<Response, Refusal> {
    let load = queries::claim(practice, ClaimId(id));
    let asked = (&presented, &once, &Ok(Vec::new()));
    pipeline::change(&call, asked, Action::Work, load, |person, stored, _| {
        let stored = claims::seen(stored, seen)?;
        Ok(claims::take(practice, &stored, person, &call.ctx)?)
    })
    .await
}

/// `POST …/moves`: moves the claim along.
#[worker::send]
pub(crate) async fn step(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    IfMatch(seen): IfMatch,
    PathIds(practice, id): PathIds,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let id = ClaimId(id);
    // What the body says wrongly, only a caller that may move claims is told.
    let asked = claims::parse(body.as_deref().unwrap_or_default());
    let case = asked.ok().and_then(|step| step.case_id());
    let load = (
        queries::claim(practice, id),
        case.map(|case| queries::joining(practice, id, case)),
        practice_keys::of_practice(practice),
    );
    let asked = (&presented, &once, &body);
    pipeline::change(
        &call,
        asked,
        Action::Work,
        load,
        |person, (stored, case, data_key), body| {
            let step = claims::parse(body)?;
            let stored = claims::seen(stored, seen)?;
            let keys = tampered::keys(&call, practice, data_key.as_ref());
            let case = cases::fitting(practice, case.flatten(), &keys)?;
            let at = (&stored, step);
            Ok(claims::step(
                practice,
                at,
                case.as_ref(),
                person,
                &call.ctx,
            )?)
        },
    )
    .await
}

/// `POST …/notes`: leaves a note.
#[worker::send]
pub(crate) async fn note(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathIds(practice, id): PathIds,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = queries::claim(practice, ClaimId(id));
    let load = (load, Sealing::Of(practice));
    let asked = (&presented, &once, &body);
    pipeline::change_sealed(
        &call,
        asked,
        Action::Work,
        load,
        |person, (stored, _), body| {
            let text = notes::parse(body)?;
            Ok(notes::add(
                practice,
                stored.as_ref(),
                text,
                person,
                &call.ctx,
            )?)
        },
    )
    .await
}
