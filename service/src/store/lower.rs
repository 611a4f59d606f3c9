//! Turns a plan into one batch. It does no IO: the caller passes the keys and the nonces.

use crate::plan::audit::Entry;
use crate::plan::{Guard, Plan, Write};
use crate::store::answers;
use crate::store::auth::guards as auth;
use crate::store::data_key_writes as data_keys;
use crate::store::documents;
use crate::store::messages;
use crate::store::query::{Queries, RowError};
use crate::store::records;
use crate::store::sealer::{SealError, Sealer};
use crate::store::statement::{Done, Statement};
use crate::store::versions;

/// The batch of a plan.
#[derive(Debug)]
pub struct Batch {
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

impl Batch {
    /// The batch with queries at its end. They read what the writes have left, in the same transaction.
    #[must_use]
    pub fn read_back<Q: Queries>(self, queries: &Q) -> ReadBack<'_, Q> {
        let mut statements = self.statements;
        let writes = statements.len();
        queries.add_to(&mut statements);
        ReadBack { statements, writes, queries }
    }
}

/// A batch that ends with queries.
pub struct ReadBack<'q, Q> {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    writes: usize,
    queries: &'q Q,
}

impl<Q: Queries> ReadBack<'_, Q> {
    /// The rows of the queries, given what each statement did.
    ///
    /// # Errors
    ///
    /// [`RowError`] of the first query whose row does not fit.
    pub fn rows(&self, done: &[Done]) -> Result<Q::Rows, RowError> {
        let read = done.get(self.writes..).unwrap_or_default();
        self.queries.rows(&mut read.iter())
    }
}

/// Lowers a plan to one batch.
///
/// # Errors
///
/// [`SealError`] if the sealer does not have the key for a value.
pub fn lower(plan: &Plan, sealer: &mut Sealer<'_>) -> Result<Batch, SealError> {
    let mut first: Vec<Statement> = plan.evidence().map(records::done).into_iter().collect();
    let mut statements = Vec::new();
    let audits = audits(plan);
    let in_one = audits.len() > 1;
    if in_one {
        statements.push(records::audit_all(plan, &audits, sealer.keys));
    }
    for write in &plan.writes {
        match write {
            Write::Notice(notice) => statements.push(records::notice(notice, plan.at)),
            Write::Messages(messages) => statements.push(messages::lower(messages, plan.at)),
            Write::Sql(statement) => statements.push(sealer.sealed(statement)?),
            Write::Version(next) => statements.push(versions::write(*next)),
            Write::AuditIf(entry, condition) => {
                statements.push(records::audit_if(plan, entry, condition, sealer.keys));
            }
            Write::Audit(entry) if in_one && !entry.by_service => {}
            Write::Audit(entry) => statements.push(records::audit(plan, entry, sealer.keys)),
            Write::Answer(new) => statements.extend(answers::lower(new, plan)),
        }
    }
    first.extend(guards(plan, sealer));
    first.append(&mut statements);
    Ok(Batch { statements: first })
}

/// The guards of a plan. If data keys sealed anything, a guard checks that their practices still have them, and the row
/// of a new key comes before it. One statement checks the data key and an API key, because every send has both.
fn guards(plan: &Plan, sealer: &Sealer<'_>) -> Vec<Statement> {
    let sealed = sealer.used_data_keys();
    let mut joined = false;
    let guards = plan.guards.iter().map(|guard| match (guard, sealed) {
        (Guard::Key(caller), [(practice, data)]) if caller.practice_id == *practice && data.new_row().is_none() => {
            joined = true;
            auth::key_and_data_key(caller, data, plan)
        }
        (Guard::AllNew(caller, submission, numbers), [(practice, data)]) if caller.practice_id == *practice => {
            joined = true;
            auth::all_new(caller, data, (*submission, numbers), plan)
        }
        _ => lower_guard(guard, plan),
    });
    let mut statements: Vec<Statement> = guards.collect();
    if joined || sealed.is_empty() {
        return statements;
    }
    for new in sealed.iter().filter_map(|(_, data)| data.new_row()) {
        statements.push(data_keys::insert(new, plan.at));
        statements.push(records::audit(plan, &new.audit, sealer.keys));
    }
    statements.push(data_keys::guard(sealed));
    statements
}

/// The audit rows of a plan's actor. Many rows are one statement.
fn audits(plan: &Plan) -> Vec<&Entry> {
    let entries = plan.writes.iter().filter_map(|write| match write {
        Write::Audit(entry) if !entry.by_service => Some(entry),
        _ => None,
    });
    entries.collect()
}

/// The statement that aborts the batch if a guard fails.
fn lower_guard(guard: &Guard, plan: &Plan) -> Statement {
    match guard {
        Guard::Key(caller) => auth::key(caller, plan),
        // A batch that seals nothing under the practice's data key has no new claims.
        Guard::AllNew(..) => auth::not_new(),
        Guard::Person(held) => auth::person(held, plan),
        Guard::Readable(practice) => auth::readable(*practice),
        Guard::Usable(practice) => auth::usable(*practice),
        Guard::AllReadable(practices) => auth::all_readable(practices),
        Guard::Version(read) => versions::guard(*read),
        Guard::Sql(statement) | Guard::OfStaff(statement) => statement.clone(),
        Guard::NoHold(practice) => documents::no_hold(*practice),
    }
}
