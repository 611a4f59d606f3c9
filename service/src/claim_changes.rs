//! Changes of claims by staff and patients: what is read before, and the guard and the writes.

mod change;
mod several;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub(crate) use change::{ClaimAnswer, ClaimChange, ClaimEdit, LinkChange};
pub use several::{ClaimResultStatus, SEVERAL_MAX, SeenClaim};
pub(crate) use several::{Claims, FoundClaim, OfClaim, Version, decide_each};

use crate::prelude::*;
use overturn_core::base::id::ClaimId;
use overturn_core::base::param::Plain as _;
use overturn_core::plan::Actor;
use overturn_core::plan::message::{Data, Message};
use overturn_core::plan::work::claim::StoredWorkClaim;

/// A claim `c` before a change, as [`StoredWorkClaim`] reads it.
pub(crate) const STORED: &str = concat!(
    "json_object('id', c.id, 'claim_number', c.claim_number, 'version', c.version, 'status', c.status,
               'signing_status', c.signing_status, 'taken_by', c.taken_by, 'case_id', c.case_id, 'deadline', ",
    overturn_store::deadline!(),
    ", 'plan_type', c.plan_type, 'denial_date', c.denial_date, 'letter', ",
    overturn_store::letter!(),
    ",
               'case', json((SELECT json_object('version', o.version, 'level', coalesce((
                   SELECT l.level FROM case_levels l WHERE l.practice_id = o.practice_id AND l.case_id = o.id
                   ORDER BY l.level DESC LIMIT 1), 0))
                 FROM cases o WHERE o.practice_id = c.practice_id AND o.id = c.case_id)),
               'levels', json((SELECT json_group_array(json_object('case_id', e.case_id, 'level', e.level,
                   'filed', json(iif(e.filed = 1, 'true', 'false')), 'paid', iif(e.recovered_cents IS NULL, NULL,
                     json_object('amount', e.recovered_cents, 'at', e.recovered_at,
                       'stands', json(iif(e.stands = 1, 'true', 'false'))))))
                 FROM level_claims e WHERE e.practice_id = c.practice_id AND e.claim_id = c.id)))"
);
const AGREEMENT: &str = overturn_store::agreement!("p.id");

/// A claim before a change. Staff belong to no practice, so each of these queries takes the practice.
pub fn claim(practice: PracticeId, id: ClaimId) -> Query<Option<StoredWorkClaim>> {
    select!(
        "work.claim",
        "SELECT {STORED} AS json FROM claims c WHERE c.practice_id = {practice} AND c.id = {id}" [STORED]; practice, id
    )
    .optional()
}

/// Claims of the practice, in the order of their ids; `None` for a claim that the practice does not have.
pub fn claims(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<StoredWorkClaim>>> {
    select!(
        "work.claims",
        "SELECT json_group_array(json(claim)) AS json FROM (
       SELECT (SELECT {STORED} FROM claims c WHERE c.practice_id = {practice} AND c.id = j.value) AS claim
       FROM json_each({ids}) j ORDER BY j.key)"
         [STORED];
        practice, ids = Json(ids)
    )
    .or_default()
}

/// Claims that a request names, in its order.
pub fn found(claims: &[SeenClaim]) -> Query<Vec<FoundClaim>> {
    let named: Vec<_> = claims.iter().map(|claim| (claim.practice_id, claim.id)).collect();
    select!(
        "work.found",
        "SELECT json_group_array(json(found)) AS json FROM (
       SELECT json_object('practice', json((SELECT json_array(p.state, json(iif({AGREEMENT}, 'true', 'false')))
           FROM practices p WHERE p.id = j.value ->> 0)),
         'claim', json((SELECT {STORED} FROM claims c WHERE c.practice_id = j.value ->> 0 AND c.id = j.value ->> 1))) AS found
       FROM json_each({named}) j ORDER BY j.key)"
         [AGREEMENT, STORED];
        named = Json(named)
    )
    .or_default()
}

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
) -> (Guard, [Write<'static>; 3]) {
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
