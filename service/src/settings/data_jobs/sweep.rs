//! The scheduled job: it sends due emails and runs due destructions, page by page.

use super::destruction::{self, DestructionStep};
use super::job::{Job, JobState};
use super::letters;
use super::stages::{self, DestructionStage, ROWS};
use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::cell::Cell;
use std::rc::Rc;

/// How long a sweep runs, in milliseconds. The next sweep does the rest.
const LONGEST_MS: i64 = 25_000;

/// Sends due emails and continues due destructions. The next sweep retries the failures.
pub(crate) async fn sweep(jobs: &Jobs) {
    if let Err(fault) = letters::send(jobs).await {
        jobs.db.failed("notices_failed", fault);
    }
    if let Err(fault) = destroy_due(jobs).await {
        jobs.db.failed("destruction_failed", fault);
    }
}

async fn destroy_due(jobs: &Jobs) -> Result<(), DatabaseError> {
    let began = jobs.app.host.now();
    destroy_all(jobs, jobs.db.read(&destruction::due(began)).await?, began).await
}

/// Empties the sandbox of the caller's practice at once, as far as there is time. The next sweep does the rest.
pub(crate) async fn empty_sandbox(jobs: &Jobs, caller: &str) -> Result<(), DatabaseError> {
    let began = jobs.app.host.now();
    destroy_all(jobs, jobs.db.read(&destruction::of_sandbox_of(caller)).await?, began).await
}

async fn destroy_all(jobs: &Jobs, due: Vec<(Job, bool)>, began: Instant) -> Result<(), DatabaseError> {
    let mut done = Ok(());
    for (job, is_of_sandbox) in due {
        match destroy(jobs, job, is_of_sandbox, began).await {
            // Another sweep runs this destruction, or has already run it.
            Ok(()) | Err(DatabaseError::Conflict(FailedGuard::Record)) => {}
            // The job moved with its practice.
            Err(fault) if fault.has_left() => {}
            // The others go on.
            fault => done = done.and(fault),
        }
    }
    done
}

/// Destroys the data of one practice as far as there is time.
async fn destroy(jobs: &Jobs, job: Job, is_of_sandbox: bool, began: Instant) -> Result<(), DatabaseError> {
    let (practice, id) = (job.practice_id, job.id);
    if job.state == JobState::Waiting {
        let open = jobs.db.read(&destruction::open_return(practice)).await?;
        let ctx = jobs.db.ctx()?;
        let begin = destruction::begin(&job, open.as_ref(), &ctx);
        step(jobs, begin, &ctx).await?;
    }
    if !is_of_sandbox {
        // The directory forgets in a batch of its own. It knows nothing of sandboxes.
        let directory = Jobs::new(Rc::clone(&jobs.app), Cell::FIRST);
        step(&directory, (Vec::new(), vec![destruction::unfiltered(practice)]), &directory.db.ctx()?).await?;
    }
    // Starts at the first table, also after a crash: an empty table costs one query.
    for stage in DestructionStage::ALL {
        loop {
            let now = jobs.app.host.now();
            if now.since(began) > LONGEST_MS {
                return Ok(());
            }
            let ctx = jobs.db.ctx()?;
            let page = stages::page(&job, *stage, now);
            let plan = pipeline::plan(&ctx, Actor::Service, Vec::new(), page);
            let done = pipeline::run(&jobs.db, &jobs.app, &plan).await?;
            if done.last().is_none_or(|done| done.changes < ROWS) {
                break;
            }
        }
    }
    let job = jobs.db.read(&destruction::job(practice, id)).await?;
    let Some(job) = job.filter(|job| job.state == JobState::Running) else {
        return Ok(());
    };
    let ctx = jobs.db.ctx()?;
    step(jobs, destruction::finish(&job, &ctx), &ctx).await?;
    log::info!("{}", json!({ "event": "data_destroyed", "practice_id": practice, "job_id": id }));
    Ok(())
}

async fn step(jobs: &Jobs, (guards, writes): DestructionStep, ctx: &Ctx) -> Result<(), DatabaseError> {
    let plan = pipeline::plan(ctx, Actor::Service, guards, writes);
    pipeline::run(&jobs.db, &jobs.app, &plan).await.map(drop)
}
