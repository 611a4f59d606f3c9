//! The claims interface: `POST /api/v1/claims` and `GET /api/v1/claims/status`.

use crate::app::{Call, Limits};
use crate::error::Refusal;
use crate::extract::{Body, PresentedKey};
use crate::limiter::Group;
use crate::store::claims as store;
use crate::tampered;
use axum::Extension;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use futures_util::future::try_join;
use overturn_core::access::{self, Caller, Credential};
use overturn_core::denied::Denied;
use overturn_core::intake::{self, ClaimsMissing, Decision, SendResponse};
use overturn_core::limit::Verdict;
use overturn_core::scope::Scope;
use overturn_core::signing::link::StoredLink;
use overturn_core::status;
use std::sync::Arc;

/// `POST /api/v1/claims`.
///
/// 1. The key has the form of one, or `401`.
/// 2. Read the body and its problems.
/// 3. Load the caller and the claims while the limiter is asked.
/// 4. May the caller send? `401`, `429`, `403`. Is the request valid? `413`, `422`.
/// 5. Decide and write until nothing is left to write; a caller whose rights went meanwhile starts over at 4.
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

    let load = store::load_send(&call.db, &key, parsed.as_ref().ok());
    let ask = limit(&call, &key, Group::Sends, |limits| limits.sends);
    let (loaded, verdict) = try_join(load, ask).await?;
    let used = introduce(
        &call,
        &key,
        loaded.snapshot.credential.as_ref(),
        verdict,
        Scope::ClaimsWrite,
    );

    let outcome = settle(&call, &key, parsed.as_ref(), loaded, verdict).await;
    note(&call, used);
    let answer = outcome?;
    let status = if answer.submission_id.is_some() {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok(super::json(status, &answer))
}

/// Decides and writes until nothing is left to write.
async fn settle<'a>(
    call: &Arc<Call>,
    key: &PresentedKey,
    parsed: Result<&'a intake::Send<'a>, &Denied>,
    mut loaded: store::Loaded,
    verdict: Option<Verdict>,
) -> Result<SendResponse<'a>, Refusal> {
    let (app, ctx) = (&call.app, &call.ctx);
    // The first of its sends makes a practice's data key. One that loses the race for it starts over, once.
    for _ in 0..=intake::MAX_ROUNDS.saturating_add(1) {
        let snapshot = &mut loaded.snapshot;
        let (caller, send) = intake::admit(parsed, snapshot.credential.as_ref(), verdict, ctx)?;
        let practice = caller.practice_id;
        let keys = tampered::keys_to_seal(call, practice, loaded.data_key.as_ref())?;
        match intake::decide(send, &caller, snapshot, &keys.identity(), ctx)? {
            Decision::Answer(answer) => return Ok(answer),
            Decision::Write(plan) => {
                match store::commit(&call.db, (&app.keys, Some(&keys)), &plan).await? {
                    store::Committed::Done(outcome) => outcome
                        .ok_or(ClaimsMissing)
                        .and_then(|outcome| snapshot.learn(&plan, outcome))
                        .map_err(|ClaimsMissing| Refusal::Internal("claims missing"))?,
                    store::Committed::Stale => {
                        loaded = store::load_send(&call.db, key, Some(send)).await?;
                    }
                }
            }
        }
    }
    // Rights that go and come back in one request use up its rounds. What was written stays; the sender asks again.
    Err(Refusal::Unavailable("rounds"))
}

/// `GET /api/v1/claims/status`.
///
/// 1. The key has the form of one, or `401`.
/// 2. Load the caller and the claim while the limiter is asked.
/// 3. May the caller read? `401`, `429`, `403`. Is the query valid? `422`. Is there such a claim? `404`.
/// 4. `200`.
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
    let ask = limit(&call, &key, Group::Reads, |limits| limits.reads);
    let (snapshot, verdict) = try_join(load, ask).await?;
    let used = introduce(
        &call,
        &key,
        snapshot.credential.as_ref(),
        verdict,
        Scope::ClaimsRead,
    );
    note(&call, used);

    let open = |place, link: &StoredLink| super::signing::address(&call, place, link);
    let (_, answer) = status::decide(query.as_ref(), &snapshot, verdict, &call.ctx, open)?;
    Ok(super::json(StatusCode::OK, &answer))
}

/// Asks the key's limiter, unless limits are switched off.
async fn limit(
    call: &Call,
    key: &PresentedKey,
    group: Group,
    rule: fn(&Limits) -> overturn_core::limit::Rule,
) -> Result<Option<Verdict>, Refusal> {
    let Some(limits) = &call.app.settings.limits else {
        return Ok(None);
    };
    call.app
        .limiters
        .ask(key.hash(), group, rule(limits))
        .await
        .map(Some)
}

/// Who is calling is known now: the log may name them and they are told of their limit. The limiter was asked before it
/// was known whether the key exists; where it does not, nothing may stay of it.
///
/// Gives the caller whose use of the key is to be noted: every use that is allowed, whatever comes of the request.
fn introduce(
    call: &Arc<Call>,
    key: &PresentedKey,
    credential: Option<&Credential>,
    verdict: Option<Verdict>,
    scope: Scope,
) -> Option<Caller> {
    if let Some(credential) = credential {
        call.trace.caller(credential, verdict);
    } else if verdict.is_some() {
        let (call, hash) = (Arc::clone(call), key.hash().to_owned());
        call.clone().context.wait_until(async move {
            // What is left behind when this fails, the limiter's alarm removes.
            let _forgotten = call.app.limiters.forget(&hash).await;
        });
    }
    let caller = access::authorise(credential, verdict, scope, call.ctx.now).ok()?;
    caller.touch.then_some(caller)
}

/// Notes a use of a key behind the answer.
fn note(call: &Arc<Call>, used: Option<Caller>) {
    if let Some(caller) = used {
        let call = Arc::clone(call);
        call.clone().context.wait_until(async move {
            // A use that is not noted now is noted by the next one.
            let _noted = store::touch(&call.db, &call.app.keys, caller, &call.ctx).await;
        });
    }
}
