//! Summaries of claims, and the names that filters offer.

use crate::error::AppError;
use crate::extract::ReadRequest;
use crate::pipeline::linked;
use crate::response::Response;
use overturn_core::request::query::NoQuery;
use overturn_core::summaries::{
    self, Colleagues, Payers, PayersQuery, PracticesQuery, SummaryQuery, WorkSummary, WorkSummaryQuery,
};
use overturn_store::summaries as queries;

/// `GET /api/v1/denials/summary`: the practice's own claims.
pub(crate) async fn of_practice(request: ReadRequest<SummaryQuery>) -> Result<Response, AppError> {
    let query = request.page.clone();
    let today = query.and_then(|query| query.today.at(request.ctx().now));
    let load = today.as_ref().ok();
    let load = load.map(|today| queries::of_practice(request.credential(), *today));
    let view =
        request.show(load, |_, counts| today.map(|today| summaries::summarize(today, &counts.unwrap_or_default())));
    view.await
}

/// `GET /api/v1/staff/summary`: the claims of all practices, or of one.
pub(crate) async fn of_all(request: ReadRequest<WorkSummaryQuery>) -> Result<Response, AppError> {
    let query = request.page.clone();
    let query = query.and_then(|query| Ok((query, query.today.at(request.ctx().now)?)));
    let load = query.as_ref().ok();
    let load = (
        load.map(|(query, today)| queries::of_scope(query.practice_id, *today)),
        load.map(|(query, today)| queries::decisions_due(query.practice_id, *today)),
    );
    let view = request.show(load, |_, (counts, decisions_due)| {
        query.map(|(_, today)| WorkSummary {
            claims: summaries::summarize(today, &counts.unwrap_or_default()),
            decisions_due: decisions_due.unwrap_or_default(),
        })
    });
    view.await
}

/// `GET /api/v1/staff/practices`: a page of the practices.
pub(crate) async fn practices(request: ReadRequest<PracticesQuery>) -> Result<Response, AppError> {
    let query = request.page.clone();
    let query = query.and_then(|query| Ok((query.today.at(request.ctx().now)?, query)));
    let load = query.as_ref().ok();
    let load = load.map(|(today, query)| queries::practices(query, *today));
    let mut next = None;
    let view = request.show(load, |_, found| {
        let page = query.map(|(_, query)| summaries::list(&query, found.unwrap_or_default()));
        let cursor = page.as_ref().ok().and_then(|page| page.next_cursor());
        next = cursor.map(|cursor| request.next(cursor));
        page
    });
    let response = view.await?;
    linked(response, next)
}

/// `GET /api/v1/staff/colleagues`: the staff who work on claims.
pub(crate) async fn colleagues(request: ReadRequest<NoQuery>) -> Result<Response, AppError> {
    let view = request.show(queries::colleagues(), |_, colleagues| {
        request.page.clone()?;
        Ok::<_, AppError>(Colleagues { colleagues })
    });
    view.await
}

/// `GET /api/v1/denials/payers`: the payers of the practice's claims.
pub(crate) async fn payers(request: ReadRequest<NoQuery>) -> Result<Response, AppError> {
    let load = queries::payers(request.credential());
    let view = request.show(load, |_, payers| {
        request.page.clone()?;
        Ok::<_, AppError>(Payers { payers })
    });
    view.await
}

/// `GET /api/v1/staff/payers`: the payers of the claims of all practices, or of one.
pub(crate) async fn payers_of_all(request: ReadRequest<PayersQuery>) -> Result<Response, AppError> {
    let query = request.page.as_ref().ok();
    let load = query.map(|query| queries::payers_of(query.practice_id));
    let view = request.show(load, |_, payers| {
        request.page.clone()?;
        let payers = payers.unwrap_or_default();
        Ok::<_, AppError>(Payers { payers })
    });
    view.await
}
