//! The operator's commands about agreements and data.

use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{AgreementId, PracticeId};
use overturn_core::plan::change::Change;
use overturn_core::plan::settings::data_jobs::{JobKind, JobState};
use overturn_core::plan::{Actor, Plan};
use overturn_core::request::error::RequestError;
use overturn_core::request::reason::Reason;
use overturn_core::settings::agreements::ending;
use overturn_core::settings::data_jobs::{self, Basis, Job, JobRequest};

/// Ends the practice's agreement in force.
///
/// # Errors
///
/// [`RequestError::Conflict`] if there is none.
pub fn end_agreement(
    practice: PracticeId,
    in_force: Option<AgreementId>,
    ctx: &Ctx,
) -> Result<Plan<'static>, RequestError> {
    let id =
        in_force.ok_or(RequestError::Conflict(Reason::AgreementMissing, "the practice has no agreement in force"))?;
    let (guard, writes) = ending(practice, id, ctx);
    let mut plan = Plan::of_operator(ctx, writes.into());
    plan.guards.push(guard);
    Ok(plan)
}

/// Requests the destruction of all data of a practice, to begin `wait_ms` milliseconds later. `name` is the practice's
/// name, as the operator typed it.
///
/// # Errors
///
/// Those of [`data_jobs::request`].
pub fn destroy_data(name: &str, basis: Basis, wait_ms: i64, ctx: &Ctx) -> Result<Plan<'static>, RequestError> {
    let order = JobRequest { kind: JobKind::Destruction, practice_name: Some(name.trim().into()) };
    let change = data_jobs::request(&order, basis, wait_ms, Actor::Operator, ctx)?;
    Ok(planned(change, ctx))
}

/// Cancels a scheduled destruction of a practice's data.
///
/// # Errors
///
/// [`RequestError::Conflict`] if none is scheduled.
pub fn cancel_destruction(jobs: impl IntoIterator<Item = Job>, ctx: &Ctx) -> Result<Plan<'static>, RequestError> {
    let waits = |job: &Job| job.kind == JobKind::Destruction && job.state == JobState::Waiting;
    let waiting = jobs.into_iter().find(waits);
    let waiting = waiting.ok_or(RequestError::Conflict(Reason::JobEnded, "no destruction waits"))?;
    Ok(planned(data_jobs::cancel(Some(waiting), ctx)?, ctx))
}

fn planned(change: Change, ctx: &Ctx) -> Plan<'static> {
    let mut plan = Plan::of_operator(ctx, change.writes);
    plan.guards.extend(change.guards);
    plan
}
