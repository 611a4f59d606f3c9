//! The operator's commands about agreements and data.

use crate::plan::{Actor, Plan};
use crate::prelude::*;
use crate::settings::agreements::ending;
use crate::settings::data_jobs::job::{Job, JobKind, JobState};
use crate::settings::data_jobs::{Basis, JobRequest, cancelled, requested};
use overturn_core::base::id::AgreementId;

/// Ends the practice's agreement in force.
///
/// # Errors
///
/// [`RequestError::Conflict`] if there is none.
pub fn end_agreement(practice: PracticeId, in_force: Option<AgreementId>, ctx: &Ctx) -> Result<Plan, RequestError> {
    let id =
        in_force.ok_or(RequestError::Conflict(Reason::AgreementMissing, "the practice has no agreement in force"))?;
    Ok(planned(ending(practice, id, Answer::empty(), ctx), ctx))
}

/// Requests the destruction of all data of a practice, to begin `wait_ms` milliseconds later. `name` is the practice's
/// name, as the operator typed it.
///
/// # Errors
///
/// [`RequestError::Invalid`] for another name, [`RequestError::Conflict`] if it cannot be destroyed now.
pub fn destroy_data(name: &str, basis: Basis, wait_ms: i64, ctx: &Ctx) -> Result<Plan, RequestError> {
    let order = JobRequest { kind: JobKind::Destruction, practice_name: Some(name.trim().into()) };
    let change = requested(&order, basis, wait_ms, Actor::Operator, ctx)?;
    Ok(planned(change, ctx))
}

/// Cancels a scheduled destruction of a practice's data.
///
/// # Errors
///
/// [`RequestError::Conflict`] if none is scheduled.
pub fn cancel_destruction(jobs: impl IntoIterator<Item = Job>, ctx: &Ctx) -> Result<Plan, RequestError> {
    let waits = |job: &Job| job.kind == JobKind::Destruction && job.state == JobState::Waiting;
    let waiting = jobs.into_iter().find(waits);
    let waiting = waiting.ok_or(RequestError::Conflict(Reason::JobEnded, "no destruction waits"))?;
    Ok(planned(cancelled(Some(waiting), ctx)?, ctx))
}

fn planned(change: Change, ctx: &Ctx) -> Plan {
    let mut plan = Plan::of_operator(ctx, change.writes);
    plan.guards.extend(change.guards);
    plan
}
