//! The scheduled job that warns practices about certificates of identity providers that end soon.

use crate::jobs::Jobs;
use crate::pipeline;
use overturn_core::base::time::Time;
use overturn_core::plan::Actor;
use overturn_core::settings::sso::ending::{self, EndingProvider};
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::settings::sso as queries;
use serde_json::json;

/// How long a sweep runs, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 10_000;

/// Warns each practice that is due to be warned. Usually none is, and this reads no row.
pub(crate) async fn sweep(jobs: &Jobs) {
    if let Err(fault) = warn_due(jobs).await {
        let reason = fault.to_string();
        log::error!("{}", json!({ "event": "sso_sweep_failed", "reason": reason }));
    }
}

async fn warn_due(jobs: &Jobs) -> Result<(), DatabaseError> {
    let began = jobs.app.host.now();
    loop {
        let due = jobs.db.read(&queries::ending(began)).await?;
        for ending in &due {
            warn(jobs, *ending).await?;
        }
        if due.len() < queries::ENDING_MAX || jobs.app.host.now().since(began) > LONGEST_MS {
            return Ok(());
        }
    }
}

async fn warn(jobs: &Jobs, ending: EndingProvider) -> Result<(), DatabaseError> {
    let ctx = jobs.app.host.ctx()?;
    let change = ending::warn(ending, &ctx);
    let plan = pipeline::plan(&ctx, Actor::Service, change.guards, change.writes);
    match pipeline::run(&jobs.db, &jobs.app, &plan).await {
        // Another sweep has warned, or the provider has changed.
        Err(DatabaseError::Conflict(FailedGuard::Record)) => return Ok(()),
        done => done.map(drop)?,
    }
    log::info!(
        "{}",
        json!({
            "event": "provider_ending", "practice_id": ending.practice_id, "provider_id": ending.id,
            "ends_at": Time(ending.ends_at),
        })
    );
    Ok(())
}
