//! Commits a change as one batch, and interprets a failed batch.

use crate::app::App;
use crate::auth::may::LAST_OWNER;
use crate::auth::person::Person;
use crate::call::Call;
use crate::db::Db;
use crate::error::AppError;
use crate::extract::Presented;
use crate::pipeline::after_commit;
use crate::pipeline::forwards::forwards;
use crate::pipeline::queue;
use crate::plan::change::{Answer, Change};
use crate::plan::{Actor, Guard, Plan, Write};
use crate::request::error::RequestError;
use crate::request::idempotency::{Repeatable, StoredAnswer};
use crate::request::reason::Reason;
use crate::response::Response;
use crate::store::error::{DatabaseError, FailedGuard, LEFT};
use crate::store::keyring::practice::PracticeKeys;
use crate::store::lower::{self, Batch};
use crate::store::sealer::Sealer;
use crate::store::{Done, Queries, Statement};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{PracticeId, SigningLinkId};
use overturn_core::base::instant::Instant;
use std::rc::Rc;
use std::slice::from_ref;

pub(crate) fn log_not_recorded(fault: DatabaseError) {
    if fault.has_left() {
        return;
    }
    let reason = fault.to_string();
    log::error!("{}", serde_json::json!({ "event": "not_noted", "reason": reason }));
}

pub(super) fn keep(person: &Person, request: Repeatable, answer: &Answer, at: Instant) -> Write {
    Write::Answer(StoredAnswer { caller: person.user_id, request, status: answer.status, body: answer.kept(), at })
}

pub(crate) fn plan(ctx: &Ctx, actor: Actor, guards: Vec<Guard>, writes: Vec<Write>) -> Plan {
    let checked_at = ctx.now;
    Plan { guards, actor, at: ctx.now, checked_at, request_id: ctx.request_id, from: ctx.address.clone(), writes }
}

/// The plan of a call whose credential is checked again now.
pub(crate) fn plan_of_call(call: &Call, actor: Actor, guards: Vec<Guard>, writes: Vec<Write>) -> Plan {
    Plan { checked_at: call.now(), ..plan(&call.ctx, actor, guards, writes) }
}

