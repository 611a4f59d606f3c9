//! The scheduled job for leftover deliveries.

use crate::jobs::Jobs;
use crate::pipeline;
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::plan::{Actor, ClaimsWrite, Write};
use overturn_core::webhooks::dispatch;
use overturn_store::error::DatabaseError;
use overturn_store::webhooks::attempts;
use serde_json::json;

const DAY_MS: i64 = 86_400_000;
/// How long a sweep runs, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 50_000;

/// Removes old deliveries and mismatches, and sends every delivery that is due.
pub(crate) async fn sweep(jobs: &Jobs) {
    if let Err(fault) = run(jobs).await {
        let reason = fault.to_string();
        log::error!("{}", json!({ "event": "sweep_failed", "reason": reason }));
    }
}

async fn run(jobs: &Jobs) -> Result<(), DatabaseError> {
    let ctx = jobs.app.host.ctx()?;
    let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), old(ctx.now));
    let due = attempts::due(ctx.now);
    let mut due = pipeline::run_and_read(&jobs.db, &jobs.app, &plan, &due).await?;
    while !due.is_empty() {
        jobs.dispatch_all(due).await;
        let now = jobs.app.host.now();
        if now.since(ctx.now) > LONGEST_MS {
            break;
        }
        due = jobs.db.read(&attempts::due(now)).await?;
    }
    Ok(())
}

/// Removes old records. The mismatches of today and yesterday stay: a request that began before midnight counts for its
/// own day.
fn old(now: Instant) -> Vec<Write<'static>> {
    let yesterday = Date::of(now.plus(-DAY_MS));
    let mismatches = Write::Claims(ClaimsWrite::MismatchesForgotten(yesterday));
    dispatch::forget(now).into_iter().chain([mismatches]).collect()
}
