//! What the operator's commands ask of a running service.

use crate::ambient;
use crate::app::Call;
use crate::error::Refusal;
use crate::extract::Operator;
use crate::store::reseal::{self, PAGE_MAX};
use axum::Extension;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use serde_json::json;
use std::sync::Arc;

/// `POST /operations/reseal?after=ROW`: brings one page of claims under the current key.
///
/// 1. Without the operator's token `401`; where none is set, `404`.
/// 2. Read the page after the row, `0` at first.
/// 3. Write what could be opened under the current key.
/// 4. `200` with `after`, the row to go on after, `null` when all claims were seen.
#[worker::send]
pub(crate) async fn reseal(
    Extension(call): Extension<Arc<Call>>,
    _: Operator,
    uri: Uri,
) -> Result<Response, Refusal> {
    let app = &call.app;
    let query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let after = query
        .filter(|(name, _)| name == "after")
        .find_map(|(_, value)| value.parse().ok())
        .unwrap_or(0);

    let read = call.db.batch(&[reseal::read(after)]).await?;
    let rows = reseal::rows(read.first().and_then(|done| done.json.as_deref()))?;
    let mut nonce = ambient::nonces(PAGE_MAX)?;
    let page = reseal::page(&rows, &app.keys, &mut nonce, &call.ctx);
    if !page.statements.is_empty() {
        call.db.batch(&page.statements).await?;
    }
    let body =
        json!({ "resealed": page.resealed, "unreadable": page.unreadable, "after": page.last });
    Ok(super::json(StatusCode::OK, &body))
}
