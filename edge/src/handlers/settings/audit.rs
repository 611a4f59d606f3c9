//! `/api/v1/settings/audit`.

use crate::app::Call;
use crate::door;
use crate::error::Refusal;
use crate::extract::{IfNoneMatch, PageOf, Presented};
use crate::store::load;
use axum::Extension;
use axum::response::Response;
use overturn_core::rights::Action;
use overturn_core::settings::audit;
use std::sync::Arc;

/// `GET`: a page of the practice's trail.
#[worker::send]
pub(crate) async fn list(
    Extension(call): Extension<Arc<Call>>,
    presented: Presented,
    known: IfNoneMatch,
    page: PageOf,
) -> Result<Response, Refusal> {
    let load = |page| load::audit(&presented.hash, page);
    let asked = (&presented, &known);
    door::list(&call, asked, Action::ReadAudit, page, (load, audit::list)).await
}
