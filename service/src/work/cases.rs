//! `/api/v1/staff/practices/{practice}/cases`.

use crate::error::AppError;
use crate::extract::{IfMatch, InPractice, PathLevel, PathPractice, ReadRequest, WriteRequest};
use crate::pipeline::Versioned;
use crate::response::Response;
use overturn_core::base::id::CaseId;
use overturn_core::work::cases::{CasesOfPractice, CasesQuery};
use overturn_core::work::gather::ids;
use overturn_core::work::{cases, decision, levels};
use overturn_store::work::queries;

/// `GET`: a page of the practice's cases.
pub(crate) async fn list(
    PathPractice(practice): PathPractice,
    request: ReadRequest<CasesOfPractice>,
) -> Result<Response, AppError> {
    let load = |query| queries::cases(practice, &query);
    request.list(load, cases::list).await
}

/// `GET /api/v1/staff/cases`: a page of the cases of all practices.
pub(crate) async fn list_all(request: ReadRequest<CasesQuery>) -> Result<Response, AppError> {
    let load = |query| queries::all_cases(&query);
    let listed = request.list(load, cases::list_all);
    listed.await
}

/// `GET …/{id}`: one case with its claims and levels.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<CaseId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::case_view(practice, id);
    let view = request.show_versioned(load, |person, stored| {
        let body = cases::show(stored, person)?;
        Ok(Versioned { version: body.case.version, body })
    });
    view.await
}

/// `POST`: opens a case.
pub(crate) async fn open(
    PathPractice(practice): PathPractice,
    request: WriteRequest<cases::CaseRequest>,
) -> Result<Response, AppError> {
    let named = request.body().ok();
    let found = named.map(|new| queries::candidates(practice, &ids(&new.claims)));
    let decide = request.change(found, |person, found, new| {
        let asked = (&new, found.unwrap_or_default());
        cases::open(practice, asked, person, request.ctx())
    });
    decide.await
}

/// `POST …/{id}/levels`: begins the next level.
pub(crate) async fn begin_level(
    InPractice(practice, id): InPractice<CaseId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<levels::LevelRequest>,
) -> Result<Response, AppError> {
    let load = queries::case(practice, id);
    let decide =
        request.change(load, |person, stored, new| levels::begin(practice, (stored, seen), new, person, request.ctx()));
    decide.await
}

/// `PATCH …/{id}/levels/{level}`: edits a level.
pub(crate) async fn edit_level(
    InPractice(practice, id): InPractice<CaseId>,
    PathLevel(level): PathLevel,
    IfMatch(seen): IfMatch,
    request: WriteRequest<levels::LevelEdit>,
) -> Result<Response, AppError> {
    let load = queries::case(practice, id);
    let decide = request.change(load, |person, stored, edit| {
        levels::edit(practice, (stored, seen), (level, edit), person, request.ctx())
    });
    decide.await
}

/// `POST …/{id}/decisions`: records a decision with the results of the claims.
pub(crate) async fn decide(
    InPractice(practice, id): InPractice<CaseId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<decision::DecisionRequest>,
) -> Result<Response, AppError> {
    let load = queries::case(practice, id);
    let decide = request.change(load, |person, stored, decided| {
        decision::decide(practice, (stored, seen), &decided, person, request.ctx())
    });
    decide.await
}
