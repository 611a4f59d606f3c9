//! What the operator's commands ask of a running service.

use crate::call::Call;
use crate::error::Refusal;
use crate::extract::Operator;
use crate::pipeline::{self, tampered};
use crate::platform;
use crate::response;
use axum::Extension;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use overturn_core::plan::Actor;
use overturn_store::operations::reseal::{self, PAGE_MAX, PRACTICES_MAX, Random};
use serde_json::json;
use std::sync::Arc;

/// `POST /operations/reseal?after=PLACE`: brings one page of what is sealed under the keys that seal now.
///
/// 1. Without the operator's token `401`; where none is set, `404`.
/// 2. Read the page after the place; the first where none is named, or what is none.
/// 3. Write what could be opened under those keys. What its own key does not open is in the log and in the practice's trail.
/// 4. `200` with `of`, what was seen, how much of it, and `after`, the place to go on from: `null` when all was.
#[worker::send]
pub(crate) async fn reseal(
    Extension(call): Extension<Arc<Call>>,
    _: Operator,
    uri: Uri,
) -> Result<Response, Refusal> {
    let query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let after = query
        .filter(|(name, _)| name == "after")
        .find_map(|(_, value)| value.parse().ok())
        .unwrap_or(reseal::BEGIN);

    let json = call.db.read(&reseal::read(after)).await?;
    let mut nonce = platform::nonces(PAGE_MAX)?;
    let random = Random {
        nonce: &mut nonce,
        secrets: platform::secrets(PRACTICES_MAX)?,
    };
    let page = reseal::page((after, json.as_deref()), &call.app.keys, random, &call.ctx)?;
    let result = page.result;
    for place in &result.tampered {
        tampered::report(&call, *place);
    }
    if !result.writes.is_empty() {
        let plan = pipeline::plan(&call.ctx, Actor::Operator, Vec::new(), result.writes);
        pipeline::run(&call.db, &call.app, &plan).await?;
    }
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
