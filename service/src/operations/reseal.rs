//! The operator's requests to a running service.

use crate::call::Call;
use crate::error::AppError;
use crate::extract::{OperatorRequest, values};
use crate::pipeline::{self, tampered};
use crate::response;
use crate::response::Response;
use http::StatusCode;
use overturn_core::plan::Actor;
use overturn_store::operations::reseal::{self, PAGE_MAX, ResealPage, ResealPosition};
use serde_json::json;
use std::rc::Rc;

/// `POST /operations/reseal?after=PLACE`: re-seals one page under the current keys.
///
/// 1. Without the operator's token `401`; if none is configured, `404`.
/// 2. Read the page after the position; the first page if the position is missing or invalid.
/// 3. Write the rows that opened. A value that its key does not open is logged and audited in the practice's trail.
/// 4. `200` with `of` (the table), counts, and `after`, the position to continue from: `null` at the end.
pub(crate) async fn reseal(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    let mut asked = values(&call.url, "after");
    let after = asked.find_map(|value| value.parse().ok());
    let page = reseal_page(&call, after.unwrap_or(reseal::BEGIN)).await?;
    let result = page.result;
    let body = json!({
        "of": page.of,
        "resealed": result.resealed,
        "intact": result.intact,
        "unreadable": result.unreadable,
        "tampered": result.tampered.len(),
        "after": page.next.map(|next| next.to_string()),
    });
    Ok(response::json(StatusCode::OK, &body))
}

/// Reads the page after a place, and writes what could be opened.
async fn reseal_page(call: &Rc<Call>, after: ResealPosition) -> Result<ResealPage, AppError> {
    let json = call.db.read(&reseal::read(after)).await?;
    let mut nonce = call.app.host.nonces(PAGE_MAX)?;
    let mut page = reseal::page((after, json.as_deref()), &call.app.keys, &mut nonce, &call.ctx)?;
    for place in &page.result.tampered {
        tampered::report(call, *place);
    }
    let writes = std::mem::take(&mut page.result.writes);
    if !writes.is_empty() {
        let plan = pipeline::plan(&call.ctx, Actor::Operator, Vec::new(), writes);
        pipeline::run(&call.db, &call.app, &plan).await?;
    }
    Ok(page)
}
