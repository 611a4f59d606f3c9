//! `/api/v1/staff/practices/{practice}/cases`.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{Body, IfMatch, IfNoneMatch, Once, PageOf, PathIds, PathLevel, Presented};
use crate::pipeline::{self, Versioned};
use crate::tampered;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::CaseId;
use overturn_core::work::{cases, levels};
use overturn_store::settings::data_keys as practice_keys;
use overturn_store::work::queries;

use std::sync::Arc;

/// `GET`: a page of the practice's cases.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathIds(practice, _): PathIds,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| queries::cases(practice, page);
    let asked = (&presented, &known);
    let action = Action::ReadWork;
    pipeline::list(&call, asked, action, page, (load, cases::list)).await
}

/// `GET …/{id}`: one case with its claims and levels.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathIds(practice, id): PathIds,
) -> Result<Response, Refusal> {
    let load = queries::case_view(practice, CaseId(id));
    let asked = (&presented, &known);
    pipeline::read_versioned(&call, asked, Action::ReadWork, load, |_, stored| {
        let body = cases::show(stored)?;
        Ok(Versioned {
            version: body.version,
            body,
        })
    })
    .await
}

/// `POST`: opens a case.
#[worker::send]
pub(crate) async fn open(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    PathIds(practice, _): PathIds,
    Body(body): Body,
) -> Result<Response, Refusal> {
    // What the body says wrongly, only a caller that may open a case is told.
    let named = cases::parse(body.as_deref().unwrap_or_default());
    let found = named
        .ok()
        .map(|new| queries::candidates(practice, &new.claims));
    let load = (found, practice_keys::of_practice(practice));
    let asked = (&presented, &once, &body);
    pipeline::change(
        &call,
        asked,
        Action::Work,
        load,
        |person, (found, data_key), body| {
            let new = cases::parse(body)?;
            let keys = tampered::keys(&call, practice, data_key.as_ref());
            let asked = (found.unwrap_or_default(), new.level);
            Ok(cases::open(practice, asked, &keys, person, &call.ctx)?)
        },
    )
    .await
}

/// `POST …/{id}/levels`: begins the next level.
#[worker::send]
pub(crate) async fn begin_level(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    IfMatch(seen): IfMatch,
    PathIds(practice, id): PathIds,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = queries::case(practice, CaseId(id));
    let asked = (&presented, &once, &body);
    pipeline::change(&call, asked, Action::Work, load, |person, stored, body| {
        let new = levels::parse_new(body)?;
        let case = (stored, seen);
        Ok(levels::begin(practice, case, new, person, &call.ctx)?)
    })
    .await
}

/// `PATCH …/{id}/levels/{level}`: records what is known of a level.
#[worker::send]
pub(crate) async fn edit_level(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    once: Once,
    IfMatch(seen): IfMatch,
    PathIds(practice, id): PathIds,
    PathLevel(level): PathLevel,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let load = queries::case(practice, CaseId(id));
    let asked = (&presented, &once, &body);
    pipeline::change(&call, asked, Action::Work, load, |person, stored, body| {
        let edit = (level, levels::parse_edit(body, &call.ctx)?);
        let case = (stored, seen);
        Ok(levels::edit(practice, case, edit, person, &call.ctx)?)
    })
    .await
}
