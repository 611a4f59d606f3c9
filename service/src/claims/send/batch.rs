//! The batch of a send: its changes as statements, and how to read what became of them.

use super::load::STORED;
use super::sender::Sender;
use super::{corrections, fills, mismatches, new, scripted};
use crate::pipeline;
use crate::plan::Plan;
use crate::sql::select;
use crate::store::json::json;
use crate::store::lower::lower;
use crate::store::sealer::{SealError, Sealer};
use crate::store::{Done, Query, RowError, Statement};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::MessageId;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::{Changes, CommitResult};
use std::ops::Range;

/// The batch of one round of a send.
pub struct SendBatch {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// How to read what became of the claims, `None` if none is created or changed.
    pub outcome: Option<Outcome>,
    /// The messages for endpoints that it writes.
    pub(super) messages: Vec<MessageId>,
}

/// What became of the claims of a batch.
pub struct Outcome {
    /// The query of it. It is also the last statement of the batch, unless all claims are new.
    pub query: Query<CommitResult>,
    /// The statements that insert, and how many claims the batch creates, if all claims are new. If as many rows were
    /// inserted, the batch created every claim, and nothing has to be read. Fewer are inserted after a lost race or a lost
    /// answer.
    pub inserts: Option<(Range<usize>, usize)>,
}

impl Outcome {
    /// The result, given what each statement of the batch did. `None` if the query must be asked.
    ///
    /// # Errors
    ///
    /// [`RowError`] of the row that the batch has read.
    pub fn of_batch(&self, done: &[Done]) -> Result<Option<CommitResult>, RowError> {
        let Some((inserts, created)) = &self.inserts else {
            return self.query.row(done.last().and_then(|done| done.json.as_deref())).map(Some);
        };
        let inserted = done.get(inserts.clone()).unwrap_or_default();
        let inserted: usize = inserted.iter().map(|done| done.changes).sum();
        Ok((inserted == *created).then(|| CommitResult { created: *created, others: Vec::new() }))
    }
}

/// How many values [`batch`] seals at most.
pub(super) fn secrets(changes: &Changes<'_>) -> usize {
    changes.new.len().saturating_add(changes.fills.len()).max(1)
}

/// The batch that writes the changes of a sender, whose credential must not have ended at `checked_at`.
///
/// # Errors
///
/// [`SealError`] if the sealer does not have the key of the practice.
pub fn batch(
    changes: &Changes<'_>,
    sender: &Sender,
    (ctx, checked_at): (&Ctx, Instant),
    sealer: &mut Sealer<'_>,
) -> Result<SendBatch, SealError> {
    let plan = pipeline::plan(ctx, sender.actor, sender.guards_of(changes), Vec::new());
    let mut plan = Plan { checked_at, ..plan };
    if sender.sandbox && !changes.new.is_empty() {
        plan.guards.push(scripted::room(changes.practice_id, changes.new.len()));
    }
    if let Some(compared) = &changes.compared {
        plan.guards.extend(mismatches::guard(changes.practice_id, compared));
        plan.writes.extend(mismatches::writes(changes.practice_id, compared, ctx));
    }
    let inserts = new::add(&mut plan, changes, sender, ctx, sealer)?;
    let messages = fills::add(&mut plan, changes, ctx, sealer)?;
    corrections::add(&mut plan, changes, ctx);
    let mut statements = lower(&plan, sealer)?.statements;
    // Each write is one statement, and the guards come before them.
    let before = statements.len().saturating_sub(plan.writes.len());
    let numbers: Vec<&str> = changes.claim_numbers().collect();
    let outcome = (!numbers.is_empty()).then(|| {
        let all_new = numbers.len() == changes.new.len();
        let inserts = inserts.start.saturating_add(before)..inserts.end.saturating_add(before);
        Outcome { query: outcome(changes, &numbers), inserts: all_new.then_some((inserts, numbers.len())) }
    });
    let last =
        outcome.iter().filter(|outcome| outcome.inserts.is_none()).map(|outcome| outcome.query.statement().clone());
    statements.extend(last);
    Ok(SendBatch { statements, outcome, messages })
}

/// Reads the result: claims that are exactly as created are only counted, all others are read in full.
fn outcome(changes: &Changes<'_>, numbers: &[&str]) -> Query<CommitResult> {
    let (practice, submission, numbers) = (changes.practice_id, changes.submission_id, json(&numbers));
    select!(
        "claims.outcome",
        "SELECT json_array(coalesce(sum(c.created), 0), {STORED} FILTER (WHERE NOT c.created)) AS json
         FROM (SELECT *, submission_id = {submission} AND status = 'received' AS created FROM claims
               WHERE practice_id = {practice} AND claim_number IN (SELECT value FROM json_each({numbers}))) c" [STORED];
        practice, numbers, submission
    )
    .one()
}
