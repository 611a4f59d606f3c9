//! Deciding a send and writing what it decides, until nothing is left to write.

use crate::app::{App, Call};
use crate::door;
use crate::error::Refusal;
use crate::extract::PresentedKey;
use crate::mail::letters;
use crate::store::claims as store;
use crate::store::fault::Fault;
use crate::store::{column, deliveries, rows};
use crate::tampered;
use crate::webhooks;
use overturn_core::denied::Denied;
use overturn_core::id::PracticeId;
use overturn_core::intake::{self, ClaimsMissing, Decision, OpenedClaim, SendResponse, Stopped};
use overturn_core::limit::Verdict;
use overturn_core::plan::Plan;
use overturn_core::role::Role;
use serde_json::json;
use std::sync::Arc;

/// The answer to a send.
pub(super) async fn settle<'a>(
    call: &Arc<Call>,
    key: &PresentedKey,
    parsed: Result<&'a intake::Send<'a>, &Denied>,
    mut loaded: store::Loaded,
    verdict: Option<Verdict>,
) -> Result<SendResponse<'a>, Refusal> {
    let (app, ctx) = (&call.app, &call.ctx);
    // The first of its sends makes a practice's data key. One that loses the race for it starts over.
    for _ in 0..intake::MAX_DECISIONS {
        let snapshot = &mut loaded.snapshot;
        let (caller, send) = intake::admit(parsed, snapshot.credential.as_ref(), verdict, ctx)?;
        let practice = caller.practice_id;
        let keys = tampered::keys_to_seal(call, practice, loaded.data_key.as_ref())?;
        let identity = keys.identity();
        let rules = (&identity, app.settings.mismatches);
        match intake::decide(send, &caller, snapshot, rules, ctx)? {
            Decision::Answer(answer) => return Ok(answer),
            Decision::Stopped(stopped) => return Err(stop(call, practice, stopped)),
            Decision::LookAgain => loaded = again(call, key, send, loaded).await?,
            Decision::Open(claims) => {
                let found = store::to_open(&call.db, practice, &claims).await?;
                let opened = found
                    .into_iter()
                    .map(|claim| OpenedClaim::open(claim, practice, &keys));
                let opened: Result<Vec<_>, _> = opened.collect();
                snapshot.hold(tampered::noted(call, opened)?);
            }
            Decision::Write(plan) => {
                match store::commit(&call.db, (&app.keys, Some(&keys)), &plan).await? {
                    store::Committed::Done(outcome) => {
                        snapshot
                            .learn(&plan, outcome.unwrap_or_default())
                            .map_err(|ClaimsMissing| Refusal::Internal("claims missing"))?;
                        webhooks::announce(call, &plan.writes);
                    }
                    store::Committed::Stale => loaded = again(call, key, send, loaded).await?,
                }
            }
        }
    }
    // Rights that go and come back, or claims that others change all the time, use up the decisions of a request. What was
    // written stays; the sender asks again.
    Err(Refusal::Unavailable("rounds"))
}

async fn again(
    call: &Call,
    key: &PresentedKey,
    send: &intake::Send<'_>,
    before: store::Loaded,
) -> Result<store::Loaded, Refusal> {
    let loaded = store::load_send(&call.db, key, Some(send), &call.ctx).await?;
    Ok(store::Loaded {
        snapshot: before.snapshot.again(loaded.snapshot),
        data_key: loaded.data_key,
    })
}

/// What a send is refused with that is not compared. The first of a day and bound has the owners told, behind the answer.
fn stop(call: &Arc<Call>, practice: PracticeId, stopped: Stopped) -> Refusal {
    let Stopped {
        items,
        retry_after,
        alarm,
    } = stopped;
    if let Some(plan) = alarm {
        let call = Arc::clone(call);
        call.clone().context.wait_until(async move {
            if let Err(fault) = tell_owners(&call, practice, &plan).await {
                let reason = fault.kind();
                worker::console_error!(
                    "{}",
                    json!({ "event": "owners_not_told", "practice_id": practice, "reason": reason })
                );
            }
        });
    }
    Refusal::Denied(Denied::ResendsStopped { items, retry_after })
}

/// Writes down that the owners are told, and tells them. Of several requests at once, one does.
async fn tell_owners(call: &Call, practice: PracticeId, plan: &Plan<'static>) -> Result<(), Fault> {
    let app: &App = &call.app;
    match door::run(&call.db, app, plan).await {
        Err(Fault::Conflict(_)) => return Ok(()),
        done => done?,
    };
    let read = [deliveries::addresses(practice, &[Role::Owner])];
    let read = call.db.batch(&read).await?;
    let to: Option<Vec<String>> = rows::one(column(&read, 0)).map_err(|_| Fault::Broken("row"))?;
    for to in to.unwrap_or_default() {
        // The mailer has logged why where it failed.
        let _sent = app.mailer.send(&letters::resends_stopped(&to)).await;
    }
    Ok(())
}
