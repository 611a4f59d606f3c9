//! Sandboxes that nobody calls are emptied.

use super::own::emptying;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::sandbox::SANDBOX_IDLE_MS;
use crate::prelude::*;
use crate::store::error::DatabaseError;

/// How many one run of the job looks at.
const MOST: usize = 20;

/// A sandbox whose turn it is to be looked at.
#[derive(Debug, Deserialize)]
pub(super) struct Looked {
    id: PracticeId,
    /// The practice whose sandbox it is.
    of: PracticeId,
    /// When a key or token of it made its last call, or when it was made, by the real clock.
    used_at: Instant,
    /// False without a claim, and if it is being emptied.
    full: bool,
}

/// The sandboxes whose turn it is. Each has one 90 days after its last known call, so this reads few rows of the others.
pub(super) fn due(now: Instant) -> Query<Vec<Looked>> {
    const EMPTIED: &str = destruction_open!("p.id");
    select!(
        "sandbox.idle",
        "SELECT json_group_array(json_object('id', p.id, 'of', p.sandbox_of,
             'used_at', coalesce((SELECT max(u.at) FROM (
               SELECT k.last_used_at AS at FROM api_keys k WHERE k.practice_id = p.id
               UNION ALL SELECT t.last_used_at FROM api_tokens t WHERE t.practice_id = p.id) u) - p.clock_ms, p.created_at),
             'full', json(iif(EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = p.id)
               AND NOT {EMPTIED}, 'true', 'false')))) AS json
         FROM (SELECT * FROM practices WHERE idle_at <= CAST({now} AS INTEGER)
             AND NOT EXISTS (SELECT 1 FROM absent a WHERE a.id = practices.id)
           ORDER BY idle_at LIMIT CAST({most} AS INTEGER)) p" [EMPTIED];
        now, most = MOST
    )
    .or_default()
}

/// Has a sandbox emptied if nobody called it for long, and notes when to look next. The trail of the practice says so.
pub(super) fn looked(sandbox: &Looked, ctx: &Ctx) -> Vec<Write> {
    let Looked { id, of, used_at, full } = *sandbox;
    let ends = used_at.plus(SANDBOX_IDLE_MS);
    let is_idle = ends <= ctx.now;
    let next = if is_idle { ctx.now.plus(SANDBOX_IDLE_MS) } else { ends };
    let noted = sql!("UPDATE practices SET idle_at = {next} WHERE id = {id} AND sandbox_of IS NOT NULL"; id, next);
    let emptied = (is_idle && full).then(|| {
        let audit = Entry::new(ctx, 0, Some(of), Event::SandboxEmptied, id);
        [emptying(id, Actor::Service.to_string(), ctx), Write::Audit(audit)]
    });
    [noted].into_iter().chain(emptied.into_iter().flatten()).collect()
}

/// Looks at the sandboxes whose turn it is.
pub(super) async fn empty(jobs: &Jobs) -> Result<(), DatabaseError> {
    for sandbox in jobs.db.read(&due(jobs.app.host.now())).await? {
        let ctx = jobs.db.ctx()?;
        let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), looked(&sandbox, &ctx));
        pipeline::run(&jobs.db, &jobs.app, &plan).await?;
    }
    Ok(())
}
