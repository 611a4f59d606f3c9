//! A page, as it is read.
//!
//! A page follows the order of an index, and the filter is applied to the rows found there. A page scans a limited
//! number of claims. If that does not fill the page, `scanned` says where it stopped. This part reads only the index.

use super::query::{ChangesCursor, DenialsQuery, PageStart};
use super::stored::{DENIAL, DUE_FROM, KEPT_LINK, LETTER, PRACTICE, StoredDenial};
use crate::plan::signing::SigningStatus;
use crate::prelude::*;
use crate::request::due_place::DuePlace;
use overturn_core::claims::ClaimStatus;
use uuid::Uuid;

/// The result of the statement for a page.
#[derive(Debug, Deserialize)]
pub(super) struct FoundDenials {
    pub(super) practice_id: PracticeId,
    /// Whether its appeal button is switched on.
    pub(super) appeal_button: bool,
    /// The number of the practice's last change.
    pub(super) head: i64,
    /// The claims that pass the filter, at most [`DenialsQuery::reads`].
    pub(super) claims: Vec<StoredDenial>,
    /// True if more claims passed, but did not fit into one value of the database.
    pub(super) cut: bool,
    /// How far the scan went, if the page is not full.
    pub(super) scanned: Option<Scanned>,
}

/// The scanned claims of a page.
#[derive(Debug, Deserialize)]
pub(super) struct Scanned {
    /// How many, at most [`DenialsQuery::scans`].
    pub(super) count: usize,
    /// The last one, in a list.
    pub(super) id: Option<Uuid>,
    /// The number of the last one, among changes.
    pub(super) changed: Option<i64>,
    /// The place of the last one, in the order by deadline, see `DuePlace::of_key`.
    pub(super) place: Option<String>,
}

/// A page, as [`FoundDenials`] reads it. `FOUND` is the condition on the index, `COLUMN` its column, and `LAST` the last claim.
const PAGE: &str = "WITH {PRACTICE}, page AS MATERIALIZED (SELECT {DENIAL} AS claim
             FROM (SELECT * FROM claims WHERE practice_id = (SELECT id FROM p) AND {FOUND} LIMIT CAST({scans} AS INTEGER)) c
               WHERE ({statuses} IS NULL OR c.status IN (SELECT value FROM json_each({statuses})))
                 AND ({payer} IS NULL OR c.payer_name = {payer} COLLATE NOCASE)
                 AND ({denied_from} IS NULL OR coalesce(c.letter_denied, c.denial_date) >= {denied_from})
                 AND ({denied_to} IS NULL OR coalesce(c.letter_denied, c.denial_date) <= {denied_to})
                 AND ({received_from} IS NULL OR c.received_at >= {received_from})
                 AND ({received_before} IS NULL OR c.received_at < {received_before})
                 AND ({updated_since} IS NULL OR c.updated_at >= {updated_since}) AND ({report} IS NULL OR c.report_id = {report})
                 AND ({due_from} IS NULL OR c.appeal_due >= {due_from}) AND ({due_to} IS NULL OR c.appeal_due <= {due_to})
                 AND ({signing} IS NULL OR c.signing_status IN (SELECT value FROM json_each({signing})))
                 AND ({code} IS NULL OR EXISTS (SELECT 1 FROM json_each(c.adjustment_codes) a WHERE a.value = {code}))
               LIMIT CAST({reads} AS INTEGER)), {FIT}
             SELECT json_object('practice_id', p.id, 'appeal_button', json(iif(p.appeal_button = 1, 'true', 'false')),
               'head', coalesce((SELECT changed FROM claims WHERE practice_id = p.id
                 ORDER BY changed DESC LIMIT 1), 0),
               'claims', json((SELECT list FROM fit)), 'cut', {CUT},
               'scanned', json(iif((SELECT found FROM fit) >= {reads}, NULL, (SELECT json_object('count', count(*), {LAST})
                 FROM (SELECT {COLUMN} FROM claims WHERE practice_id = (SELECT id FROM p) AND {FOUND}
                   LIMIT CAST({scans} AS INTEGER)))))) AS json FROM p";
