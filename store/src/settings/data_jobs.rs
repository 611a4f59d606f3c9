//! The return and the destruction of a practice's data: queries, and the statements of each page.

use crate::query::Query;
use crate::settings::sql::data_jobs::destruction as gone;
use crate::settings::sql::data_jobs::{self as sql, export};
use crate::statement::{Param, count, text};
use overturn_core::base::id::{AgreementId, DataJobId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::request::page::Page;
use overturn_core::settings::data_jobs::export::{ExportPosition, Section};
use overturn_core::settings::data_jobs::{Basis, Job};
use serde_json::{Map, Value};

/// The facts for a decision on the caller's request.
#[must_use]
pub fn basis_of_caller(caller: &str) -> Query<Option<Basis>> {
    Query::optional("data_jobs.basis_of_caller", sql::BASIS_OF_CALLER, [text(caller)])
}

/// The facts for a decision on a practice.
#[must_use]
pub fn basis(practice: PracticeId) -> Query<Option<Basis>> {
    Query::optional("data_jobs.basis", sql::BASIS, [text(practice)])
}

/// A page of the jobs of the caller's practice.
#[must_use]
pub fn list(caller: &str, of: Page) -> Query<Option<Vec<Job>>> {
    Query::optional("data_jobs.list", sql::LIST, crate::statement::page(caller, of))
}

/// One job of the caller's practice.
#[must_use]
pub fn of_caller(caller: &str, id: DataJobId) -> Query<Option<Job>> {
    Query::optional("data_jobs.of_caller", sql::OF_CALLER, [text(caller), text(id)])
}

/// The latest jobs of a practice.
#[must_use]
pub fn of_practice(practice: PracticeId) -> Query<Vec<Job>> {
    Query::or_default("data_jobs.of_practice", sql::OF_PRACTICE, [text(practice)])
}

/// True if a destruction of the data of the caller's practice is running.
#[must_use]
pub fn destroying(caller: &str) -> Query<bool> {
    Query::or_default("data_jobs.destroying", sql::DESTROYING, [text(caller)])
}

/// The open return of a practice's data, if any.
#[must_use]
pub fn open_return(practice: PracticeId) -> Query<Option<Job>> {
    Query::optional("data_jobs.open_return", sql::OPEN_RETURN, [text(practice)])
}

#[must_use]
pub fn in_force(practice: PracticeId) -> Query<Option<AgreementId>> {
    Query::optional("data_jobs.in_force", sql::IN_FORCE, [text(practice)])
}

/// A record and its key in its section, as two parts.
pub type Record = (String, String, Map<String, Value>);

/// The records after a position of their section, as `(major, minor, record)`. `until` is the time of the request: the
/// return leaves out its own audit rows.
#[must_use]
pub fn page(practice: PracticeId, at: &ExportPosition, most: usize, until: Instant) -> Query<Vec<Record>> {
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
        Section::Document => export::DOCUMENTS,
    };
    let params = [text(practice), text(&at.major), text(&at.minor), count(most), Param::Int(until.0)];
    Query::or_default("data_jobs.page", sql, params)
}

/// The destructions that are due.
#[must_use]
pub fn due(now: Instant) -> Query<Vec<Job>> {
    Query::or_default("data_jobs.due", gone::DUE, [Param::Int(now.0)])
}

/// The current state of a job.
#[must_use]
pub fn job(practice: PracticeId, id: DataJobId) -> Query<Option<Job>> {
    Query::optional("data_jobs.job", gone::JOB, [text(practice), text(id)])
}
