//! `/api/v1/denials`: a practice's own claims.

use crate::error::AppError;
use crate::extract::{PathId, ReadRequest};
use crate::pipeline::linked;
use axum::response::Response;
use overturn_core::auth::rights::Action;
use overturn_core::base::id::ClaimId;
use overturn_core::claims::denials::{self, DenialsQuery};
use overturn_store::claims::denials as queries;

/// `GET`: a page of the claims, newest first or in the order of their changes.
#[worker::send]
pub(crate) async fn list(request: ReadRequest<DenialsQuery>) -> Result<Response, AppError> {
    let query = request.page.as_ref().ok();
    let load = query.map(|query| queries::denials(request.credential(), query));
    let mut next = None;
    let view = request.show(Action::ReadDenials, load, |_, found| {
        let query = request.page.clone()?;
        let found = found.flatten().ok_or(AppError::Internal("no practice"))?;
        let page = denials::list(&query, found)?;
        next = page.next_cursor().map(|cursor| request.next(cursor));
        Ok::<_, AppError>(page)
    });
    let response = view.await?;
    linked(response, next)
}

/// `GET …/{id}`: one claim with its history.
#[worker::send]
pub(crate) async fn show(
    PathId(id): PathId<ClaimId>,
    request: ReadRequest,
) -> Result<Response, AppError> {
    let load = queries::denial(request.credential(), id);
    request
        .show(Action::ReadDenials, load, |_, stored| denials::one(stored))
        .await
}
