//! Decides a send and commits, until nothing is left to write.

use super::load as store;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{AnyBody, PresentedKey, WriteRequest};
use crate::pipeline;
use crate::pipeline::{queue, tampered};
use crate::response;
use crate::response::Response;
use http::StatusCode;
use overturn_core::base::ctx::Ctx;
use overturn_core::claims::intake::{self, Decision, OpenedClaim, SendResponse, Stopped};
use overturn_core::request::error::RequestError;
use overturn_core::request::limit::Verdict;
use overturn_store::error::DatabaseError;
use std::rc::Rc;

/// Who asks to send.
pub(super) enum Asking<'a> {
    /// A billing system, with the limiter's answer about its key.
    Key(&'a PresentedKey, Option<Verdict>),
    /// A person of the practice. The limiter has allowed the request.
    Person(&'a WriteRequest<AnyBody>),
}

/// The body of a send, or its problems.
pub(super) fn parse<'a>(
    body: &'a Result<Vec<u8>, RequestError>,
    ctx: &Ctx,
) -> Result<intake::ValidSend<'a>, RequestError> {
    let body = body.as_ref().map_err(RequestError::clone)?;
    intake::parse(body, ctx).map_err(RequestError::Invalid)
}

/// The response: `201` if a claim was new, `200` otherwise.
pub(super) fn response(answer: &SendResponse<'_>) -> Response {
    let status = if answer.submission_id.is_some() {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    response::json(status, answer)
}

/// The answer to a send.
pub(super) async fn settle<'a>(
    call: &Rc<Call>,
    asking: Asking<'_>,
    parsed: Result<&'a intake::ValidSend<'a>, &RequestError>,
    mut loaded: store::Loaded,
) -> Result<SendResponse<'a>, AppError> {
    let verdict = match asking {
        Asking::Key(_, verdict) => verdict,
        Asking::Person(_) => None,
    };
    let (app, ctx) = (&call.app, &call.ctx);
    // A practice's first send makes its data key. A send that loses the race for it starts over.
    for _ in 0..intake::MAX_DECISIONS {
        let (sender, send) = loaded.admit(parsed, verdict, ctx)?;
        let practice = sender.practice_id;
        let keys = tampered::keys_to_seal(call, practice, loaded.data_key.as_ref())?;
        let identity = keys.identity();
        let snapshot = &mut loaded.snapshot;
        let rules = (&identity, app.settings.mismatches);
        match intake::decide(send, &sender, snapshot, rules, ctx)? {
            Decision::Answer(answer) => return Ok(answer),
            Decision::Stopped(stopped) => return Err(stop(call, stopped).await?),
            Decision::Open(claims) => {
                let found = store::to_open(&call.db, practice, &claims).await?;
                let opened = found
                    .into_iter()
                    .map(|claim| OpenedClaim::open(claim, practice, &keys));
                let opened: Result<Vec<_>, _> = opened.collect();
                snapshot.hold(tampered::noted(call, opened)?);
            }
            Decision::Write(plan) => match store::commit(call, &keys, &plan).await? {
                store::Committed::Done(outcome) => {
                    snapshot.learn(&plan, outcome.unwrap_or_default())?;
                    queue::announce(call, &plan.writes);
                }
                store::Committed::Stale => loaded = again(call, &asking, send, loaded).await?,
            },
        }
    }
    // If rights or claims keep changing, a request can use up all its decisions. Its writes stay, and the sender tries
    // again.
    Err(AppError::Unavailable("rounds"))
}

async fn again(
    call: &Call,
    asking: &Asking<'_>,
    send: &intake::ValidSend<'_>,
    before: store::Loaded,
) -> Result<store::Loaded, AppError> {
    let loaded = match asking {
        Asking::Key(key, _) => store::load_send(&call.db, key, Some(send), &call.ctx).await?,
        Asking::Person(request) => store::load_send_of_person(request, Some(send), false).await?,
    };
    Ok(store::Loaded {
        snapshot: before.snapshot.again(loaded.snapshot),
        ..loaded
    })
}

/// The refusal of a send that is not compared. If the owners were not notified about the limit, their email is written
/// first; the scheduled job sends it.
async fn stop(call: &Call, stopped: Stopped) -> Result<AppError, DatabaseError> {
    let Stopped {
        items,
        retry_after,
        alarm,
    } = stopped;
    if let Some(plan) = alarm {
        match pipeline::run(&call.db, &call.app, &plan).await {
            // Another request wrote it first.
            Err(DatabaseError::Conflict(_)) => {}
            done => drop(done?),
        }
    }
    Ok(AppError::Request(RequestError::ResendsStopped {
        items,
        retry_after,
    }))
}
