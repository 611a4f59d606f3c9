//! The return and the destruction of a practice's data: what they read, and the statements of each page.

use crate::query::Query;
use crate::settings::sql::data_jobs::destruction::{self as gone, STAGES};
use crate::settings::sql::data_jobs::{self as sql, export};
use crate::statement::{Param, Statement, count, optional, text};
use overturn_core::base::id::{AgreementId, DataJobId, NoticeId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::plan::notice::NoticeKind;
use overturn_core::plan::settings::data_jobs::{JobKind, JobState, NewJob, Taken};
use overturn_core::request::page::Page;
use overturn_core::settings::data_jobs::export::{Position, Section};
use overturn_core::settings::data_jobs::{Basis, Job};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::json::json;

/// Rows that one batch of a destruction removes at most.
pub const ROWS: usize = 500;
/// How long an answer is kept for a request that comes again, in milliseconds.
const ANSWERS_MS: i64 = 24 * 3_600_000;
/// How long whoever sends a letter keeps others from it, in milliseconds. It grows with the letter's age.
const LETTER_LEASE_MS: i64 = 5 * 60_000;
/// How long a letter that the platform does not take is tried again, in milliseconds.
const LETTER_TRIED_MS: i64 = 7 * 86_400_000;

/// What a request of the caller's is decided by.
#[must_use]
pub fn basis_of_caller(caller: &str) -> Query<Option<Basis>> {
    Query::optional(
        "data_jobs.basis_of_caller",
        sql::BASIS_OF_CALLER,
        [text(caller)],
    )
}

/// What a request about a practice is decided by.
#[must_use]
pub fn basis(practice: PracticeId) -> Query<Option<Basis>> {
    Query::optional("data_jobs.basis", sql::BASIS, [text(practice)])
}

/// A page of the jobs of the caller's practice.
#[must_use]
pub fn list(caller: &str, of: Page) -> Query<Option<Vec<Job>>> {
    Query::optional(
        "data_jobs.list",
        sql::LIST,
        crate::statement::page(caller, of),
    )
}

/// One job of the caller's practice.
#[must_use]
pub fn of_caller(caller: &str, id: DataJobId) -> Query<Option<Job>> {
    Query::optional(
        "data_jobs.of_caller",
        sql::OF_CALLER,
        [text(caller), text(id)],
    )
}

/// The latest jobs of a practice.
#[must_use]
pub fn of_practice(practice: PracticeId) -> Query<Vec<Job>> {
    Query::or_default("data_jobs.of_practice", sql::OF_PRACTICE, [text(practice)])
}

/// Whether a destruction of the data of the caller's practice is open.
#[must_use]
pub fn destruction_open(caller: &str) -> Query<bool> {
    Query::or_default(
        "data_jobs.destruction_open",
        sql::DESTRUCTION_OPEN,
        [text(caller)],
    )
}

/// Whether a destruction of the data of the caller's practice is running.
#[must_use]
pub fn destroying(caller: &str) -> Query<bool> {
    Query::or_default("data_jobs.destroying", sql::DESTROYING, [text(caller)])
}

/// The return of a practice's data that has not ended.
#[must_use]
pub fn open_return(practice: PracticeId) -> Query<Option<Job>> {
    Query::optional("data_jobs.open_return", sql::OPEN_RETURN, [text(practice)])
}

/// The agreement of a practice that is in force.
#[must_use]
pub fn in_force(practice: PracticeId) -> Query<Option<AgreementId>> {
    Query::optional("data_jobs.in_force", sql::IN_FORCE, [text(practice)])
}

/// The place of a record in its section, in two parts, and the record.
pub type Record = (String, String, Map<String, Value>);

/// The records behind a position, of its section, as `(major, minor, record)`. `None` for a section without records. `until` is
/// when the job was requested: what the return itself leaves in the trail is not part of it.
#[must_use]
pub fn page(
    practice: PracticeId,
    at: &Position,
    most: usize,
    until: Instant,
) -> Option<Query<Vec<Record>>> {
    let sql = match at.section {
        Section::Practice => export::PRACTICE,
        Section::Member => export::MEMBERS,
        Section::Agreement => export::AGREEMENTS,
        Section::ApiKey => export::API_KEYS,
        Section::ApiToken => export::API_TOKENS,
        Section::Submission => export::SUBMISSIONS,
        Section::Claim => export::CLAIMS,
        Section::ClaimEvent => export::CLAIM_EVENTS,
        Section::Note => export::NOTES,
        Section::Report => export::REPORTS,
        Section::Case => export::CASES,
        Section::SigningLink => export::SIGNING_LINKS,
        Section::Signature => export::SIGNATURES,
        Section::Webhook => export::WEBHOOKS,
        Section::Delivery => export::DELIVERIES,
        Section::DataJob => export::DATA_JOBS,
        Section::Audit => export::AUDIT,
        Section::Document => return None,
    };
    let params = [
        text(practice),
        text(&at.major),
        text(&at.minor),
        count(most),
        Param::Int(until.0),
    ];
    Some(Query::or_default("data_jobs.page", sql, params))
}

/// The destructions that are due.
#[must_use]
pub fn due(now: Instant) -> Query<Vec<Job>> {
    Query::or_default("data_jobs.due", gone::DUE, [Param::Int(now.0)])
}

/// A job as it is now.
#[must_use]
pub fn job(practice: PracticeId, id: DataJobId) -> Query<Option<Job>> {
    Query::optional("data_jobs.job", gone::JOB, [text(practice), text(id)])
}

/// The names of the tables, in the order in which they are emptied.
pub fn stages() -> impl Iterator<Item = &'static str> {
    STAGES.iter().map(|stage| stage.name)
}

