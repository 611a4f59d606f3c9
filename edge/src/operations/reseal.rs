//! What the operator's commands ask of a running service.

use crate::call::Call;
use crate::error::Refusal;
use crate::extract::{OperatorRequest, values};
use crate::pipeline::tampered;
use crate::platform;
use crate::response;
use axum::http::StatusCode;
use axum::response::Response;
use overturn_store::column;
use overturn_store::operations::reseal::{self, After, PAGE_MAX, PRACTICES_MAX, Page, Random};
use serde_json::json;
use std::sync::Arc;

/// `POST /operations/reseal?after=PLACE`: brings one page of what is sealed under the keys that seal now.
///
/// 1. Without the operator's token `401`; where none is set, `404`.
/// 2. Read the page after the place; the first where none is named, or what is none.
/// 3. Write what could be opened under those keys. What its own key does not open is in the log and in the practice's trail.
/// 4. `200` with `of`, what was seen, how much of it, and `after`, the place to go on from: `null` when all was.
#[worker::send]
pub(crate) async fn reseal(OperatorRequest { call }: OperatorRequest) -> Result<Response, Refusal> {
    let mut asked = values(&call.url, "after");
    let after = asked.find_map(|value| value.parse().ok());
    let page = reseal_page(&call, after.unwrap_or(reseal::BEGIN)).await?;
    let result = page.result;
    let body = json!({
        "of": page.of,
        "resealed": result.resealed,
        "made": result.made,
        "intact": result.intact,
        "unreadable": result.unreadable,
        "tampered": result.tampered.len(),
        "after": page.next.map(|next| next.to_string()),
    });
    Ok(response::json(StatusCode::OK, &body))
}

/// Reads the page after a place, and writes what could be opened.
async fn reseal_page(call: &Arc<Call>, after: After) -> Result<Page, Refusal> {
    let read = call.db.batch(&[reseal::read(after)]).await?;
    let json = column(&read, 0);
    let mut nonce = platform::nonces(PAGE_MAX)?;
    let random = Random {
        nonce: &mut nonce,
        secrets: platform::secrets(PRACTICES_MAX)?,
    };
    let page = reseal::page((after, json), &call.app.keys, random, &call.ctx)?;
    for place in &page.result.tampered {
        tampered::report(call, *place);
    }
    if !page.result.statements.is_empty() {
        call.db.batch(&page.result.statements).await?;
    }
    Ok(page)
}
