//! A thread that reads.

use super::trial::Trial;
use super::{Counts, Job, Writing, address};
use overturn_service::host::Ran;
use overturn_service::sqlite::{fault, run};
use overturn_service::store::Statement;
use overturn_service::store::error::DatabaseError;
use rusqlite::Connection;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};

pub(super) struct Reader {
    pub(super) db: Connection,
    /// The first free reader takes the next job.
    pub(super) jobs: Arc<Mutex<Receiver<Job>>>,
    pub(super) writer: Sender<Job>,
    pub(super) writing: Writing,
    pub(super) counts: Arc<Counts>,
    pub(super) trial: Option<Trial>,
}

impl Reader {
    pub(super) fn run(mut self) {
        while let Some(job) = self.next() {
            if job.answer.is_closed() {
                continue;
            }
            match self.writes(&job.statements) {
                // If the writer is gone, so is the one who asked.
                Ok(true) => drop(self.writer.send(job)),
                Ok(false) => {
                    self.counts.reads.fetch_add(1, Ordering::Relaxed);
                    let ran = self.read(&job.statements);
                    let _unheard = job.answer.send(ran);
                }
                Err(error) => drop(job.answer.send(Err(error))),
            }
        }
    }

    fn next(&self) -> Option<Job> {
        self.jobs.lock().ok()?.recv().ok()
    }

    /// True if a statement writes, which is then remembered.
    fn writes(&self, statements: &[Statement]) -> Result<bool, DatabaseError> {
        for statement in statements {
            let prepared = self.db.prepare_cached(statement.sql).map_err(fault)?;
            if !prepared.readonly() {
                if let Ok(mut writing) = self.writing.write() {
                    writing.insert(address(statement));
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads all statements from one snapshot.
    fn read(&mut self, statements: &[Statement]) -> Result<Ran, DatabaseError> {
        if let Some(trial) = &mut self.trial {
            trial.reads(&self.db, statements)?;
        }
        if statements.len() == 1 {
            return run(&self.db, statements);
        }
        let snapshot = self.db.unchecked_transaction().map_err(fault)?;
        let ran = run(&snapshot, statements)?;
        snapshot.commit().map_err(fault)?;
        Ok(ran)
    }
}
