//! The scheduled job for leftover deliveries.

use crate::background::Background;
use crate::platform;
use overturn_core::base::date::Date;
use overturn_store::claims::mismatches;
use overturn_store::column;
use overturn_store::fault::Fault;
use overturn_store::webhooks::attempts;
use serde_json::json;

const DAY_MS: i64 = 86_400_000;
/// How long a sweep runs, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 50_000;

/// Tells what is due, whoever was to tell it, removes what nobody looks at any more, forgets the mismatches of earlier days, and numbers the claims that a Worker from
/// before left without a number of change.
pub(crate) async fn sweep(background: &Background) {
    if let Err(fault) = run(background).await {
        let reason = fault.to_string();
        worker::console_error!("{}", json!({ "event": "sweep_failed", "reason": reason }));
    }
}

async fn run(background: &Background) -> Result<(), Fault> {
    let began = platform::now();
    let mut statements: Vec<_> = attempts::forget(began).into();
    // The counts of today and yesterday stay: a request that began before midnight counts for its own day.
    let yesterday = Date::of(began.plus(-DAY_MS));
    statements.extend([
        overturn_store::claims::writes::number_claims(),
        mismatches::forget(yesterday),
    ]);
    loop {
        let now = platform::now();
        let query = attempts::due(now);
        statements.push(query.statement().clone());
        let read = background.db.batch(&statements).await?;
        let due = query.row(column(&read, statements.len().saturating_sub(1)))?;
        if due.is_empty() || now.since(began) > LONGEST_MS {
            return Ok(());
        }
        background.dispatch_all(due).await;
        statements.clear();
    }
}
