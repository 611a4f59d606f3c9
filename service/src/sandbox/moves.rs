//! The scripted steps of claims, which a made-up person takes when they are due by the sandbox's clock. Each is the decision
//! that staff would make.

use super::payer::{self, DeniedClaim};
use crate::auth::person::{Person, Via};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::claim_changes;
use crate::jobs::Jobs;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::sandbox::{Script, ScriptStep};
use crate::plan::signing::SigningStatus;
use crate::plan::work::claim::{StoredWorkClaim, UNKNOWN};
use crate::prelude::*;
use crate::signing::decision as signing;
use crate::store::data_keys;
use crate::store::error::DatabaseError;
use crate::store::keyring::practice::{Fresh, PracticeKeys};
use crate::work::cases::{CaseRequest, candidates, opened, stored_case};
use crate::work::decision;
use crate::work::levels::{LevelEdit, level_edited};
use crate::work::moves::{MoveRequest, stepped};
use crate::work::named_claims::NamedClaim;
use crate::work::reports;
use overturn_core::base::open::Unopened;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level_names::LevelKind;
use std::slice::from_ref;

/// How many steps are read at a time.
const PAGE: usize = 50;

/// A step that is due.
#[derive(Clone, Deserialize)]
pub(super) struct DueStep {
    practice_id: PracticeId,
    /// The made-up person.
    worker: UserId,
    received_at: Instant,
    /// How many steps were taken before.
    step: usize,
    pub(super) due_at: Instant,
    #[serde(flatten)]
    claim: DeniedClaim,
}

/// The claims of a sandbox with a step that is due at an instant of its clock.
const DUE: &str = "practice_id = {practice} AND script_at <= CAST({until} AS INTEGER)";

/// The next steps of a sandbox that are due at an instant of its clock, in the order in which they are due.
pub(super) fn due(practice: PracticeId, until: Instant) -> Query<Vec<DueStep>> {
    select!(
        "sandbox.due",
        "SELECT json_group_array(json_object('practice_id', c.practice_id, 'worker',
             (SELECT u.id FROM users u WHERE u.practice_id = c.practice_id LIMIT 1), 'id', c.id,
             'claim_number', c.claim_number, 'received_at', c.received_at, 'step', c.script_step, 'due_at', c.script_at,
             'payer_name', c.payer_name, 'date_of_service', c.date_of_service,
             'denied', coalesce(c.denied_cents, c.billed_cents))) AS json
         FROM (SELECT * FROM claims WHERE {DUE} ORDER BY script_at, claim_number LIMIT CAST({most} AS INTEGER)) c" [DUE];
        practice, until, most = PAGE
    )
    .or_default()
}

/// How many steps of a sandbox are due at an instant of its clock.
pub(super) fn waiting(practice: PracticeId, until: Instant) -> Query<usize> {
    select!(
        "sandbox.waiting",
        "SELECT json(count(*)) AS json FROM claims WHERE {DUE}" [DUE];
        practice, until
    )
    .one()
}

/// Takes one step, at the instant at which it was due. A decision that staff could not make either is left out.
pub(super) async fn take(jobs: &Jobs, step: &DueStep) -> Result<(), DatabaseError> {
    let ctx = jobs.db.ctx()?.at(step.due_at);
    let found = Script::of(&step.claim.claim_number).and_then(|script| script.step(step.step, step.received_at));
    let data_key = jobs.db.read(&data_keys::of_practice(step.practice_id)).await?;
    let fresh = Fresh::new(&ctx, 0, jobs.app.host.bytes()?, jobs.app.host.bytes()?);
    let keys = jobs.app.keys.of_practice(step.practice_id, data_key.as_ref()).or_new(fresh);
    let decided = match found {
        Some((_, what)) => decide(jobs, step, what, &ctx).await?.ok(),
        None => None,
    };
    let (mut guards, mut writes) = decided.map(|change| (change.guards, change.writes)).unwrap_or_default();
    guards.extend([Guard::Usable(step.practice_id), untaken(step)]);
    writes.push(taken(step));
    let plan = pipeline::plan(&ctx, Actor::Sandbox, guards, writes);
    pipeline::run_sealed(&jobs.db, &jobs.app, &plan, sealing(&keys)).await.map(drop)
}

