//! A job, as stored and as shown.

use super::digest;
use crate::prelude::*;
use overturn_core::base::id::DataJobId;
use overturn_core::base::instant::DAY_MS;
use std::collections::BTreeMap;

/// The number of records of each kind, by the name of the kind.
pub(crate) type RecordCounts = BTreeMap<String, i64>;

pub(super) const UNKNOWN: RequestError = RequestError::NotFound("no such data job");
pub(super) const BEING_DESTROYED: RequestError =
    RequestError::Conflict(Reason::DestructionBegun, "the data of the practice is being destroyed");

/// How long the platform keeps the history of the database, in milliseconds: 30 days of D1 Time Travel.
const HISTORY_MS: i64 = 30 * DAY_MS;

names! {
    JobKind {
        /// It returns all data to an owner.
        Return = "return",
        /// It destroys all data.
        Destruction = "destruction",
    }
}

names! {
    JobState {
        /// A destruction that has not begun.
        Waiting = "waiting",
        /// It has begun.
        Running = "running",
        /// It was canceled.
        Cancelled = "cancelled",
        /// It is complete.
        Done = "done",
    }
}

/// A stored job.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Job {
    pub(crate) practice_id: PracticeId,
    pub(super) id: DataJobId,
    pub(crate) kind: JobKind,
    pub(crate) state: JobState,
    pub(super) version: i64,
    pub(super) requested_at: Time,
    /// The requester, as [`Actor`](crate::plan::Actor) writes it.
    pub(super) requested_by: String,
    /// When a destruction begins.
    pub(super) due_at: Option<Time>,
    pub(super) begun_at: Option<Time>,
    pub(super) finished_at: Option<Time>,
    pub(crate) totals: RecordCounts,
    /// What was returned or destroyed.
    #[serde(flatten)]
    pub(crate) taken: Taken,
    /// The start of the next page of a return.
    pub(super) position: String,
    /// The start of the page that was read last.
    pub(super) taken_from: Option<String>,
    /// What was returned before that page. The page counts again if it is read again.
    pub(super) before: Option<Taken>,
}

/// The records that a job has returned or destroyed so far.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Taken {
    pub(crate) counts: RecordCounts,
    /// The length of all pages of a return.
    pub(super) bytes: i64,
    /// How many records have a sealed part that no key opens.
    pub(super) unreadable: i64,
    /// The state of the digest over all pages of a return.
    pub(super) digest: Option<String>,
}

impl Job {
    /// A new job. A destruction has the time when it begins.
    pub(crate) fn new(
        (practice_id, id): (PracticeId, DataJobId),
        (kind, due_at): (JobKind, Option<Instant>),
        requested_by: String,
        totals: RecordCounts,
        now: Instant,
    ) -> Self {
        let returns = kind == JobKind::Return;
        Self {
            practice_id,
            id,
            kind,
            state: if returns { JobState::Running } else { JobState::Waiting },
            version: 1,
            requested_at: Time(now),
            requested_by,
            due_at: due_at.map(Time),
            begun_at: returns.then_some(Time(now)),
            finished_at: None,
            totals,
            taken: Taken::default(),
            position: String::new(),
            taken_from: None,
            before: None,
        }
    }

    /// Stores a new job.
    pub(crate) fn insert(&self) -> Write {
        sql!(
            "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, due_at, begun_at, totals)
             VALUES ({practice}, {id}, {kind}, {state}, {requested_at}, {requested_by}, {due_at}, {begun_at}, {totals})
             ON CONFLICT (practice_id, id) DO NOTHING";
            practice = self.practice_id, id = self.id, kind = self.kind, state = self.state,
            requested_at = self.requested_at, requested_by = &self.requested_by, due_at = self.due_at,
            begun_at = self.begun_at, totals = Json(&self.totals)
        )
    }

    /// The job still has this version.
    pub(super) fn unchanged(&self) -> Guard {
        abort_if!(
            Record,
            "NOT EXISTS (
               SELECT 1 FROM data_jobs WHERE practice_id = {practice} AND id = {id} AND version = CAST({version} AS INTEGER))";
            practice = self.practice_id, id = self.id, version = self.version
        )
    }

    /// Ends an open job. A canceled return has no more pages, and its `position` and `taken_from` may name claims.
    pub(super) fn end(&self, state: JobState, now: Instant) -> Write {
        sql!(
            "UPDATE data_jobs SET state = {state}, finished_at = {now}, version = version + 1,
               position = iif({state} = 'cancelled', '', position), taken_from = iif({state} = 'cancelled', NULL, taken_from),
               trail_to = (SELECT max(seq) FROM audit WHERE practice_id = {practice})
             WHERE practice_id = {practice} AND id = {id} AND state IN ('waiting', 'running')";
            practice = self.practice_id, id = self.id, state, now
        )
    }

    /// The same after its end.
    pub(super) fn ended(self, state: JobState, now: Instant) -> Self {
        Self { state, finished_at: Some(Time(now)), ..self }
    }
}

