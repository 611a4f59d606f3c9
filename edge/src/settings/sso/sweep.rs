//! The scheduled job that warns practices about certificates of identity providers that end soon.

use crate::background::Background;
use crate::pipeline;
use crate::platform;
use overturn_core::base::time::Time;
use overturn_core::plan::Actor;
use overturn_core::settings::sso::ending::{self, EndingProvider};
use overturn_store::error::{DatabaseError, FailedGuard};
use overturn_store::settings::sso as queries;
use serde_json::json;

/// How long a sweep runs, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 10_000;

/// Warns each practice that is due to be warned. Usually none is, and this reads no row.
pub(crate) async fn sweep(background: &Background) {
    if let Err(fault) = warn_due(background).await {
        let reason = fault.to_string();
        worker::console_error!(
            "{}",
            json!({ "event": "sso_sweep_failed", "reason": reason })
        );
    }
}

async fn warn_due(background: &Background) -> Result<(), DatabaseError> {
    let began = platform::now();
    loop {
        let due = background.db.read(&queries::ending(began)).await?;
        for ending in &due {
            warn(background, *ending).await?;
        }
        if due.len() < queries::ENDING_MAX || platform::now().since(began) > LONGEST_MS {
            return Ok(());
        }
    }
}

async fn warn(background: &Background, ending: EndingProvider) -> Result<(), DatabaseError> {
    let ctx = platform::ctx()?;
    let change = ending::warn(ending, &ctx);
    let plan = pipeline::plan(&ctx, Actor::Service, change.guards, change.writes);
    match pipeline::run(&background.db, &background.app, &plan).await {
        // Another sweep has warned, or the provider has changed.
        Err(DatabaseError::Conflict(FailedGuard::Record)) => return Ok(()),
        done => done.map(drop)?,
    }
    worker::console_log!(
        "{}",
        json!({
            "event": "provider_ending", "practice_id": ending.practice_id, "provider_id": ending.id,
            "ends_at": Time(ending.ends_at),
        })
    );
    Ok(())
}