/// Without a key that opens, nothing is sealed, and the batch of a step that seals fails.
fn sealing<'k>(keys: &'k Result<PracticeKeys<'k>, Unopened>) -> &'k [PracticeKeys<'k>] {
    keys.as_ref().map(from_ref).unwrap_or_default()
}

/// The step was not taken yet.
fn untaken(step: &DueStep) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM claims WHERE practice_id = {practice} AND id = {id}
           AND script_step = CAST({step} AS INTEGER) AND script_at IS NOT NULL)";
        practice = step.practice_id, id = step.claim.id, step = step.step
    )
}

/// Notes that the step was taken, and when the next one is due.
fn taken(step: &DueStep) -> Write {
    let next = step.step.saturating_add(1);
    let due = Script::of(&step.claim.claim_number).and_then(|script| script.step(next, step.received_at));
    sql!(
        "UPDATE claims SET script_step = CAST({next} AS INTEGER), script_at = CAST({due} AS INTEGER)
         WHERE practice_id = {practice} AND id = {id}";
        practice = step.practice_id, id = step.claim.id, next, due = due.map(|(at, _)| at)
    )
}

/// The decision of a step, by the made-up person.
async fn decide(
    jobs: &Jobs,
    step: &DueStep,
    what: ScriptStep,
    ctx: &Ctx,
) -> Result<Result<Change, RequestError>, DatabaseError> {
    let (practice, person) = (step.practice_id, worker(step.worker));
    let Some(claim) = jobs.db.read(&claim_changes::claim(practice, step.claim.id)).await? else {
        return Ok(Err(UNKNOWN));
    };
    let named = NamedClaim { id: claim.id, version: claim.version };
    Ok(match what {
        ScriptStep::Review => stepped(practice, (&claim, REVIEW), None, &person, ctx),
        ScriptStep::Report => reports::delivered(practice, (&[named], vec![Some(claim)]), &person, ctx),
        ScriptStep::Sign => signing::decided(
            practice,
            (&claim, SigningStatus::Needed),
            &person,
            ctx.cell.stamp(jobs.app.host.bytes()?),
            ctx,
        ),
        ScriptStep::Appeal => {
            let found = jobs.db.read(&candidates(practice, &[claim.id])).await?;
            let case = CaseRequest { claims: vec![named], kind: LevelKind::Reconsideration, due_on: None };
            opened(practice, (&case, found), &person, ctx)
        }
        ScriptStep::File | ScriptStep::Records | ScriptStep::Decide => {
            of_case(jobs, (step, &claim), what, &person, ctx).await?
        }
    })
}

/// The decision of a step of a claim that is in a case.
async fn of_case(
    jobs: &Jobs,
    (step, claim): (&DueStep, &StoredWorkClaim),
    what: ScriptStep,
    person: &Person,
    ctx: &Ctx,
) -> Result<Result<Change, RequestError>, DatabaseError> {
    let practice = step.practice_id;
    let Some(id) = claim.case_id else { return Ok(Err(UNKNOWN)) };
    let Some(case) = jobs.db.read(&stored_case(practice, id)).await? else { return Ok(Err(UNKNOWN)) };
    let seen = Seen::Version(case.version);
    let last = case.levels.last().copied();
    let Some(last) = last else { return Ok(Err(UNKNOWN)) };
    let today = ctx.today();
    let edit = match what {
        ScriptStep::File => Some(LevelEdit { filed_on: Some(Some(today)), ..LevelEdit::default() }),
        ScriptStep::Records => payer::records(&step.claim, last, today),
        _ => {
            let Some(decision) = payer::decision(&step.claim, last, claim.version, today) else {
                return Ok(Err(UNKNOWN));
            };
            return Ok(decision::decided(practice, (Some(case), seen), &decision, person, ctx));
        }
    };
    let Some(edit) = edit else { return Ok(Err(UNKNOWN)) };
    Ok(level_edited(practice, (Some(case), seen), (last.level, edit), person, ctx))
}

const REVIEW: MoveRequest = MoveRequest {
    status: ClaimStatus::Reviewing,
    case_id: None,
    amount_stands: None,
    amount_recovered: None,
    reason: None,
};

/// The made-up person, who decides as staff do and has no credential.
const fn worker(user_id: UserId) -> Person {
    Person {
        user_id,
        practice_id: None,
        role: Role::Staff,
        epoch: 1,
        via: Via::Sandbox,
        action: Action::Work,
        enrolled: false,
        touch: false,
        sso: false,
        sandbox: true,
    }
}