const FIT: &str = fit!("claim");
const CUT: &str = cut!();

/// The query of a page in one order. The values of `FOUND` come last.
macro_rules! page {
    ($of:ident, $after:expr; $column:literal, $found:literal, $last:literal; $($name:ident),*) => {{
        const COLUMN: &str = $column;
        const FOUND: &str = $found;
        const LAST: &str = $last;
        let (caller, query) = $of;
        select!(
            "claims.denials",
            "{PAGE}" [PAGE, PRACTICE, DENIAL, KEPT_LINK, DUE_FROM, LETTER, FIT, CUT, COLUMN, FOUND, LAST];
            caller, after = $after, reads = query.reads(), scans = query.scans(),
            statuses = names(&query.status, ClaimStatus::name), payer = query.payer_name.as_ref(),
            denied_from = query.denied_from, denied_to = query.denied_to, received_from = query.received_from,
            received_before = query.received_to, updated_since = query.updated_since,
            report = query.report_id.map(|id| id.to_string()), due_from = query.due_from, due_to = query.due_to,
            signing = names(&query.signing_status, SigningStatus::name), code = query.denial_code.as_ref() $(, $name)*
        )
        .optional()
    }};
}

/// The names that a filter lets pass, `None` if it lets all pass.
fn names<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Option<Json<Vec<&'static str>>> {
    (!all.is_empty()).then(|| Json(all.iter().map(|one| name(*one)).collect()))
}

/// A page of the claims of the caller's practice. The primary key finds the claim of a number; the `+` keeps SQLite from
/// choosing the index for the order. Claims by deadline are open, and those without one come last.
pub(super) fn page_of(caller: &str, query: &DenialsQuery) -> Query<Option<FoundDenials>> {
    let of = (caller, query);
    match (query.position(), query.claim_number.as_ref()) {
        (PageStart::List(id), None) => {
            page!(of, crate::store::after(id); "id", "id < {after} ORDER BY id DESC", "'id', min(id)";)
        }
        (PageStart::List(id), Some(number)) => page!(
            of, crate::store::after(id);
            "id", "claim_number = {number} AND +id < {after}", "'id', min(id)"; number
        ),
        (PageStart::Changes(from), None) => page!(
            of, changed(from); "changed", "changed > {after} ORDER BY changed", "'changed', max(changed)";
        ),
        (PageStart::Changes(from), Some(number)) => page!(
            of, changed(from);
            "changed", "claim_number = {number} AND +changed > {after}", "'changed', max(changed)"; number
        ),
        (PageStart::Due(from), None) => {
            let (due, id) = due(from);
            page!(
                of, due;
                "ifnull(appeal_due, '~') || '_' || id AS place",
                "status IN ('received', 'reviewing', 'in_report', 'in_appeal') AND ifnull(appeal_due, '~') >= {after}
            AND (ifnull(appeal_due, '~'), id) > ({after}, {id}) ORDER BY ifnull(appeal_due, '~'), id",
                "'place', max(place)"; id
            )
        }
        (PageStart::Due(from), Some(number)) => {
            let (due, id) = due(from);
            page!(
                of, due;
                "ifnull(appeal_due, '~') || '_' || id AS place",
                "claim_number = {number} AND +status IN ('received', 'reviewing', 'in_report', 'in_appeal')
            AND (ifnull(appeal_due, '~'), id) > ({after}, {id})",
                "'place', max(place)"; number, id
            )
        }
    }
}

fn changed(from: Option<ChangesCursor>) -> i64 {
    from.map_or(0, |cursor| cursor.changed)
}

/// The sort key and the claim of a place.
fn due(from: Option<DuePlace>) -> (String, String) {
    from.map(|place| (place.due_key(), place.id.to_string())).unwrap_or_default()
}