/// Removes one page of a table, and counts it. The last statement changed as many rows as were removed; fewer than [`ROWS`] are
/// the last ones. It may run twice: it counts what it removes.
#[must_use]
pub fn destroy(practice: PracticeId, id: DataJobId, stage: &str, now: Instant) -> Vec<Statement> {
    let stage = STAGES.iter().find(|known| known.name == stage);
    let old = now.plus(-ANSWERS_MS);
    let params = [text(practice), text(id), count(ROWS), Param::Int(old.0)];
    let both = stage.map(|stage| [stage.count, stage.delete]);
    let both = both.into_iter().flatten();
    both.map(|sql| Statement::new(sql, params.clone()))
        .collect()
}

/// A letter that is due.
#[derive(Clone, Debug, Deserialize)]
pub struct DueNotice {
    /// The practice.
    pub practice_id: PracticeId,
    /// Its id.
    pub id: NoticeId,
    /// What it is about.
    pub kind: NoticeKind,
    /// When what it is about happened.
    pub at: Time,
    /// When what was requested begins.
    pub due_at: Option<Time>,
    /// The owners.
    pub to: Vec<String>,
}

/// Some of the letters that are due.
#[must_use]
pub fn due_notices(now: Instant) -> Query<Vec<DueNotice>> {
    Query::or_default(
        "data_jobs.due_notices",
        sql::DUE_NOTICES,
        [Param::Int(now.0)],
    )
}

impl DueNotice {
    /// Whether it is not tried again: one address that the platform never takes must not have the other owners get the letter
    /// for ever.
    #[must_use]
    pub fn is_given_up(&self, now: Instant) -> bool {
        now.since(self.at.0) > LETTER_TRIED_MS
    }
}

/// Leases a letter. Whoever changed its row sends it. The time until the next try doubles each time.
#[must_use]
pub fn lease_notice(notice: &DueNotice, now: Instant) -> Statement {
    let until = now.plus(now.since(notice.at.0).max(LETTER_LEASE_MS));
    Statement::new(
        sql::LEASE_NOTICE,
        [
            text(notice.practice_id),
            text(notice.id),
            Param::Int(now.0),
            Param::Int(until.0),
        ],
    )
}

/// Removes a letter that was sent.
#[must_use]
pub fn sent(notice: &DueNotice) -> Statement {
    let params = [text(notice.practice_id), text(notice.id)];
    Statement::new(sql::DELETE_NOTICE, params)
}

pub(crate) fn end_agreement(practice: PracticeId, id: AgreementId, now: Instant) -> Statement {
    let params = [text(practice), text(id), Param::Int(now.0)];
    Statement::new(sql::END_AGREEMENT, params)
}

pub(crate) fn insert(new: &NewJob, now: Instant) -> Statement {
    let (state, begun) = match new.kind {
        JobKind::Return => (JobState::Running, Param::Int(now.0)),
        JobKind::Destruction => (JobState::Waiting, Param::Null),
    };
    Statement::new(
        sql::INSERT,
        [
            text(new.practice_id),
            text(new.id),
            text(new.kind.name()),
            text(state.name()),
            Param::Int(now.0),
            text(&new.requested_by),
            crate::statement::instant(new.due_at),
            begun,
            Param::Text(json(&new.totals)),
        ],
    )
}

pub(crate) fn taken(taken: &Taken, now: Instant) -> Statement {
    Statement::new(
        sql::TAKEN,
        [
            text(taken.practice_id),
            text(taken.id),
            text(&taken.from),
            optional(taken.next.as_ref()),
            Param::Text(json(&taken.counts)),
            Param::Int(taken.unreadable),
            Param::Int(taken.bytes),
            text(&taken.digest),
            Param::Int(now.0),
        ],
    )
}

/// The destruction begins, and the data key is destroyed: whatever the service's own keys sealed before is destroyed by the
/// pages that follow.
pub(crate) fn begin(practice: PracticeId, id: DataJobId, now: Instant) -> [Statement; 2] {
    let at = Param::Int(now.0);
    [
        Statement::new(gone::BEGIN, [text(practice), text(id), at]),
        super::data_keys::destroy(practice, now),
    ]
}

pub(crate) fn end(practice: PracticeId, id: DataJobId, state: JobState, now: Instant) -> Statement {
    Statement::new(
        sql::END,
        [
            text(practice),
            text(id),
            text(state.name()),
            Param::Int(now.0),
        ],
    )
}
