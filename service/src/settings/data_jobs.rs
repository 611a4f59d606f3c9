//! `/api/v1/settings/data_jobs`: the return and the destruction of all data of a practice, which 45 CFR
//! 164.504(e)(2)(ii)(J) requires at the end of an agreement.
//!
//! ```text
//! return         running ──► done                 an owner takes page after page
//! destruction    waiting ──► running ──► done     after the waiting period, by the scheduled job
//! ```
//!
//! A running return and a waiting destruction can be canceled.

pub(crate) mod destruction;
mod digest;
mod export;
pub(crate) mod job;
pub(crate) mod letters;
mod records;
mod sections;
pub(crate) mod stages;
mod sweep;

pub(crate) use sweep::{empty_sandbox, sweep};

use crate::plan::Actor;
use crate::plan::notice::{Notice, NoticeKind};
use crate::prelude::*;
use crate::request::declare::kinds::{Text, Trimmed, When};
use crate::response::GivesLines;
use crate::settings::agreements::no_agreement;
use crate::store::data_keys;
use job::{BEING_DESTROYED, DESTROYED, Job, JobKind, JobState, JobView, RecordCounts, UNKNOWN};
use overturn_core::base::id::DataJobId;
use overturn_core::request::problem::Rule;

body! {
    JobRequest {
        kind: JobKind,
        /// Required for a destruction. Exactly as the settings show it.
        practice_name: When<Trimmed<Text<200>>> where kind == Some(JobKind::Destruction),
    }
}

/// The facts for the decision on a request.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Basis {
    practice_id: PracticeId,
    name: String,
    /// True if its agreement is in force.
    in_force: bool,
    /// True if a legal hold forbids any deletion.
    legal_hold: bool,
    /// True if the data was destroyed, and the practice has signed no agreement since.
    destroyed: bool,
    open: Vec<(JobKind, JobState)>,
    /// The number of its records of each kind.
    totals: RecordCounts,
}

/// The facts about a practice `p`, as [`Basis`] reads them.
const BASIS: &str =
    "json_object('practice_id', p.id, 'name', p.name, 'legal_hold', json(iif(EXISTS (SELECT 1 FROM document_settings s
       WHERE s.practice_id = p.id AND s.legal_hold = 1), 'true', 'false')), 'in_force', json(iif({AGREEMENT}, 'true', 'false')),
     'destroyed', json(iif({DESTROYED}, 'true', 'false')),
     'open', json((SELECT json_group_array(json_array(j.kind, j.state)) FROM data_jobs j
       WHERE j.practice_id = p.id AND j.state IN ('waiting', 'running'))), 'totals', json_object(
     'practice', 1, 'member', (SELECT count(*) FROM users WHERE practice_id = p.id),
     'agreement', (SELECT count(*) FROM agreements WHERE practice_id = p.id),
     'api_key', (SELECT count(*) FROM api_keys WHERE practice_id = p.id),
     'api_token', (SELECT count(*) FROM api_tokens WHERE practice_id = p.id),
     'submission', (SELECT count(*) FROM submissions WHERE practice_id = p.id),
     'claim', (SELECT count(*) FROM claims WHERE practice_id = p.id),
     'claim_event', (SELECT count(*) FROM claim_history WHERE practice_id = p.id),
     'note', (SELECT count(*) FROM claim_notes WHERE practice_id = p.id),
     'report', (SELECT count(*) FROM reports WHERE practice_id = p.id),
     'case', (SELECT count(*) FROM cases WHERE practice_id = p.id),
     'signing_link', (SELECT count(*) FROM signing_links WHERE practice_id = p.id),
     'signature', (SELECT count(*) FROM signatures WHERE practice_id = p.id),
     'webhook', (SELECT count(*) FROM webhooks WHERE practice_id = p.id),
     'delivery', (SELECT count(*) FROM deliveries WHERE practice_id = p.id),
     'data_job', (SELECT count(*) FROM data_jobs WHERE practice_id = p.id),
     'audit', (SELECT count(*) FROM audit WHERE practice_id = p.id),
     'document', (SELECT count(*) FROM documents WHERE practice_id = p.id)))";
const AGREEMENT: &str = agreement!("p.id");
const PRACTICE: &str = "p.id";

/// The facts for a decision on the caller's request.
fn basis_of_caller(caller: &str) -> Query<Option<Basis>> {
    select!(
        "data_jobs.basis_of_caller", "SELECT {BASIS} AS json FROM practices p WHERE p.id = {OF_CALLER}" [BASIS, AGREEMENT, DESTROYED, PRACTICE];
        caller
    )
    .optional()
}

