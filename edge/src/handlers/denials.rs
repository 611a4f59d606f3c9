//! `/api/v1/denials`: a practice's own claims.

use crate::app::Call;
use crate::error::Refusal;
use crate::extract::{IfNoneMatch, PageOf, PathId, Presented};
use crate::pipeline;
use axum::Extension;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ClaimId;
use overturn_core::claims::denials::{self, Query};
use overturn_store::claims::denials as denial_queries;
use std::sync::Arc;

/// `GET`: a page of the claims, the newest first, or in the order of their changes.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    of: PageOf<Query>,
) -> Result<Response, Refusal> {
    let load = of
        .page
        .as_ref()
        .map(|query| denial_queries::denials(&presented.hash, query));
    let load = load.ok();
    let mut next = None;
    let asked = (&presented, &known);
    let response = pipeline::read(&call, asked, Action::ReadDenials, load, |_, found| {
        let query = of.page.clone()?;
        let found = found.flatten().ok_or(Refusal::Internal("no practice"))?;
        let page = denials::list(&query, found)?;
        next = page.next_cursor().map(|cursor| of.next(cursor));
        Ok(page)
    });
    let response = response.await?;
    pipeline::linked(response, next)
}

/// `GET …/{id}`: one claim with its history.
#[worker::send]
pub(crate) async fn show(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    PathId(id): PathId,
) -> Result<Response, Refusal> {
    let load = denial_queries::denial(&presented.hash, ClaimId(id));
    let asked = (&presented, &known);
    pipeline::read(&call, asked, Action::ReadDenials, load, |_, stored| {
        Ok(denials::one(stored)?)
    })
    .await
}
