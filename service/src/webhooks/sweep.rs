//! The scheduled job for leftover deliveries.

use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::{Actor, Write};
use crate::sql::sql;
use crate::store::error::DatabaseError;
use crate::webhooks::attempt::{KEPT_MS, MISSED_MS};
use crate::webhooks::lease::due;
use futures_util::future::ready;
use futures_util::stream::{self, Stream, StreamExt as _};
use overturn_core::base::date::Date;
use overturn_core::base::instant::{DAY_MS, Instant};

/// How long a sweep begins attempts, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 50_000;

/// Removes old deliveries and mismatches, and sends every delivery of a live practice that is due.
pub(crate) async fn sweep(jobs: &Jobs) {
    if let Err(fault) = run(jobs).await {
        jobs.db.failed("sweep_failed", fault);
    }
}

async fn run(jobs: &Jobs) -> Result<(), DatabaseError> {
    let ctx = jobs.db.ctx()?;
    let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), old(ctx.now));
    let mut due_now = pipeline::run_and_read(&jobs.db, &jobs.app, &plan, &due(ctx.now)).await?;
    let now = || jobs.app.host.now();
    let until = ctx.now.plus(LONGEST_MS);
    while !due_now.is_empty() {
        jobs.dispatch_all(in_time(due_now, until, now)).await;
        if now() > until {
            break;
        }
        due_now = jobs.db.read(&due(now())).await?;
    }
    Ok(())
}

/// The first of these, as long as there is time when the next one is taken: each may wait for an endpoint that hangs.
pub(super) fn in_time<T>(all: Vec<T>, until: Instant, now: impl Fn() -> Instant) -> impl Stream<Item = T> {
    stream::iter(all).take_while(move |_| ready(now() <= until))
}

/// Removes old records. The mismatches of today and yesterday stay: a request that began before midnight counts for its
/// own day.
pub(super) fn old(now: Instant) -> Vec<Write> {
    let yesterday = Date::of(now.plus(-DAY_MS));
    let mismatches = sql!(
        "DELETE FROM mismatches WHERE day < {yesterday}
           AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = mismatches.practice_id)";
        yesterday
    );
    forget(now).into_iter().chain([mismatches]).collect()
}

/// Removes some of the old deliveries: those that have ended, whose logs go with them, and those that a switched-off endpoint
/// missed.
pub(super) fn forget(now: Instant) -> [Write; 2] {
    let before = |kept: i64| now.plus(kept.saturating_neg());
    let ended = sql!(
        "DELETE FROM deliveries WHERE (practice_id, webhook_id, id) IN (
           SELECT practice_id, webhook_id, id FROM deliveries
           WHERE state <> 'pending' AND last_at < CAST({before} AS INTEGER)
             AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id)
           ORDER BY last_at, practice_id, webhook_id, id LIMIT 1000)";
        before = before(KEPT_MS)
    );
    let missed = sql!(
        "DELETE FROM deliveries WHERE (practice_id, webhook_id, id) IN (
           SELECT practice_id, webhook_id, id FROM deliveries INDEXED BY deliveries_missed
           WHERE state = 'failed' AND attempts = 0 AND created_at < CAST({before} AS INTEGER)
             AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practice_id) LIMIT 1000)";
        before = before(MISSED_MS)
    );
    [ended, missed]
}
