//! The scheduled job that counts claims. It reads the claims that changed since it ran last, by the number of their change.

use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::store::error::DatabaseError;

/// How many changes of a practice one run counts. The next run counts the others.
const CHANGES: i64 = 20_000;

/// Counts the changes of all practices, in one batch.
pub(crate) async fn sweep(jobs: &Jobs) {
    if let Err(fault) = run(jobs).await {
        jobs.db.failed("claims_not_counted", fault);
    }
}

async fn run(jobs: &Jobs) -> Result<(), DatabaseError> {
    let plan = pipeline::plan(&jobs.db.ctx()?, Actor::Service, Vec::new(), count().into());
    pipeline::run(&jobs.db, &jobs.app, &plan).await.map(drop)
}

/// Adds the claims to the counts, and notes up to which change they are counted.
pub(crate) fn count() -> [Write; 2] {
    [
        sql!(
            "INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low,
               recovered_high, recovered_low)
             SELECT s.value, u.status, u.due, count(*), sum(u.billed_high), sum(u.billed_low), sum(u.denied_high),
               sum(u.denied_low), sum(u.recovered_high), sum(u.recovered_low)
             FROM practices p CROSS JOIN uncounted_claims u CROSS JOIN json_each(json_array(p.id, 'all')) s
             WHERE p.sandbox_of IS NULL AND p.state IN ('active', 'inactive') AND u.scope = p.id AND u.changed <= p.counted + CAST({changes} AS INTEGER)
             GROUP BY 1, 2, 3
             ON CONFLICT (scope, status, due) DO UPDATE SET claims = claims + excluded.claims,
               billed_high = billed_high + excluded.billed_high, billed_low = billed_low + excluded.billed_low,
               denied_high = denied_high + excluded.denied_high, denied_low = denied_low + excluded.denied_low,
               recovered_high = recovered_high + excluded.recovered_high,
               recovered_low = recovered_low + excluded.recovered_low";
            changes = CHANGES
        ),
        sql!(
            "UPDATE practices SET counted = min(counted + CAST({changes} AS INTEGER),
               (SELECT max(c.changed) FROM claims c WHERE c.practice_id = practices.id))
             WHERE sandbox_of IS NULL AND state IN ('active', 'inactive') AND counted < (SELECT max(c.changed) FROM claims c WHERE c.practice_id = practices.id)";
            changes = CHANGES
        ),
    ]
}