/// The facts for a decision on a practice.
pub fn basis(practice: PracticeId) -> Query<Option<Basis>> {
    select!("data_jobs.basis", "SELECT {BASIS} AS json FROM practices p WHERE p.id = {practice}" [BASIS, AGREEMENT, DESTROYED, PRACTICE]; practice)
        .optional()
}

/// `listDataJobs`: List the returns and destructions of all data.
///
/// Owners only. The newest comes first.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Gives<Listed<JobView>>, AppError> {
    let view =
        |of: Page, jobs: Vec<Job>| of.list(jobs.into_iter().map(JobView::of).collect(), |view: &JobView| view.id.0);
    request.list(|of| job::page(request.credential(), of), view).await
}

/// `requestDataJob`: Request a return or a destruction of all data.
///
/// Owners only. Sensitive. All owners get an email. Only one job of each kind can be open at a time. A request for
/// a second one gets `409`.
///
/// A **return** starts at once. Read page after page from `…/records`. You can request it while an agreement is in
/// force and after it has ended, until the data is destroyed. After that, both kinds get `409` with the reason
/// `data_destroyed` until the practice signs an agreement again.
///
/// A **destruction** needs the practice's name in `practice_name`, and the agreement must have ended. It waits for
/// seven days, unless the service is configured otherwise. `due_at` says when it begins. Any owner can cancel it
/// until then. It first destroys the practice's data key. Without that key, sealed data can never be read again.
/// Then it deletes claims, history, notes, links, signatures, reports, cases, webhooks and their messages. It keeps
/// the practice, its members, agreements, keys without their values, these jobs and the audit trail. None of these
/// is about a patient. While a destruction is waiting or running, no agreement can be signed.
pub(crate) async fn request(request: WriteRequest<JobRequest>) -> Result<Gives<JobView, 201>, AppError> {
    let wait = request.call.app.settings.destruction_wait_ms;
    let load = basis_of_caller(request.credential());
    let decide = |person: &Person, basis: Option<Basis>, order| {
        let basis = basis.ok_or(AppError::Internal("an owner without a practice"))?;
        requested(&order, basis, wait, Actor::from(person), request.ctx()).map_err(AppError::from)
    };
    request.change(load, decide).await
}

/// `showDataJob`: Read the progress of a job.
///
/// Owners only. A finished job includes its report.
pub(crate) async fn show(PathId(id): PathId<DataJobId>, request: ReadRequest) -> Result<Gives<JobView>, AppError> {
    let load = job::of_caller(request.credential(), id);
    request.show(load, |_, stored| stored.map(JobView::of).ok_or(UNKNOWN)).await
}

/// `cancelDataJob`: Cancel a job.
///
/// Owners only. Sensitive. You can cancel a return at any time, and a destruction until it begins. For a
/// destruction that has begun, the answer is `409`. If you cancel a job again, nothing changes.
pub(crate) async fn cancel(PathId(id): PathId<DataJobId>, request: WriteRequest) -> Result<Gives<JobView>, AppError> {
    let load = job::of_caller(request.credential(), id);
    request.change(load, |_, stored, _| cancelled(stored, request.ctx())).await
}

/// `takeRecords`: Read a page of all data.
///
/// Owners only. Sensitive, although it only reads. **It names patients.** Each page leaves a row in the audit trail
/// before its first byte is sent.
///
/// A page is NDJSON: each line is one record as a JSON object, with its kind in `type`. The kinds come in this
/// order: `practice`, `member`, `agreement`, `api_key`, `api_token`, `submission`, `claim` (with its patient),
/// `claim_event`, `note`, `report`, `case` (with its claims and levels), `signing_link`, `signature` (with the
/// signed text), `webhook`, `delivery`, `data_job`, `audit`, and `document` (with the name of its file and its
/// uses; take the file itself at `/api/v1/documents/{id}/content`). Fields have the names that they have in the
/// database. In `practice`, `document_settings` is `null` while the defaults apply, and `sso_providers` and
/// `domains` say how the members may sign in, without the metadata of the identity providers. Instants are
/// milliseconds since 1970 in UTC, and amounts are cents. The values of keys, tokens and secrets are not included.
/// If no key opens the sealed part of a record, the record has `unreadable: true` instead of that part.
///
/// `Link` names the next page. The last page has no `Link`. If you lose an answer, read the page again with the
/// same `cursor`. It counts once. Any other `cursor` gets `409`; the job's `cursor` says where to continue. While
/// the practice's data is being destroyed, every page gets `409`. A destruction that begins cancels an open return.
/// Append all pages to one file in their order: `report.sha256` is the SHA-256 of that file.
pub(crate) async fn records(PathId(id): PathId<DataJobId>, request: ReadRequest) -> Result<GivesLines, AppError> {
    let caller = request.credential();
    let load = (job::of_caller(caller, id), data_keys::of_caller(caller), destruction::running(caller));
    let take = async |(job, data_key, destroying)| records::take(&request, (job, destroying), data_key).await;
    request.export(load, take).await.map(GivesLines)
}

