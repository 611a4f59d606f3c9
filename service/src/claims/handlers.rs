//! The claims interface: `POST /api/v1/claims` and `GET /api/v1/claims/status`.

use super::settle::{self, Asking};
use super::{link, load as store};
use crate::app::App;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{KeyRequest, PresentedKey, SendRequest, values};
use crate::pipeline;
use crate::pipeline::key as authorize;
use crate::rate_limiter::{Group, mark_hasher};
use crate::response;
use crate::response::Response;
use http::StatusCode;
use overturn_core::auth::key::Caller;
use overturn_core::auth::scope::Scope;
use overturn_core::claims::{intake, status};
use overturn_core::plan::signing::link::StoredSigningLink;
use overturn_core::plan::{self, Actor, Write};
use overturn_core::request::error::RequestError;
use overturn_core::request::limit::Verdict;
use overturn_store::error::{DatabaseError, FailedGuard};
use std::rc::Rc;

/// How many times a status read with a signing link is decided if the caller's rights keep changing.
const STATUS_ROUNDS: usize = 3;

/// `POST /api/v1/claims`.
///
/// 1. The key has a valid form, or `401`.
/// 2. Read the body and its problems.
/// 3. Load the caller and the claims, in parallel with the limiter.
/// 4. May the caller send? `401`, `429`, `403`. Is the request valid? `408`, `413`, `422`.
/// 5. Decide and write until nothing is left to write. If the caller's rights have ended, go back to 4. `429` if too
///    many resends of the day did not match their claims.
/// 6. `201` if a claim was new, `200` otherwise.
pub(crate) async fn send(SendRequest { call, key, body }: SendRequest) -> Result<Response, AppError> {
    let parsed = settle::parse(&body, &call.ctx);
    let (loaded, verdict) = load_send(&call, &key, parsed.as_ref().ok()).await?;
    let credential = loaded.snapshot.credential.as_ref();
    let used = authorize::authorize(&call, credential, verdict, Scope::ClaimsWrite);
    let asking = Asking::Key(&key, verdict);
    let outcome = settle::settle(&call, asking, parsed.as_ref(), loaded).await;
    authorize::record_use(&call, used);
    Ok(settle::response(&outcome?))
}

/// Loads the data for a send, in parallel with the limiter.
async fn load_send(
    call: &Rc<Call>,
    key: &PresentedKey,
    send: Option<&intake::ValidSend<'_>>,
) -> Result<(store::Loaded, Option<Verdict>), AppError> {
    let load = store::load_send(&call.db, key, send, &call.ctx);
    let App { limiters, settings, keys, .. } = call.app.as_ref();
    let marks = send.map(|send| intake::marks(send, || mark_hasher(&keys.marks)));
    let marks = marks.unwrap_or_default();
    let ask = limiters.ask_to_send(key.hash(), settings.limits.sends, &marks);
    let of = |loaded: &store::Loaded| authorize::is_in_force(loaded.snapshot.credential.as_ref(), call);
    let (mut loaded, asked) = authorize::load_and_count((&call.app.memory.known_keys, key), ask, load, of).await?;
    let (verdict, contested) = asked.unzip();
    loaded.snapshot.contest(contested.into_iter().flatten());
    Ok((loaded, verdict))
}

/// `GET /api/v1/claims/status`.
///
/// 1. The key has a valid form, or `401`.
/// 2. Load the caller and the claim, in parallel with the limiter.
/// 3. May the caller read? `401`, `429`, `403`. Is the query valid? `422`. Does the claim exist? `404`.
/// 4. `200`. If the answer shows a signing link, its audit row is committed first.
pub(crate) async fn status(KeyRequest { call, key }: KeyRequest) -> Result<Response, AppError> {
    let query = status::parse(values(&call.url, "claim_number")).map_err(RequestError::Invalid);
    let (mut snapshot, verdict) = load_status(&call, &key, query.as_ref().ok()).await?;
    for _ in 0..STATUS_ROUNDS {
        let open = |place, link: &StoredSigningLink| link::address(&call, place, link);
        let (caller, answer) = status::decide(query.as_ref(), &snapshot, verdict, &call.ctx, open)?;
        match hand_out(&call, caller, &snapshot, &answer).await {
            // The rights of the caller have changed: the next round reads them again.
            Err(DatabaseError::Conflict(FailedGuard::Credential)) => {}
            noted => return Ok(noted.map(|()| response::json(StatusCode::OK, &answer))?),
        }
        snapshot = store::load_status(&call.db, &key, query.as_ref().ok()).await?;
    }
    Err(AppError::Unavailable("rounds"))
}

/// Loads the claim of a status read, in parallel with the limiter, and records the use of the key.
async fn load_status(
    call: &Rc<Call>,
    key: &PresentedKey,
    query: Option<&status::StatusQuery<'_>>,
) -> Result<(status::Snapshot, Option<Verdict>), AppError> {
    let load = store::load_status(&call.db, key, query);
    let App { limiters, settings, .. } = call.app.as_ref();
    let ask = limiters.ask(key.hash(), Group::Reads, settings.limits.reads);
    let of = |snapshot: &status::Snapshot| authorize::is_in_force(snapshot.credential.as_ref(), call);
    let (snapshot, verdict) = authorize::load_and_count((&call.app.memory.known_keys, key), ask, load, of).await?;
    let credential = snapshot.credential.as_ref();
    let used = authorize::authorize(call, credential, verdict, Scope::ClaimsRead);
    authorize::record_use(call, used);
    Ok((snapshot, verdict))
}

/// Records in the trail that the answer has a patient's link, if it has one and the caller may still read it.
async fn hand_out(
    call: &Call,
    caller: Caller,
    snapshot: &status::Snapshot,
    answer: &status::StatusResponse<'_>,
) -> Result<(), DatabaseError> {
    let claim = snapshot.claim.as_ref();
    let shown = claim.filter(|_| answer.claim.signing.link.is_some());
    let shown = shown.and_then(|claim| Some((claim.id, claim.link.as_ref()?.id)));
    let Some((claim, link)) = shown else {
        return Ok(());
    };
    let entry = status::handed_out(caller.practice_id, claim, link, &call.ctx);
    let actor = Actor::ApiKey(caller.api_key_id);
    let guards = vec![plan::Guard::Key(caller)];
    let plan = pipeline::plan(&call.ctx, actor, guards, vec![Write::Audit(entry)]);
    pipeline::run(&call.db, &call.app, &plan).await.map(drop)
}
