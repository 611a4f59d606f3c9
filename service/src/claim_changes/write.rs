//! The guard and the writes of changes, with their audit rows and messages.

use super::change::{ClaimAnswer, ClaimChange};
use crate::plan::Actor;
use crate::plan::message::{Data, Message};
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use overturn_core::base::id::ClaimId;
use overturn_core::base::param::Plain as _;

/// The claims of these practices still have these versions.
pub(crate) fn unchanged(claims: &[(PracticeId, ClaimId, i64)]) -> Guard {
    abort_if!(
        Record,
        "EXISTS (
       SELECT 1 FROM json_each({claims}) j WHERE NOT EXISTS (
         SELECT 1 FROM claims c WHERE c.practice_id = j.value ->> 0 AND c.id = j.value ->> 1 AND c.version = j.value ->> 2))";
        claims = Json(claims)
    )
}

/// The new value of a column; a field that the change does not name stays.
macro_rules! set {
    ($column:literal) => {
        concat!(
            $column,
            " = iif(json_type(f.change, '$.set.",
            $column,
            "') IS NULL, ",
            $column,
            ", f.change ->> '$.set.",
            $column,
            "')"
        )
    };
}

const DUE: &str = set!("appeal_due");
const OTHERS: &str = concat!(
    set!("letter_denied"),
    ", ",
    set!("letter_plan"),
    ", ",
    set!("letter_due"),
    ", ",
    set!("letter_counts"),
    ", ",
    set!("letter_by"),
    ", ",
    set!("letter_at"),
    ", ",
    set!("taken_by"),
    ", ",
    set!("report_id"),
    ", ",
    set!("case_id"),
    ", ",
    set!("recovered_cents"),
    ", ",
    set!("closing_reason")
);

/// The guard and the writes for changes of claims, at least one. The guard checks that the claims are unchanged, and the
/// endpoints of each practice get a message for each change of its claims and the `more` messages.
pub(crate) fn changes(
    changes: Vec<ClaimChange>,
    more: impl IntoIterator<Item = (PracticeId, Data)>,
    by: impl Into<Actor>,
    ctx: &Ctx,
) -> (Guard, [Write; 3]) {
    let versions: Vec<_> = changes.iter().map(|change| (change.practice_id, change.id, change.version)).collect();
    let news = changes.iter().flat_map(|change| change.news().map(|news| (change.practice_id, news)));
    let messages = news.chain(more).enumerate().map(|(n, (practice, news))| Message::new(ctx, n, practice, news));
    let messages = Write::Messages(messages.collect());
    let changes = Json(changes.iter().map(ClaimChange::row).collect::<Vec<_>>()).param();
    let event = sql!(
        "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
     SELECT c.practice_id, c.id, c.version + 1, {now}, j.value ->> 'kind', j.value ->> 'status', {by}, {request}, j.value -> 'detail'
     FROM json_each({changes}) j CROSS JOIN claims c
     WHERE c.practice_id = j.value ->> 'practice' AND c.id = j.value ->> 'id' AND c.version = j.value ->> 'version'";
        changes = changes.clone(), now = ctx.now, by = by.into().to_string(), request = ctx.request_id
    );
    // Each practice numbers its changes. Materialized, because SQLite would otherwise loop over all claims first. In this form it
    // reads only the end of the index of numbers. The table knows no third origin of a deadline, see `due_from!`.
    let update = sql!(
        "WITH f AS MATERIALIZED (
       SELECT c.practice_id, c.claim_number, j.value AS change,
         row_number() OVER (PARTITION BY c.practice_id ORDER BY j.key) + coalesce((SELECT b.changed FROM claims b
           WHERE b.practice_id = c.practice_id AND b.changed > 0 ORDER BY b.changed DESC LIMIT 1), 0) AS n
       FROM json_each({changes}) j CROSS JOIN claims c
       WHERE c.practice_id = j.value ->> 'practice' AND c.id = j.value ->> 'id' AND c.version = j.value ->> 'version')
     UPDATE claims SET status = f.change ->> 'status', signing_status = f.change ->> 'signing', version = version + 1,
       updated_at = {now}, changed = f.n,
       {DUE}, appeal_due_from = iif(json_type(f.change, '$.set.appeal_due_from') IS NULL, appeal_due_from,
         iif(f.change ->> '$.set.appeal_due_from' = 'letter', 'rule', f.change ->> '$.set.appeal_due_from')), {OTHERS}
     FROM f WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number"
         [DUE, OTHERS];
        changes, now = ctx.now
    );
    (unchanged(&versions), [event, update, messages])
}

/// The nth audit row of a request, about a claim's change.
pub(crate) fn audit(event: Event, n: usize, change: &ClaimChange, ctx: &Ctx) -> Entry {
    let (status, signing) = (change.status, change.signing);
    let said = match change.set.taken_by {
        Some(holder) => json!({ "status": status, "signing": signing, "taken_by": holder }),
        None => json!({ "status": status, "signing": signing }),
    };
    Entry::new(ctx, n, Some(change.practice_id), event, change.id).detail(said)
}

/// One claim's change, with its audit row.
pub(crate) fn settle(
    event: Event,
    stored: &StoredWorkClaim,
    change: ClaimChange,
    person: &Person,
    ctx: &Ctx,
) -> Change {
    let answer = Answer::new(200, &ClaimAnswer::after(stored, &change));
    let audit = audit(event, 0, &change, ctx);
    let (guard, writes) = changes([change].into(), [], person, ctx);
    let settled = Change::new(audit, answer).guard(guard);
    writes.into_iter().fold(settled, Change::write)
}
