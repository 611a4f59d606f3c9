//! The thread that writes.

use super::trial::Trial;
use super::{Counts, Job};
use crate::clock;
use overturn_service::host::Ran;
use overturn_service::sqlite::{fault, run};
use overturn_service::store::error::DatabaseError;
use rusqlite::Connection;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The most batches of a group.
const MOST: usize = 128;
/// A group takes no further batch after this time: its first one waits for all of it.
const LONGEST: Duration = Duration::from_millis(20);

type Answer = Result<Ran, DatabaseError>;

/// Runs jobs until all senders are gone.
pub(super) fn write(db: &Connection, jobs: &Receiver<Job>, counts: &Counts, mut trial: Option<Trial>) {
    while let Ok(first) = jobs.recv() {
        let (jobs, answers) = together(db, first, jobs, trial.as_mut());
        counts.commits.fetch_add(1, Ordering::Relaxed);
        let answers = answers.unwrap_or_else(|| {
            // Every batch may run twice, so it does no harm if the group was committed after all.
            jobs.iter().map(|job| alone(db, job)).collect()
        });
        counts.writes.fetch_add(jobs.len() as u64, Ordering::Relaxed);
        for (job, answer) in jobs.into_iter().zip(answers) {
            let _unheard = job.answer.send(answer);
        }
    }
}

/// Runs a job, and those that come while it runs, in one transaction. There are no answers if all of it was rolled back.
fn together(
    db: &Connection,
    first: Job,
    more: &Receiver<Job>,
    mut trial: Option<&mut Trial>,
) -> (Vec<Job>, Option<Vec<Answer>>) {
    let began = clock::moment();
    let mut jobs = Vec::new();
    let mut answers = Vec::new();
    let mut is_whole = db.execute_batch("BEGIN IMMEDIATE").is_ok();
    let mut next = Some(first);
    while let Some(job) = next {
        if !job.answer.is_closed() {
            if is_whole {
                let answer = in_savepoint(db, &job, trial.as_deref_mut());
                answers.push(answer);
                // Some failures, such as a full disk, end the whole transaction.
                is_whole = !db.is_autocommit();
            }
            jobs.push(job);
        }
        let goes_on = is_whole && jobs.len() < MOST && began.elapsed() < LONGEST;
        next = goes_on.then(|| more.try_recv().ok()).flatten();
    }
    is_whole = is_whole && db.execute_batch("COMMIT").is_ok();
    if !is_whole && !db.is_autocommit() {
        let _ended = db.execute_batch("ROLLBACK");
    }
    (jobs, is_whole.then_some(answers))
}

fn in_savepoint(db: &Connection, job: &Job, trial: Option<&mut Trial>) -> Answer {
    db.prepare_cached("SAVEPOINT batch").and_then(|mut begin| begin.execute([])).map_err(fault)?;
    let ran = run(db, &job.statements).and_then(|ran| match trial {
        Some(trial) => trial.judge(db, &job.statements).map(|()| ran),
        None => Ok(ran),
    });
    if ran.is_err() && !db.is_autocommit() {
        db.execute_batch("ROLLBACK TO batch").map_err(fault)?;
    }
    if !db.is_autocommit() {
        db.prepare_cached("RELEASE batch").and_then(|mut end| end.execute([])).map_err(fault)?;
    }
    ran
}

fn alone(db: &Connection, job: &Job) -> Answer {
    db.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
    let ran = run(db, &job.statements).and_then(|ran| {
        db.execute_batch("COMMIT").map_err(fault)?;
        Ok(ran)
    });
    if !db.is_autocommit() {
        let _ended = db.execute_batch("ROLLBACK");
    }
    ran
}
