//! `/api/v1/settings/data_jobs`: the return and the destruction of all data of a practice, which 45 CFR
//! 164.504(e)(2)(ii)(J) requires at the end of an agreement.
//!
//! ```text
//! return         running ──► done                 an owner takes page after page
//! destruction    waiting ──► running ──► done     after the waiting period, by the scheduled job
//! ```
//!
//! A running return and a waiting destruction can be canceled.

pub mod destruction;
pub mod digest;
pub mod export;
mod job;

pub use job::{Job, JobReport, JobView, Progress};

use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{DataJobId, PracticeId};
use crate::base::instant::Instant;
use crate::plan::SettingsGuard;
use crate::plan::SettingsWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::settings::data_jobs::{JobKind, JobState, NewJob, RecordCounts};
use crate::plan::{Actor, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::{Text, Trimmed, When};
use crate::request::error::RequestError;
use crate::request::page::{Listed, Page};
use crate::request::problem::Rule;
use crate::request::reason::Reason;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Deserialize;
use serde_json::json;

#[cfg(test)]
mod tests;

/// By default, how many days a requested destruction waits. Until then it can be canceled.
pub const DEFAULT_WAIT_DAYS: i64 = 7;
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
    pub practice_id: PracticeId,
    pub name: String,
    /// True if its agreement is in force.
    pub in_force: bool,
    /// True if a legal hold forbids any deletion.
    pub legal_hold: bool,
    /// True if the data was destroyed, and the practice has signed no agreement since.
    pub destroyed: bool,
    pub open: Vec<(JobKind, JobState)>,
    /// The number of its records of each kind.
    pub totals: RecordCounts,
}

/// Requests a job. A destruction begins `wait_ms` milliseconds later.
///
/// # Errors
///
/// [`RequestError::Invalid`] for a different name than the practice's, [`RequestError::Conflict`] if the agreement is still in
/// force, a job of this kind is open, or the data was destroyed.
pub fn request(
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
    let practice_id = basis.practice_id;
    let id = DataJobId(ctx.id(Purpose::Record, 0));
    let due_at = (kind == JobKind::Destruction).then(|| ctx.now.plus(wait_ms));
    let new = NewJob { practice_id, id, kind, requested_by: actor.to_string(), due_at, totals: basis.totals };
    let (event, notice) = match kind {
        JobKind::Return => (Event::ReturnRequested, NoticeKind::ReturnRequested),
        JobKind::Destruction => (Event::DestructionRequested, NoticeKind::DestructionRequested),
    };
    let mut letter = Notice::new(practice_id, notice, ctx);
    letter.due_at = due_at;
    let audit = Entry::new(ctx, 0, Some(practice_id), event, id);
    let audit = match due_at {
        Some(Instant(at)) => audit.detail(json!({ "due_at": at })),
        None => audit,
    };
    let view = JobView::of(Job::begun(&new, ctx.now));
    let change = Change::new(audit, Answer::new(201, &view))
        .guard(Guard::Settings(SettingsGuard::NoDataJob { practice: practice_id, kind, job: id }))
        .write(Write::Settings(SettingsWrite::NewDataJob(new)))
        .write(Write::Settings(SettingsWrite::Notice(letter)));
    Ok(match kind {
        JobKind::Return => change,
        JobKind::Destruction => change.guard(Guard::Settings(SettingsGuard::NoAgreement(practice_id))),
    })
}

/// A page of the practice's jobs.
#[must_use]
pub fn list(page: Page, jobs: Vec<Job>) -> Listed<JobView> {
    let views = jobs.into_iter().map(JobView::of).collect();
    page.list(views, |view: &JobView| view.id().0)
}

const UNKNOWN: RequestError = RequestError::NotFound("no such data job");
const BEING_DESTROYED: RequestError =
    RequestError::Conflict(Reason::DestructionBegun, "the data of the practice is being destroyed");

/// One job.
///
/// # Errors
///
/// [`RequestError::NotFound`].
pub fn show(stored: Option<Job>) -> Result<JobView, RequestError> {
    stored.map(JobView::of).ok_or(UNKNOWN)
}

/// Cancels a return, or a destruction that has not begun. Canceling again changes nothing and is not an error.
///
/// # Errors
///
/// [`RequestError::NotFound`], or [`RequestError::Conflict`] for a job that is done or a destruction that has begun.
pub fn cancel(stored: Option<Job>, ctx: &Ctx) -> Result<Change, RequestError> {
    let job = stored.ok_or(UNKNOWN)?;
    match (job.kind, job.state) {
        (_, JobState::Cancelled) => {
            return Ok(Change::nothing(Answer::new(200, &JobView::of(job))));
        }
        (_, JobState::Done) => {
            return Err(RequestError::Conflict(Reason::JobEnded, "the job is done"));
        }
        (JobKind::Destruction, JobState::Running) => {
            return Err(RequestError::Conflict(Reason::DestructionBegun, "the destruction has begun"));
        }
        (JobKind::Return, JobState::Running) | (_, JobState::Waiting) => {}
    }
    let (practice_id, id) = (job.practice_id, job.id);
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DataJobCancelled, id);
    let audit = audit.detail(json!({ "kind": job.kind }));
    let guard = Guard::Settings(SettingsGuard::DataJob { practice: practice_id, job: id, version: job.version });
    let notice =
        (job.kind == JobKind::Destruction).then(|| Notice::new(practice_id, NoticeKind::DestructionCancelled, ctx));
    let view = JobView::of(job.ended(JobState::Cancelled, ctx.now));
    let change =
        Change::new(audit, Answer::new(200, &view)).guard(guard).write(Write::Settings(SettingsWrite::DataJobEnded {
            practice: practice_id,
            job: id,
            state: JobState::Cancelled,
        }));
    Ok(notice.map(SettingsWrite::Notice).map(Write::Settings).into_iter().fold(change, Change::write))
}

#[must_use]
pub fn actor(person: &Person) -> Actor {
    Actor::from(person)
}