/// Requests a job. A destruction begins `wait_ms` milliseconds later.
pub(crate) fn requested(
    order: &JobRequest,
    basis: Basis,
    wait_ms: i64,
    actor: Actor,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let kind = order.kind;
    if let Some(name) = &order.practice_name {
        if *name != basis.name.trim() {
            let rule = Rule::MustBe("the name of the practice".into());
            return Err(RequestError::invalid("practice_name", rule));
        }
        if basis.in_force {
            return Err(RequestError::Conflict(Reason::AgreementInForce, "the agreement is in force, end it first"));
        }
        if basis.legal_hold {
            return Err(RequestError::Conflict(Reason::LegalHold, "the practice has a legal hold"));
        }
    }
    if basis.open.contains(&(JobKind::Destruction, JobState::Running)) {
        return Err(BEING_DESTROYED);
    }
    if basis.destroyed {
        return Err(RequestError::Conflict(
            Reason::DataDestroyed,
            "the data of the practice was destroyed, so there is nothing left: to send claims again, sign an agreement",
        ));
    }
    if basis.open.iter().any(|(open, _)| *open == kind) {
        return Err(RequestError::Conflict(Reason::JobInProgress, "a job of this kind has not ended"));
    }
    let (practice, id) = (basis.practice_id, DataJobId(ctx.id(Purpose::Record, 0)));
    let due_at = (kind == JobKind::Destruction).then(|| ctx.now.plus(wait_ms));
    let job = Job::new((practice, id), (kind, due_at), actor.to_string(), basis.totals, ctx.now);
    let (event, notice) = match kind {
        JobKind::Return => (Event::ReturnRequested, NoticeKind::ReturnRequested),
        JobKind::Destruction => (Event::DestructionRequested, NoticeKind::DestructionRequested),
    };
    let letter = Notice { due_at, ..Notice::new(practice, notice, ctx) };
    let audit = Entry::new(ctx, 0, Some(practice), event, id);
    let audit = match due_at {
        Some(Instant(at)) => audit.detail(json!({ "due_at": at })),
        None => audit,
    };
    let insert = job.insert();
    let change = Change::new(audit, Answer::new(201, &JobView::of(job)))
        .guard(job::no_other(practice, kind, id))
        .write(insert)
        .write(Write::Notice(letter));
    Ok(match kind {
        JobKind::Return => change,
        JobKind::Destruction => change.guard(no_agreement(practice)),
    })
}

/// Canceling again changes nothing and is not an error.
pub(crate) fn cancelled(stored: Option<Job>, ctx: &Ctx) -> Result<Change, RequestError> {
    let job = stored.ok_or(UNKNOWN)?;
    match (job.kind, job.state) {
        (_, JobState::Cancelled) => return Ok(Change::nothing(Answer::new(200, &JobView::of(job)))),
        (_, JobState::Done) => return Err(RequestError::Conflict(Reason::JobEnded, "the job is done")),
        (JobKind::Destruction, JobState::Running) => {
            return Err(RequestError::Conflict(Reason::DestructionBegun, "the destruction has begun"));
        }
        (JobKind::Return, JobState::Running) | (_, JobState::Waiting) => {}
    }
    let (practice, kind) = (job.practice_id, job.kind);
    let audit = Entry::new(ctx, 0, Some(practice), Event::DataJobCancelled, job.id).detail(json!({ "kind": kind }));
    let (guard, end) = (job.unchanged(), job.end(JobState::Cancelled, ctx.now));
    let view = JobView::of(job.ended(JobState::Cancelled, ctx.now));
    let change = Change::new(audit, Answer::new(200, &view)).guard(guard).write(end);
    Ok(match kind {
        JobKind::Return => change,
        JobKind::Destruction => {
            change.write(Write::Notice(Notice::new(practice, NoticeKind::DestructionCancelled, ctx)))
        }
    })
}

#[cfg(test)]
mod tests;
