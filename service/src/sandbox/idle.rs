//! Sandboxes that nobody calls are emptied.

use super::own::emptying;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::sandbox::SANDBOX_IDLE_MS;
use crate::prelude::*;
use crate::store::error::DatabaseError;

/// How many one run of the job has emptied.
const MOST: usize = 20;

/// The sandboxes with claims whose keys and tokens made no call for long, by their clocks, and the practice of each. One that is being
/// emptied is left out.
pub(super) fn idle(now: Instant) -> Query<Vec<(PracticeId, PracticeId)>> {
    select!(
        "sandbox.idle",
        "SELECT json_group_array(json_array(id, sandbox_of)) AS json FROM (
           SELECT p.id, p.sandbox_of FROM practices p
           WHERE p.sandbox_of IS NOT NULL
             AND coalesce((SELECT max(u.at) FROM (
                 SELECT k.last_used_at AS at FROM api_keys k WHERE k.practice_id = p.id
                 UNION ALL SELECT t.last_used_at FROM api_tokens t WHERE t.practice_id = p.id) u), p.created_at)
               < CAST({before} AS INTEGER) + p.clock_ms
             AND EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = p.id)
             AND NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = p.id AND j.kind = 'destruction'
               AND j.state IN ('waiting', 'running'))
           LIMIT CAST({most} AS INTEGER))";
        before = now.plus(SANDBOX_IDLE_MS.saturating_neg()), most = MOST
    )
    .or_default()
}

/// Has idle sandboxes emptied. The trail of the practice says so.
pub(super) async fn empty(jobs: &Jobs) -> Result<(), DatabaseError> {
    for (sandbox, of) in jobs.db.read(&idle(jobs.app.host.now())).await? {
        let ctx = jobs.app.host.ctx()?;
        let audit = Entry::new(&ctx, 0, Some(of), Event::SandboxEmptied, sandbox);
        let writes = vec![emptying(sandbox, Actor::Service.to_string(), &ctx), Write::Audit(audit)];
        let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), writes);
        pipeline::run(&jobs.db, &jobs.app, &plan).await?;
    }
    Ok(())
}
