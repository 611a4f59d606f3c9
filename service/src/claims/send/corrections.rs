//! Corrections of claims by resends, as writes.

use crate::plan::Plan;
use crate::prelude::*;
use crate::store::json::json as text;
use overturn_core::base::id::ClaimId;
use overturn_core::base::money::Cents;
use overturn_core::claims::intake::Changes;

/// A correction, in the form that the writes read.
#[derive(Serialize)]
struct Row<'a> {
    claim_number: &'a str,
    id: ClaimId,
    payer_claim_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    billed: Option<Cents>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denied: Option<Cents>,
}

/// True if a correction `j` changes anything of the claim `c`.
pub(super) const CORRECTS: &str = "(c.payer_claim_number <> j.value ->> 'payer_claim_number'
          OR c.billed_cents IS NOT coalesce(j.value ->> 'billed', c.billed_cents)
          OR c.denied_cents IS NOT coalesce(j.value ->> 'denied', c.denied_cents))";

/// The values of the claim `c` that a correction can change, before it.
pub(super) const BEFORE: &str =
    "json_object('payer_claim_number', c.payer_claim_number, 'billed_cents', c.billed_cents,
         'denied_cents', c.denied_cents)";

/// The same values after the correction `j`.
pub(super) const AFTER: &str = "json_object('payer_claim_number', j.value ->> 'payer_claim_number',
         'billed_cents', coalesce(j.value ->> 'billed', c.billed_cents),
         'denied_cents', coalesce(j.value ->> 'denied', c.denied_cents))";

/// The claim `c` of a correction `j`, if that changes it and the batch has not run before: one that runs again late must not
/// undo what others have corrected since.
const CORRECTED: &str = "c.practice_id = {practice} AND c.claim_number = j.value ->> 'claim_number'
       AND c.id = j.value ->> 'id' AND {CORRECTS}
       AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.practice_id = {practice} AND a.id = {row})";

/// The audit row of a send's corrections. Each round has its own number after this one.
const AUDIT_ROW: usize = 2_000;

/// Adds the writes of corrections.
pub(super) fn add(plan: &mut Plan, changes: &Changes<'_>, ctx: &Ctx) {
    if changes.corrections.is_empty() {
        return;
    }
    let rows = changes.corrections.iter().map(|to| Row {
        claim_number: to.claim_number,
        id: to.id,
        payer_claim_number: to.payer_claim_number,
        billed: to.billed,
        denied: to.denied,
    });
    let rows = text(&rows.collect::<Vec<_>>());
    let n = AUDIT_ROW.saturating_add(changes.round);
    let entry = Entry::new(ctx, n, Some(changes.practice_id), Event::ClaimsCorrected, ctx.request_id);
    let row = entry.id.to_string();
    let writes =
        [events(changes, (&rows, &row), plan), update(changes, (&rows, &row), plan), audit(entry, changes, &rows)];
    plan.writes.extend(writes);
}

/// Runs before the claims change, so that it can read the old values.
fn events(changes: &Changes<'_>, (rows, row): (&str, &str), plan: &Plan) -> Write {
    let (practice, now, actor, request) = (changes.practice_id, plan.at, plan.actor.to_string(), plan.request_id);
    sql!(
        "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
         SELECT {practice}, c.id, c.version + 1, {now}, 'corrected', c.status, {actor}, {request},
           json_object('before', {BEFORE}, 'after', {AFTER})
         FROM json_each({rows}) j CROSS JOIN claims c WHERE {CORRECTED}" [BEFORE, AFTER, CORRECTED, CORRECTS];
        practice, rows, now, actor, request, row
    )
}

/// Materialized, because SQLite would otherwise loop over all claims first.
fn update(changes: &Changes<'_>, (rows, row): (&str, &str), plan: &Plan) -> Write {
    const BASE: &str = base!();
    let (practice, now) = (changes.practice_id, plan.at);
    sql!(
        "WITH f AS MATERIALIZED (
           SELECT c.practice_id, c.claim_number, j.key + 1 AS n, j.value ->> 'payer_claim_number' AS payer_claim_number,
             coalesce(j.value ->> 'billed', c.billed_cents) AS billed,
             coalesce(j.value ->> 'denied', c.denied_cents) AS denied
           FROM json_each({rows}) j CROSS JOIN claims c WHERE {CORRECTED}), {BASE}
         UPDATE claims SET payer_claim_number = f.payer_claim_number, billed_cents = f.billed, denied_cents = f.denied,
           version = version + 1, updated_at = {now}, changed = base.n + f.n
         FROM base, f WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number
           AND +claims.practice_id = {practice}" [BASE, CORRECTED, CORRECTS];
        practice, rows, now, row
    )
}

/// Written only if a correction changed something; the events say what.
fn audit(entry: Entry, changes: &Changes<'_>, rows: &str) -> Write {
    let (practice, request) = (changes.practice_id, entry.record.clone());
    audit_if!(
        entry,
        "EXISTS (SELECT 1 FROM json_each({rows}) j CROSS JOIN claims c CROSS JOIN claim_events e
           WHERE c.practice_id = {practice} AND c.claim_number = j.value ->> 'claim_number'
             AND e.practice_id = {practice} AND e.claim_id = c.id AND e.version = c.version
             AND e.kind = 'corrected' AND e.request_id = {request})";
        practice, rows, request
    )
}
