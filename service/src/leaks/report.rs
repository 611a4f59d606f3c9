//! `/api/v1/leaks`: anybody may report a key.

use super::revocation::{FoundKey, revoke};
use crate::call::Call;
use crate::extract::PublicWrite;
use crate::plan::Actor;
use crate::prelude::*;
use crate::request::declare::kinds::{Optional, Text};
use crate::response;
use crate::sign_in_limits;
use http::StatusCode;
use std::rc::Rc;

body! {
    LeakReport {
        /// The API key or API token that was found.
        token: Text<200>,
        /// Where it was found: an address that begins with `https://` or `http://`. We show it to the owners of the
        /// practice and never open it. Other text is ignored.
        url: Optional<Text<2000>>,
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct LeakAccepted {
    /// For people. The wording may change.
    message: &'static str,
}

/// `reportLeak`: Report a leaked key.
///
/// For everybody who finds an API key or an API token where it can be read by others. If it works, we revoke it at once and
/// tell the owners of its practice. The answer is the same for every text, whether it is a key or not, and comes before
/// we look.
pub(crate) async fn report(request: PublicWrite<LeakReport>) -> Result<Gives<LeakAccepted, 202>, AppError> {
    let call = &request.call;
    sign_in_limits::leak(call).await?;
    let LeakReport { token, url } = request.body().await?;
    if let Some(found) = FoundKey::read(&token, url.as_deref(), call.app.settings.realm) {
        revoke_later(call, found);
    }
    let message = "if the key works, it is revoked and its owners are told";
    Ok(response::json(StatusCode::ACCEPTED, &LeakAccepted { message }).into())
}

/// Revokes after the answer: the time until the answer would show whether there is such a key.
fn revoke_later(call: &Rc<Call>, found: FoundKey) {
    call.after_answer(async move |call| {
        if let Err(fault) = revoke(&call, Actor::Anyone, &[found]).await {
            let reason = fault.to_string();
            log::error!("{}", json!({ "event": "leak_not_revoked", "reason": reason }));
        }
    });
}
