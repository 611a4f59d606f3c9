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

pub(crate) use sweep::sweep;

use crate::prelude::*;
use crate::settings::agreements::no_agreement;
use crate::store::data_keys;
use job::{BEING_DESTROYED, DESTROYED, Job, JobKind, JobState, JobView, RecordCounts, UNKNOWN};
use overturn_core::base::id::DataJobId;
use overturn_core::plan::Actor;
use overturn_core::plan::notice::{Notice, NoticeKind};
use overturn_core::request::declare::kinds::{Text, Trimmed, When};
use overturn_core::request::problem::Rule;

body! {
    JobRequest {
        kind: JobKind,
        /// The practice's name, as the requester typed it.
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

/// `GET`: a page of the practice's jobs.
pub(crate) async fn list(request: ReadRequest<Page>) -> Result<Response, AppError> {
    let view =
        |of: Page, jobs: Vec<Job>| of.list(jobs.into_iter().map(JobView::of).collect(), |view: &JobView| view.id.0);
    request.list(|of| job::page(request.credential(), of), view).await
}

/// `POST`: requests a return or a destruction.
pub(crate) async fn request(request: WriteRequest<JobRequest>) -> Result<Response, AppError> {
    let wait = request.call.app.settings.destruction_wait_ms;
    let load = basis_of_caller(request.credential());
    let decide = |person: &Person, basis: Option<Basis>, order| {
        let basis = basis.ok_or(AppError::Internal("an owner without a practice"))?;
        requested(&order, basis, wait, Actor::from(person), request.ctx()).map_err(AppError::from)
    };
    request.change(load, decide).await
}

/// `GET …/{id}`: the progress of a job, and its report when it is done.
pub(crate) async fn show(PathId(id): PathId<DataJobId>, request: ReadRequest) -> Result<Response, AppError> {
    let load = job::of_caller(request.credential(), id);
    request.show(load, |_, stored| stored.map(JobView::of).ok_or(UNKNOWN)).await
}

/// `POST …/{id}/cancel`: cancels a return, or a destruction that has not begun.
pub(crate) async fn cancel(PathId(id): PathId<DataJobId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = job::of_caller(request.credential(), id);
    request.change(load, |_, stored, _| cancelled(stored, request.ctx())).await
}

/// `GET …/{id}/records?cursor=CURSOR`: a page of the practice's data as NDJSON, including patients. Its audit row is
/// committed before its first byte.
pub(crate) async fn records(PathId(id): PathId<DataJobId>, request: ReadRequest) -> Result<Response, AppError> {
    let caller = request.credential();
    let load = (job::of_caller(caller, id), data_keys::of_caller(caller), destruction::running(caller));
    let take = async |(job, data_key, destroying)| records::take(&request.call, (job, destroying), data_key).await;
    request.export(load, take).await
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
