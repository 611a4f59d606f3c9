//! The claims interface: `POST /api/v1/claims` and `GET /api/v1/claims/status`.

use super::{load as store, settle};
use crate::app::App;
use crate::call::Call;
use crate::error::Refusal;
use crate::extract::{Body, PresentedKey};
use crate::pipeline;
use crate::pipeline::key as authorize;
use crate::rate_limiter::{Group, send_marks};
use crate::response;
use axum::Extension;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use overturn_core::auth::key::Caller;
use overturn_core::auth::scope::Scope;
use overturn_core::claims::{intake, status};
use overturn_core::plan::audit::Entry;
use overturn_core::plan::signing::link::StoredSigningLink;
use overturn_core::plan::{self, Actor, Write};
use overturn_core::request::denied::Denied;
use overturn_store::fault::{Fault, Guard};
use std::sync::Arc;

/// Times a status read with a patient's link is decided when the caller's rights change meanwhile.
const STATUS_ROUNDS: usize = 3;

/// `POST /api/v1/claims`.
///
/// 1. The key has the form of one, or `401`.
/// 2. Read the body and its problems.
/// 3. Load the caller and the claims while the limiter is asked.
/// 4. May the caller send? `401`, `429`, `403`. Is the request valid? `408`, `413`, `422`.
/// 5. Decide and write until nothing is left to write; a caller whose rights went since starts over at 4. `429` where too many
///    resends of the day were not for the claim of their number.
/// 6. `201` when a claim was new, `200` when none was.
#[worker::send]
pub(crate) async fn send(
    Extension(call): Extension<Arc<Call>>,
    key: PresentedKey,
    Body(body): Body,
) -> Result<Response, Refusal> {
    let ctx = &call.ctx;
    let parsed = body.as_ref().map_err(Denied::clone);
    let parsed = parsed.and_then(|body| intake::parse(body, ctx).map_err(Denied::Invalid));

    let load = store::load_send(&call.db, &key, parsed.as_ref().ok(), ctx);
    let App {
        limiters, settings, ..
    } = call.app.as_ref();
    let secret = &call.app.keys.marks;
    let marks = parsed
        .as_ref()
        .map(|send| intake::marks(send, || send_marks::hasher(secret)))
        .unwrap_or_default();
    let ask = limiters.ask_to_send(key.hash(), settings.limits.sends, &marks);
    let of =
        |loaded: &store::Loaded| authorize::is_in_force(loaded.snapshot.credential.as_ref(), &call);
    let (mut loaded, asked) = authorize::load_and_count(&key, ask, load, of).await?;
    let (verdict, contested) = asked.unzip();
    loaded.snapshot.contest(contested.into_iter().flatten());
    let used = authorize::authorize(
        &call,
        loaded.snapshot.credential.as_ref(),
        verdict,
        Scope::ClaimsWrite,
    );

    let outcome = settle::settle(&call, &key, parsed.as_ref(), loaded, verdict).await;
    authorize::record_use(&call, used);
    let answer = outcome?;
    let status = if answer.submission_id.is_some() {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok(response::json(status, &answer))
}

/// `GET /api/v1/claims/status`.
///
/// 1. The key has the form of one, or `401`.
/// 2. Load the caller and the claim while the limiter is asked.
/// 3. May the caller read? `401`, `429`, `403`. Is the query valid? `422`. Is there such a claim? `404`.
/// 4. `200`, once the trail says that a patient's link is handed out, where there is one to show.
#[worker::send]
pub(crate) async fn status(
    Extension(call): Extension<Arc<Call>>,
    key: PresentedKey,
    uri: Uri,
) -> Result<Response, Refusal> {
    let asked = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let values = asked
        .filter(|(name, _)| name == "claim_number")
        .map(|(_, value)| value);
    let query = status::parse(values).map_err(Denied::Invalid);

    let load = store::load_status(&call.db, &key, query.as_ref().ok());
    let App {
        limiters, settings, ..
    } = call.app.as_ref();
    let ask = limiters.ask(key.hash(), Group::Reads, settings.limits.reads);
    let of =
        |snapshot: &status::Snapshot| authorize::is_in_force(snapshot.credential.as_ref(), &call);
    let (snapshot, verdict) = authorize::load_and_count(&key, ask, load, of).await?;
    let used = authorize::authorize(
        &call,
        snapshot.credential.as_ref(),
        verdict,
        Scope::ClaimsRead,
    );
    authorize::record_use(&call, used);

    let mut snapshot = snapshot;
    for _ in 0..STATUS_ROUNDS {
        let open =
            |place, link: &StoredSigningLink| crate::signing::page::address(&call, place, link);
        let (caller, answer) = status::decide(query.as_ref(), &snapshot, verdict, &call.ctx, open)?;
        let claim = snapshot.claim.as_ref();
        let shown = claim.filter(|_| answer.claim.signing.link.is_some());
        let shown = shown.and_then(|claim| Some((claim.id, claim.link.as_ref()?.id)));
        let noted = match shown {
            Some((claim, link)) => {
                let entry = status::handed_out(&caller, claim, link, &call.ctx);
                hand_out(&call, caller, entry).await
            }
            None => Ok(()),
        };
        match noted {
            // What has become of the caller, another look says.
            Err(Fault::Conflict(Guard::Credential)) => {
                snapshot = store::load_status(&call.db, &key, query.as_ref().ok()).await?;
            }
            noted => {
                noted?;
                return Ok(response::json(StatusCode::OK, &answer));
            }
        }
    }
    Err(Refusal::Unavailable("rounds"))
}

/// Writes down that a patient's link is handed out, while the caller may still have it.
async fn hand_out(call: &Call, caller: Caller, entry: Entry) -> Result<(), Fault> {
    let actor = Actor::ApiKey(caller.api_key_id);
    let guards = vec![plan::Guard::Key(caller)];
    let plan = pipeline::plan(&call.ctx, actor, guards, vec![Write::Audit(entry)]);
    pipeline::run(&call.db, &call.app, &plan).await.map(|_| ())
}
