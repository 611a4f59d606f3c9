//! Resends that do not match the claim of their number, as writes. A practice has one row per day for each claim, and one
//! with an empty claim for the practice as a whole.

use crate::plan::notice::{Notice, NoticeKind};
use crate::prelude::*;
use crate::store::json::json as text;
use overturn_core::base::date::Date;
use overturn_core::base::id::ClaimId;
use overturn_core::claims::identity::Mismatch;
use overturn_core::claims::intake::{Bound, Compared};

/// The audit rows of a send besides those of mismatches: submission, corrections, fill-ins.
const OTHER_ROWS: usize = 3;

/// The audit row about the notice to the owners. Its number is after all others of a request.
const ALARM_ROW: usize = 1_000;

/// The audit row of the mismatches in one round, `None` if there are none.
fn entry(practice: PracticeId, compared: &Compared, ctx: &Ctx) -> Option<Entry> {
    let of = |kind| {
        let those = compared.found.iter().filter(move |(.., found)| *found == kind);
        those.map(|(_, id, _)| *id).collect::<Vec<_>>()
    };
    let detail = json!({
        "different_patient": of(Mismatch::DifferentPatient),
        "different_claim": of(Mismatch::DifferentClaim),
    });
    // Each round has its own row.
    let row = OTHER_ROWS.saturating_add(compared.counted);
    let entry = || Entry::new(ctx, row, Some(practice), Event::ClaimsMismatched, ctx.request_id).detail(detail);
    (!compared.found.is_empty()).then(entry)
}

/// The audit row about the notice to the owners.
pub(super) fn alarm_entry(practice: PracticeId, (day, bound): (Date, Bound), n: usize, ctx: &Ctx) -> Entry {
    let row = ALARM_ROW.saturating_add(n);
    let entry = Entry::new(ctx, row, Some(practice), Event::ResendsStopped, practice);
    entry.detail(json!({ "day": day, "bound": bound }))
}

/// Aborts unless these additional mismatches stay within the limits, and the claims of the matches have room for one more. A
/// match needs as much room as a mismatch would need, but does not use it. Mismatches that use up the limit need no room.
pub(super) fn guard(practice: PracticeId, compared: &Compared) -> Option<Guard> {
    if compared.closes {
        return None;
    }
    let found = compared.found.iter().map(|(_, id, _)| *id);
    let claims = found.chain(compared.matches.iter().map(|(_, id)| *id));
    let more = compared.found.len().max(1);
    let (day, rows) = (compared.day, rows(compared, claims, more));
    Some(abort_if!(
        Mismatches,
        "EXISTS (
           SELECT 1 FROM json_each({rows}) j CROSS JOIN mismatches m
           WHERE m.day = {day} AND m.practice_id = {practice} AND m.claim_id = j.value ->> 0
             AND m.count + (j.value ->> 1) > j.value ->> 2)
           OR EXISTS (SELECT 1 FROM json_each({rows}) j WHERE j.value ->> 1 > j.value ->> 2)";
        practice, day, rows
    ))
}

/// Claims with one more mismatch each, and the practice with `more`, each with its limit.
fn rows(compared: &Compared, claims: impl Iterator<Item = ClaimId>, more: usize) -> String {
    let of_claim = |id: ClaimId| (id.to_string(), 1, compared.bounds.claim);
    let mut rows: Vec<_> = claims.map(of_claim).collect();
    rows.push((String::new(), more, compared.bounds.practice));
    text(&rows)
}

/// Counts the mismatches and notifies the owners if they reach a limit. The audit row of the batch ensures that it runs once,
/// so each mismatch is counted once.
pub(super) fn writes(practice: PracticeId, compared: &Compared, ctx: &Ctx) -> Vec<Write> {
    let Some(entry) = entry(practice, compared, ctx) else {
        return Vec::new();
    };
    let mut writes = vec![Write::Audit(entry), count(practice, compared)];
    let claims: Vec<ClaimId> = compared.found.iter().map(|(_, id, _)| *id).collect();
    let of_claims = (Bound::Claim, compared.bounds.claim, text(&claims));
    let of_practice = (Bound::Practice, compared.bounds.practice, text(&[""]));
    for (bound, most, claims) in [of_claims, of_practice] {
        writes.extend(alarm((practice, compared.day), (bound, most, &claims), ctx));
    }
    writes
}

/// Counts mismatches, or uses up the practice's limit for the day.
fn count(practice: PracticeId, compared: &Compared) -> Write {
    let day = compared.day;
    if compared.closes {
        let most = i64::from(compared.bounds.practice);
        return sql!(
            "INSERT INTO mismatches (day, practice_id, claim_id, count) VALUES ({day}, {practice}, '', {most})
             ON CONFLICT (day, practice_id, claim_id) DO UPDATE SET count = max(count, excluded.count)";
            practice, day, most
        );
    }
    let rows = rows(compared, compared.found.iter().map(|(_, id, _)| *id), compared.found.len());
    sql!(
        "INSERT INTO mismatches (day, practice_id, claim_id, count)
         SELECT {day}, {practice}, j.value ->> 0, j.value ->> 1 FROM json_each({rows}) j WHERE true
         ON CONFLICT (day, practice_id, claim_id) DO UPDATE SET count = count + excluded.count";
        practice, day, rows
    )
}

/// A limit that is reached without the owners having been notified. Of the claims, `""` stands for the practice.
const REACHED: &str = "EXISTS (SELECT 1 FROM mismatches p WHERE p.day = {day} AND p.practice_id = {practice}
           AND p.claim_id = '' AND p.told & CAST({bit} AS INTEGER) = 0)
         AND EXISTS (SELECT 1 FROM json_each({claims}) j CROSS JOIN mismatches m
           WHERE m.day = {day} AND m.practice_id = {practice} AND m.claim_id = j.value AND m.count >= {most})";

/// The audit row, the email to the owners, and the mark that they were notified, each if the limit is reached.
fn alarm((practice, day): (PracticeId, Date), (bound, most, claims): (Bound, u32, &str), ctx: &Ctx) -> [Write; 3] {
    let (bit, most) = (i64::from(bound.bit()), i64::from(most));
    let notice = Notice::new(practice, NoticeKind::ResendsStopped, ctx);
    let (id, kind, now) = (notice.id, notice.kind.name(), ctx.now);
    [
        audit_if!(
            alarm_entry(practice, (day, bound), bound.bit().into(), ctx), "{REACHED}" [REACHED];
            practice, day, bit, most, claims
        ),
        sql!(
            "INSERT INTO notices (practice_id, id, kind, at, next_at)
             SELECT {practice}, {id}, {kind}, {now}, {now} WHERE {REACHED}
             ON CONFLICT (practice_id, id) DO NOTHING" [REACHED];
            practice, id, kind, now, day, bit, most, claims
        ),
        sql!(
            "UPDATE mismatches SET told = told | CAST({bit} AS INTEGER)
             WHERE day = {day} AND practice_id = {practice} AND claim_id = '' AND {REACHED}" [REACHED];
            practice, day, bit, most, claims
        ),
    ]
}
