//! Decides a send and commits, until nothing is left to write.

use super::load as store;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::PresentedKey;
use crate::pipeline;
use crate::pipeline::{queue, tampered};
use overturn_core::claims::intake::{self, Decision, OpenedClaim, SendResponse, Stopped};
use overturn_core::request::error::RequestError;
use overturn_core::request::limit::Verdict;
use overturn_store::error::DatabaseError;
use std::sync::Arc;

/// The answer to a send.
pub(super) async fn settle<'a>(
    call: &Arc<Call>,
    key: &PresentedKey,
    parsed: Result<&'a intake::ValidSend<'a>, &RequestError>,
    mut loaded: store::Loaded,
    verdict: Option<Verdict>,
) -> Result<SendResponse<'a>, AppError> {
    let (app, ctx) = (&call.app, &call.ctx);
    // A practice's first send makes its data key. A send that loses the race for it starts over.
    for _ in 0..intake::MAX_DECISIONS {
        let snapshot = &mut loaded.snapshot;
        let (caller, send) = intake::admit(parsed, snapshot.credential.as_ref(), verdict, ctx)?;
        let practice = caller.practice_id;
        let keys = tampered::keys_to_seal(call, practice, loaded.data_key.as_ref())?;
        let identity = keys.identity();
        let rules = (&identity, app.settings.mismatches);
        match intake::decide(send, &caller, snapshot, rules, ctx)? {
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
                store::Committed::Stale => loaded = again(call, key, send, loaded).await?,
            },
        }
    }
    // If rights or claims keep changing, a request can use up all its decisions. Its writes stay, and the sender tries
    // again.
    Err(AppError::Unavailable("rounds"))
}

async fn again(
    call: &Call,
    key: &PresentedKey,
    send: &intake::ValidSend<'_>,
    before: store::Loaded,
) -> Result<store::Loaded, AppError> {
    let loaded = store::load_send(&call.db, key, Some(send), &call.ctx).await?;
    Ok(store::Loaded {
        snapshot: before.snapshot.again(loaded.snapshot),
        data_key: loaded.data_key,
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
