//! What is due in a sandbox by its clock, in the order of its instants: messages to webhooks, warnings that keys end, and the
//! scripted steps of claims.

use super::moves;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::settings::expiry;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::webhooks;
use futures_util::{StreamExt as _, stream};

/// How many sandboxes one run of the job looks after.
const SANDBOXES: usize = 100;
/// How long the job runs, in milliseconds, and how long for one sandbox. The next run does the rest.
const LONGEST_MS: i64 = 20_000;
const SLICE_MS: i64 = 2_000;

/// The sandboxes with something due, what their clocks say, and whether they are switched on. The one that the job looked
/// after longest ago comes first, so however much others have to do, each has its turn. One that is off takes no steps, and
/// its messages fail.
pub(super) fn sandboxes(now: Instant) -> Query<Vec<(PracticeId, Instant, bool)>> {
    select!(
        "sandbox.all_due",
        "SELECT json_group_array(json_array(id, at, json(iif(state = 'active', 'true', 'false')))) AS json FROM (
           SELECT p.id, p.clock_ms + CAST({now} AS INTEGER) AS at, p.state FROM practices p
           WHERE p.sandbox_of IS NOT NULL AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = p.id) AND (
             EXISTS (SELECT 1 FROM deliveries d WHERE d.practice_id = p.id AND d.sandbox = 1 AND d.state = 'pending'
               AND d.next_at <= p.clock_ms + CAST({now} AS INTEGER) AND coalesce(d.lease_ends, 0) <= CAST({now} AS INTEGER))
             OR p.state = 'active' AND (EXISTS (SELECT 1 FROM claims c
               WHERE c.practice_id = p.id AND c.script_at <= p.clock_ms + CAST({now} AS INTEGER))
             OR EXISTS (SELECT 1 FROM api_keys k
               WHERE k.practice_id = p.id AND k.warn_at <= p.clock_ms + CAST({now} AS INTEGER))
             OR EXISTS (SELECT 1 FROM api_tokens t
               WHERE t.practice_id = p.id AND t.warn_at <= p.clock_ms + CAST({now} AS INTEGER))))
           ORDER BY p.swept_at, p.id LIMIT CAST({most} AS INTEGER))";
        now, most = SANDBOXES
    )
    .or_default()
}

/// Takes what is due in all sandboxes by their clocks. One with much to do, a slow endpoint or a fault keeps no other one back.
pub(super) async fn sweep(jobs: &Jobs) -> Result<(), DatabaseError> {
    let began = jobs.app.host.now();
    let last = began.plus(LONGEST_MS);
    let each = stream::iter(jobs.db.read(&sandboxes(began)).await?).map(
        async |(id, until, is_on): (PracticeId, Instant, bool)| {
            let now = jobs.app.host.now();
            if now >= last {
                return Ok(());
            }
            let plan = pipeline::plan(&jobs.db.ctx()?, Actor::Service, Vec::new(), vec![swept(id, now)]);
            pipeline::run(&jobs.db, &jobs.app, &plan).await?;
            // One request at a time, so that those of all stay within what the platform opens.
            let within = (now.plus(SLICE_MS).min(last), 1);
            if is_on {
                take_due(jobs, (id, until), within).await
            } else {
                webhooks::deliver(jobs, (id, until), within).await.map(drop)
            }
        },
    );
    each.buffer_unordered(jobs.at_once).fold(Ok(()), async |all, one| all.and(one)).await
}

pub(super) fn swept(sandbox: PracticeId, now: Instant) -> Write {
    sql!("UPDATE practices SET swept_at = {now} WHERE id = {sandbox} AND sandbox_of IS NOT NULL"; sandbox, now)
}

/// Takes what is due in a sandbox at an instant of its clock, as far as there is time, with so many requests to endpoints at
/// once. What a step leads to may be due as well, so each round begins with what is due first.
pub(super) async fn take_due(
    jobs: &Jobs,
    (practice, until): (PracticeId, Instant),
    (ends, at_once): (Instant, usize),
) -> Result<(), DatabaseError> {
    let is_over = || jobs.app.host.now() >= ends;
    while !is_over() {
        let due = (moves::due(practice, until), expiry::due_in(practice, until));
        let (steps, warnings) = jobs.db.read(&due).await?;
        let instants = steps.iter().map(|step| step.due_at).chain(warnings.iter().map(|key| key.since));
        let first = instants.min();
        // An endpoint that fails for days is switched off, and misses what happens after that.
        let is_done = webhooks::deliver(jobs, (practice, first.unwrap_or(until)), (ends, at_once)).await?;
        let Some(first) = first.filter(|_| is_done) else { break };
        for key in warnings.iter().take_while(|key| key.since == first && !is_over()) {
            expiry::warn(jobs, key).await?;
        }
        // A step can make another one due before the end of the page.
        for step in steps.iter().take_while(|step| step.due_at == first && !is_over()) {
            match moves::take(jobs, step).await {
                // Somebody else takes it.
                Ok(()) | Err(DatabaseError::Conflict(FailedGuard::Record | FailedGuard::DataKey)) => {}
                // It was switched off.
                Err(DatabaseError::Conflict(FailedGuard::Credential)) => return Ok(()),
                Err(fault) => return Err(fault),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
