//! `/api/v1/staff/audit`: the staff's own trail, which is in the first cell. The claims that a search found are where their
//! practices live.

use super::query::AuditQuery;
use super::{AuditView, CUT, FIT, FoundEvents, PAGE, first, listed, text};
use crate::prelude::*;
use crate::trail::Trail;
use overturn_core::base::id::ClaimId;
use serde_json::Value;
use std::collections::BTreeMap;

/// A claim that a search found.
type Found = (PracticeId, ClaimId);

/// A page of the staff's own trail. Staff have names, as actors and as records. The claims that a search found have numbers
/// while their practice may read them: a row that is shown reads three more for each, and a search by number one for each
/// practice. `elsewhere` are the claims with this number in other cells.
pub(in crate::settings) fn of_staff(query: &AuditQuery, elsewhere: &[Found]) -> Query<FoundEvents> {
    const TRAIL: &str = "{trail}";
    const READABLE: &str = readable!("c.practice_id");
    const TABLES: &str = "sought AS MATERIALIZED (SELECT c.practice_id, c.id FROM practices o CROSS JOIN claims c
           ON c.practice_id = o.id AND c.claim_number = {claim_number}
           WHERE {claim_number} IS NOT NULL AND o.sandbox_of IS NULL AND {READABLE}
         UNION ALL SELECT e.value ->> 0, e.value ->> 1 FROM json_each({elsewhere}) e), ";
    const NAMED: &str = "'actor_name', CASE substr(a.actor, 1, instr(a.actor, ':'))
         WHEN 'user:' THEN (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u
           WHERE u.id = substr(a.actor, 6) AND u.practice_id IS NULL)
       END,
       'is_staff', json(iif(substr(a.actor, 1, 5) = 'user:', 'true', 'false')), 'claim_number', NULL,
       'claim_numbers', json((SELECT json_group_array(c.claim_number) FROM json_each(a.detail, '$.found') f
         CROSS JOIN claims c ON c.practice_id = f.value ->> 'practice_id' AND c.id = f.value ->> 'id' WHERE {READABLE})),
       'record_name', (SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = a.record AND u.practice_id IS NULL)";
    const ABOUT: &str = "({claim_number} IS NULL OR EXISTS (SELECT 1 FROM json_each(a.detail, '$.found') f
       CROSS JOIN sought s ON s.practice_id = f.value ->> 'practice_id' AND s.id = f.value ->> 'id'))";
    const NONE: &str = "({claim_number} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sought))";
    select!(
        "settings.staff_audit", "{PAGE}" [PAGE, TRAIL, TABLES, NAMED, ABOUT, NONE, READABLE, FIT, CUT];
        trail = Trail(None).to_string(), end = crate::store::after(query.end_id()), reads = query.reads(),
        scans = query.scans(), action = query.action, actor = text(query.actor), record = text(query.record),
        first = first(query), from = query.from, before = query.to, claim_number = query.claim_number.as_deref(),
        elsewhere = Json(elsewhere)
    )
    .one()
}

/// The claims of a cell with this number, which their practices may read.
fn sought(number: &str) -> Query<Vec<Found>> {
    const READABLE: &str = readable!("c.practice_id");
    select!(
        "settings.staff_audit_sought",
        "SELECT json_group_array(json_array(c.practice_id, c.id)) AS json FROM practices o CROSS JOIN claims c
           ON c.practice_id = o.id AND c.claim_number = {number} WHERE o.sandbox_of IS NULL AND {READABLE}" [READABLE];
        number
    )
    .one()
}

/// The numbers of claims in a cell, while their practices may read them.
fn numbers(of: &[Found]) -> Query<Vec<(Found, String)>> {
    const READABLE: &str = readable!("c.practice_id");
    select!(
        "settings.staff_audit_numbers",
        "SELECT json_group_array(json_array(json_array(c.practice_id, c.id), c.claim_number)) AS json FROM json_each({of}) f
         CROSS JOIN claims c ON c.practice_id = f.value ->> 0 AND c.id = f.value ->> 1 WHERE {READABLE}" [READABLE];
        of = Json(of)
    )
    .one()
}

/// The claims that the search of a row found.
fn found_by(detail: Option<&Value>) -> Vec<Found> {
    let found = detail.and_then(|detail| detail.get("found")).and_then(Value::as_array);
    let claim = |of: &Value| {
        let [practice, claim] = ["practice_id", "id"].map(|name| of.get(name)?.as_str()?.parse().ok());
        Some((PracticeId(practice?), ClaimId(claim?)))
    };
    found.into_iter().flatten().filter_map(claim).collect()
}

/// `listStaffAudit`: Read the staff's own audit trail.
///
/// Auditors only. An auditor is a member of our staff who does no other work and opens no patient. The trail records
/// actions of our staff that do not belong to a single practice. Its rows look like those of a practice's trail. The
/// practice's trail records what staff did with its claims. A search by `claim_number` finds the searches that found a
/// claim with this number.
///
/// A page with a filter on `action`, `actor`, `record` or `claim_number` looks at 2,000 rows at most. So it can have fewer
/// rows than `limit`, or none, while there is a `next_cursor`. Continue until `next_cursor` is `null`.
///
/// With `Accept: text/csv`, the answer is the same page as CSV, with up to 1,000 rows. The default is then 1,000.
pub(crate) async fn list_staff(request: ReadRequest<AuditQuery>) -> Result<GivesTable<Listed<AuditView>>, AppError> {
    if request.call.app.host.cells.are_several() {
        request.authorize().await?;
        let query = request.page.clone()?;
        return request.respond_page(&listed(&query, of_all_cells(&request, &query).await?));
    }
    request.table(|query| of_staff(query, &[]), |_, query, found| Ok(listed(query, found))).await
}

/// A page with the numbers of claims of all cells.
async fn of_all_cells(request: &ReadRequest<AuditQuery>, query: &AuditQuery) -> Result<FoundEvents, AppError> {
    let elsewhere = match query.claim_number.as_deref() {
        Some(number) => request.with_others(&sought(number), (Vec::new(), both)).await,
        None => Vec::new(),
    };
    let mut page = request.call.db.read(&of_staff(query, &elsewhere)).await?;
    let found: Vec<Found> = page.rows.iter().flat_map(|row| found_by(row.detail.as_ref())).collect();
    if !found.is_empty() {
        let numbers = request.with_others(&numbers(&found), (Vec::new(), both)).await;
        let numbers: BTreeMap<Found, String> = numbers.into_iter().collect();
        for row in &mut page.rows {
            let of_row = found_by(row.detail.as_ref());
            row.claim_numbers.extend(of_row.iter().filter_map(|claim| numbers.get(claim).cloned()));
        }
    }
    Ok(page)
}

fn both<T>(mut all: Vec<T>, more: Vec<T>) -> Vec<T> {
    all.extend(more);
    all
}