/// Commits a change, and announces its webhook messages. `keys` are the keys of the practices of which something is
/// sealed. Returns the result of each statement, or nothing if the batch ran before.
pub(super) async fn commit(
    call: &Call,
    actor: Actor,
    change: &Change,
    keys: &[PracticeKeys<'_>],
) -> Result<Vec<Done>, DatabaseError> {
    if !call.may_commit() {
        return Err(DatabaseError::Transient("reserved_too_long"));
    }
    if let Some((cell, writes)) = &change.elsewhere {
        written(call, &call.db.in_cell(*cell), Actor::Service, writes.clone()).await?;
    }
    let plan = plan_of_call(call, actor, change.guards.clone(), change.writes.clone());
    let done = run_sealed(&call.db, &call.app, &plan, keys).await?;
    queue::announce(call, &change.writes);
    Ok(done.unwrap_or_default())
}

/// Runs the batch of a plan in which nothing of a practice is sealed. It may run twice.
pub(crate) async fn run(db: &Db, app: &App, plan: &Plan) -> Result<Vec<Done>, DatabaseError> {
    let done = run_sealed(db, app, plan, &[]).await?;
    Ok(done.unwrap_or_default())
}

/// [`run`] for a plan that hands out no secret. If its practice has moved meanwhile, it runs where the practice lives now.
pub(crate) async fn run_anywhere(
    db: &Db,
    app: &App,
    (practice, plan): (PracticeId, &Plan),
    keys: &[PracticeKeys<'_>],
) -> Result<(), DatabaseError> {
    let ran = run_sealed(db, app, plan, keys).await;
    if ran != Err(DatabaseError::Transient(LEFT)) {
        return ran.map(drop);
    }
    match db.read(&forwards(&[&practice.to_string()])).await?.pop() {
        Some(forward) => run_sealed(&db.in_cell(forward.cell), app, plan, keys).await.map(drop),
        None => ran.map(drop),
    }
}

/// [`run`], and reads queries at the end of the same batch, after its writes.
pub(crate) async fn run_and_read<Q: Queries>(
    db: &Db,
    app: &App,
    plan: &Plan,
    queries: &Q,
) -> Result<Q::Rows, DatabaseError> {
    let batch = lowered(app, plan, &[])?.read_back(queries);
    match run_once(db, &batch.statements).await? {
        Some(done) => Ok(batch.rows(&done)?),
        None => db.read(queries).await,
    }
}

/// Counts an attempt before its secret is compared, and reads queries in the same batch. Each of several parallel attempts
/// reads a count that includes itself.
pub(crate) async fn count_and_read<Q: Queries>(
    call: &Call,
    count: Write,
    queries: &Q,
) -> Result<Q::Rows, DatabaseError> {
    let plan = plan(&call.ctx, Actor::Service, Vec::new(), vec![count]);
    run_and_read(&call.db, &call.app, &plan, queries).await
}

fn lowered(app: &App, plan: &Plan, keys: &[PracticeKeys<'_>]) -> Result<Batch, DatabaseError> {
    let mut nonce = app.host.nonces(secrets(plan))?;
    let mut sealer = Sealer::new(&app.keys, keys, &mut nonce);
    Ok(lower::lower(plan, &mut sealer)?)
}

/// Runs the batch of a plan, which may run twice. Returns the results of [`run_once`].
pub(crate) async fn run_sealed(
    db: &Db,
    app: &App,
    plan: &Plan,
    keys: &[PracticeKeys<'_>],
) -> Result<Option<Vec<Done>>, DatabaseError> {
    run_once(db, &lowered(app, plan, keys)?.statements).await
}

/// Runs a batch of writes. Returns the result of each statement, or `None` if the same batch ran before: this request
/// ran it, and the database's answer was lost.
pub(crate) async fn run_once(db: &Db, batch: &[Statement]) -> Result<Option<Vec<Done>>, DatabaseError> {
    match db.batch(batch).await {
        Err(DatabaseError::Conflict(FailedGuard::Done)) => Ok(None),
        done => done.map(Some),
    }
}

/// How many secrets a plan seals, at least one.
fn secrets(plan: &Plan) -> usize {
    let claims = plan.writes.iter().map(|write| match write {
        Write::Sql(statement) => statement.sealed().count(),
        _ => 0,
    });
    claims.sum::<usize>().max(1)
}

pub(crate) const ADDRESS_TAKEN: RequestError =
    RequestError::Conflict(Reason::AlreadyExists, "the address has an account here");

/// The refusal that the caller gets if a precondition no longer held.
pub(super) fn refused(fault: DatabaseError) -> AppError {
    let denied = match fault {
        DatabaseError::Conflict(FailedGuard::Secret) => RequestError::SignInFailed,
        DatabaseError::Conflict(FailedGuard::Rights) => RequestError::NotSignedIn,
        DatabaseError::Conflict(FailedGuard::Owner) => LAST_OWNER,
        DatabaseError::Conflict(FailedGuard::Credential) => {
            RequestError::Conflict(Reason::RightsChanged, "the practice has changed, try again")
        }
        DatabaseError::Conflict(FailedGuard::Record) => {
            RequestError::Conflict(Reason::VersionConflict, "the record has changed, read it again")
        }
        DatabaseError::Conflict(FailedGuard::Request) => {
            RequestError::Conflict(Reason::RequestRunning, "a request with this Idempotency-Key is still running")
        }
        DatabaseError::Conflict(FailedGuard::Address) => ADDRESS_TAKEN,
        other => return other.into(),
    };
    denied.into()
}

/// The guards of a person: their rights, and the practice whose claims the call is about.
pub(super) fn guards(person: &Person, presented: &Presented) -> Vec<Guard> {
    let own = person.practice_id.filter(|_| person.action.right().agreement);
    let readable = match presented.about {
        // A token can be of a sandbox.
        Some(practice) if person.practice_id == Some(practice) => Some(Guard::Usable(practice)),
        Some(practice) => Some(Guard::Readable(practice)),
        None => own.map(Guard::Usable),
    };
    let person = Guard::Person(person.clone());
    [person].into_iter().chain(readable).collect()
}

/// Commits a change of a person who is not signed in yet.
pub(crate) async fn commit_signing_in(call: &Rc<Call>, actor: Actor, change: Change) -> Result<Response, AppError> {
    let done = commit(call, actor, &change, &[]).await;
    done.map_err(|fault| match fault {
        // An account that has changed is refused like any failed sign-in.
        DatabaseError::Conflict(FailedGuard::Rights) => RequestError::SignInFailed.into(),
        other => refused(other),
    })?;
    after_commit::first(call, change)
}

/// Commits a change of a patient, who is known by a link. `keys` are the practice's keys, if something is sealed.
pub(crate) async fn commit_by_link(
    call: &Call,
    link: SigningLinkId,
    change: &Change,
    keys: Option<&PracticeKeys<'_>>,
) -> Result<(), DatabaseError> {
    let keys = keys.map(from_ref).unwrap_or_default();
    commit(call, Actor::SigningLink(link), change, keys).await.map(|_| ())
}

/// Commits a change after the answer, with its emails. A change that no longer applies is dropped.
pub(crate) fn commit_in_background(call: &Rc<Call>, actor: Actor, change: Change) {
    call.after_answer(async move |call| match commit(&call, actor, &change, &[]).await {
        Ok(_) => {
            let _nobody_waits = after_commit::first(&call, change);
        }
        Err(DatabaseError::Conflict(_)) => {}
        Err(fault) => log_not_recorded(fault),
    });
}

/// Writes an audit row after the answer. A failure is logged.
pub(crate) fn record_in_background(call: &Rc<Call>, actor: Actor, writes: Vec<Write>) {
    call.after_answer(async move |call| {
        if let Err(fault) = written(&call, &call.db, actor, writes).await {
            log_not_recorded(fault);
        }
    });
}

/// Runs writes wherever the practice of their audit row lives.
async fn written(call: &Call, db: &Db, actor: Actor, writes: Vec<Write>) -> Result<(), DatabaseError> {
    let plan = plan(&call.ctx, actor, Vec::new(), writes);
    let of = plan.writes.iter().find_map(|write| match write {
        Write::Audit(entry) => entry.practice_id,
        _ => None,
    });
    match of {
        Some(practice) => run_anywhere(db, &call.app, (practice, &plan), &[]).await,
        None => run(db, &call.app, &plan).await.map(drop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_practice_that_changed_until_the_commit_is_a_conflict() {
        let refused = refused(DatabaseError::Conflict(FailedGuard::Credential));
        assert!(matches!(refused, AppError::Request(RequestError::Conflict(Reason::RightsChanged, _))));
    }
}
