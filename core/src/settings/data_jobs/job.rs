//! A job, as stored and as shown.

use super::digest;
use crate::base::id::{DataJobId, PracticeId};
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::settings::data_jobs::{JobKind, JobState, NewJob, RecordCounts};
use crate::request::page::Item;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// How long the platform keeps the history of the database, in milliseconds: 30 days of D1 Time Travel.
const HISTORY_MS: i64 = 30 * 86_400_000;

/// A stored job.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Job {
    pub practice_id: PracticeId,
    pub id: DataJobId,
    pub kind: JobKind,
    pub state: JobState,
    pub version: i64,
    pub requested_at: Time,
    pub requested_by: String,
    pub due_at: Option<Time>,
    pub begun_at: Option<Time>,
    pub finished_at: Option<Time>,
    pub totals: RecordCounts,
    pub counts: RecordCounts,
    pub position: String,
    pub taken_from: Option<String>,
    pub bytes: i64,
    pub unreadable: i64,
    pub digest: Option<String>,
}

impl Job {
    /// A new job.
    #[must_use]
    pub fn begun(new: &NewJob, now: Instant) -> Self {
        let returns = new.kind == JobKind::Return;
        Self {
            practice_id: new.practice_id,
            id: new.id,
            kind: new.kind,
            state: if returns { JobState::Running } else { JobState::Waiting },
            version: 1,
            requested_at: Time(now),
            requested_by: new.requested_by.clone(),
            due_at: new.due_at.map(Time),
            begun_at: returns.then_some(Time(now)),
            finished_at: None,
            totals: new.totals.clone(),
            counts: RecordCounts::new(),
            position: String::new(),
            taken_from: None,
            bytes: 0,
            unreadable: 0,
            digest: None,
        }
    }

    /// The same after its end.
    #[must_use]
    pub fn ended(self, state: JobState, now: Instant) -> Self {
        Self { state, finished_at: Some(Time(now)), ..self }
    }
}

/// The progress of a job with the records of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Progress {
    pub kind: String,
    /// How many there were when the job was requested, or when a destruction began.
    pub total: i64,
    /// How many were returned or destroyed.
    pub done: i64,
}

/// The result of a job that is done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JobReport {
    /// Of a return: SHA-256 over all pages in order, in hex.
    pub sha256: Option<String>,
    /// Of a return: the length of all pages.
    pub bytes: Option<i64>,
    /// Of a return: how many records have a sealed part that no key opens.
    pub unreadable: Option<i64>,
    /// Of a destruction: the kept records.
    pub kept: Option<&'static [&'static str]>,
    /// Of a destruction: until when the platform keeps the database's history.
    pub history_until: Option<Time>,
}

/// What a destruction keeps. None of it is patient data.
const KEPT: &[&str] = &["practice", "members", "agreements", "api_keys", "api_tokens", "data_jobs", "audit"];

/// A job, as shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JobView {
    id: DataJobId,
    kind: JobKind,
    state: JobState,
    requested_at: Time,
    requested_by: String,
    due_at: Option<Time>,
    begun_at: Option<Time>,
    finished_at: Option<Time>,
    /// Of a running return: the cursor of its next page, empty for the first.
    cursor: Option<String>,
    records: Vec<Progress>,
    report: Option<JobReport>,
}

impl Item for JobView {
    const LIST: &'static str = "data_jobs";
}

impl JobView {
    #[must_use]
    pub const fn id(&self) -> DataJobId {
        self.id
    }

    /// A job, as shown.
    #[must_use]
    pub fn of(job: Job) -> Self {
        let running = job.kind == JobKind::Return && job.state == JobState::Running;
        let done = |kind: &str| job.counts.get(kind).copied().unwrap_or(0);
        let records =
            job.totals.iter().map(|(kind, total)| Progress { kind: kind.clone(), total: *total, done: done(kind) });
        Self {
            records: records.collect(),
            report: report(&job),
            cursor: running.then(|| job.position.clone()),
            id: job.id,
            kind: job.kind,
            state: job.state,
            requested_at: job.requested_at,
            requested_by: job.requested_by,
            due_at: job.due_at,
            begun_at: job.begun_at,
            finished_at: job.finished_at,
        }
    }
}

fn report(job: &Job) -> Option<JobReport> {
    if job.state != JobState::Done {
        return None;
    }
    Some(match job.kind {
        JobKind::Return => JobReport {
            sha256: job.digest.as_deref().and_then(digest::result),
            bytes: Some(job.bytes),
            unreadable: Some(job.unreadable),
            kept: None,
            history_until: None,
        },
        JobKind::Destruction => JobReport {
            sha256: None,
            bytes: None,
            unreadable: None,
            kept: Some(KEPT),
            history_until: job.finished_at.map(|at| Time(at.0.plus(HISTORY_MS))),
        },
    })
}