/// True if the data of `{PRACTICE}` was destroyed, and the practice has signed no agreement since. A sandbox can be emptied
/// again and again.
pub(super) const DESTROYED: &str =
    "EXISTS (SELECT 1 FROM data_jobs d WHERE d.practice_id = {PRACTICE} AND d.kind = 'destruction' AND d.state = 'done'
       AND NOT EXISTS (SELECT 1 FROM practices s WHERE s.id = d.practice_id AND s.sandbox_of IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM agreements g WHERE g.practice_id = d.practice_id AND g.signed_at >= d.finished_at))";

/// No other job of this kind is open, and the practice's data is not being destroyed, nor destroyed already.
pub(super) fn no_other(practice: PracticeId, kind: JobKind, id: DataJobId) -> Guard {
    const PRACTICE: &str = "{practice}";
    abort_if!(
        Record,
        "EXISTS (
           SELECT 1 FROM data_jobs WHERE practice_id = {practice} AND id <> {id}
             AND (kind = {kind} AND state IN ('waiting', 'running') OR kind = 'destruction' AND state = 'running'))
         OR {DESTROYED}" [DESTROYED, PRACTICE];
        practice, kind, id
    )
}

/// A job `j`, as [`Job`] reads it.
pub(super) const JOB: &str =
    "json_object('practice_id', j.practice_id, 'id', j.id, 'kind', j.kind, 'state', j.state, 'version', j.version,
       'requested_at', j.requested_at, 'requested_by', j.requested_by, 'due_at', j.due_at, 'begun_at', j.begun_at,
       'finished_at', j.finished_at, 'totals', json(j.totals), 'counts', json(j.counts), 'position', j.position,
       'taken_from', j.taken_from, 'bytes', j.bytes, 'unreadable', j.unreadable, 'digest', j.digest,
       'before', json(j.before))";

/// A page of the jobs of the caller's practice.
pub(super) fn page(caller: &str, of: Page) -> Query<Option<Vec<Job>>> {
    select!(
        "data_jobs.list",
        "SELECT json_group_array({JOB}) AS json FROM (SELECT * FROM data_jobs WHERE practice_id = {OF_CALLER}
           AND id < {after} ORDER BY id DESC LIMIT CAST({most} AS INTEGER)) j" [JOB];
        caller, after = after(of), most = of.reads()
    )
    .optional()
}

/// One job of the caller's practice.
pub(super) fn of_caller(caller: &str, id: DataJobId) -> Query<Option<Job>> {
    select!(
        "data_jobs.of_caller",
        "SELECT {JOB} AS json FROM data_jobs j WHERE j.practice_id = {OF_CALLER} AND j.id = {id}" [JOB];
        caller, id
    )
    .optional()
}

/// The latest jobs of a practice, newest first.
pub fn of_practice(practice: PracticeId) -> Query<Vec<Job>> {
    select!(
        "data_jobs.of_practice",
        "SELECT json_group_array({JOB}) AS json
         FROM (SELECT * FROM data_jobs WHERE practice_id = {practice} ORDER BY id DESC LIMIT 20) j" [JOB];
        practice
    )
    .or_default()
}

/// The progress of a job with the records of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Progress {
    kind: String,
    /// How many there were when the job was requested, or when a destruction began.
    total: i64,
    /// How many were returned or destroyed.
    done: i64,
}

/// The result of a job that is done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct JobReport {
    /// For a return, the SHA-256 of all pages in their order.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    sha256: Option<String>,
    /// For a return, the length of all pages in bytes.
    bytes: Option<i64>,
    /// For a return, how many records have a sealed part that no key opens.
    unreadable: Option<i64>,
    /// For a destruction, what was kept. None of it is about a patient.
    kept: Option<&'static [&'static str]>,
    /// For a destruction, the end of the time in which the platform keeps an encrypted history of the database. No one
    /// can delete from that history. It contains the data key, wrapped under a key of ours that is not in the history.
    /// Until then we protect the history as the agreement says, and do not use it.
    history_until: Option<Time>,
}

/// What a destruction keeps. None of it is patient data.
const KEPT: &[&str] = &["practice", "members", "agreements", "api_keys", "api_tokens", "data_jobs", "audit"];

/// A return or a destruction of all data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DataJob"))]
pub struct JobView {
    pub(super) id: DataJobId,
    kind: JobKind,
    state: JobState,
    requested_at: Time,
    /// `user:` and the id of an account, or `operator`.
    requested_by: String,
    /// When a destruction begins, to within a minute. `null` for a return.
    due_at: Option<Time>,
    begun_at: Option<Time>,
    finished_at: Option<Time>,
    /// For a running return, the cursor of its next page. Empty for the first page.
    cursor: Option<String>,
    /// How many records of each kind existed when a return was requested or a destruction began, and how many were
    /// returned or destroyed. A return includes the rows of the audit trail that are older than its request.
    records: Vec<Progress>,
    /// Present once the job is done.
    report: Option<JobReport>,
}

impl Item for JobView {
    const LIST: &'static str = "data_jobs";
}

impl JobView {
    #[must_use]
    pub fn of(job: Job) -> Self {
        let running = job.kind == JobKind::Return && job.state == JobState::Running;
        let done = |kind: &str| job.taken.counts.get(kind).copied().unwrap_or(0);
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
            sha256: job.taken.digest.as_deref().and_then(digest::result),
            bytes: Some(job.taken.bytes),
            unreadable: Some(job.taken.unreadable),
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
