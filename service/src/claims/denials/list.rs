//! `GET /api/v1/denials`: a page of claims.

use super::page::{FoundDenials, page_of};
use super::query::{ChangesCursor, DenialsQuery, NOT_A_CURSOR, PageStart};
use super::stored::DenialView;
use crate::prelude::*;
use crate::request::csv;
use crate::request::due_place::DuePlace;
use crate::request::page::CsvPage;
use crate::response::GivesTable;

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Denials {
    #[cfg_attr(feature = "schema", schemars(length(max = 100)))]
    denials: Vec<DenialView>,
    /// The `cursor` for the next page. `null` on the last page, and among changes.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^(([0-9]{4}-[0-9]{2}-[0-9]{2}|none)_)?[0-9a-f]{32}$")))]
    next_cursor: Option<String>,
    /// The value of `changes_after` for your next call. With it, you miss no change. After a list, it leads to the
    /// changes since this page was read. After a page of changes, it leads to the next changes.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{46}$")))]
    changes_cursor: String,
    /// Whether you can read more now: with `next_cursor` for a list, `changes_cursor` for changes.
    more: bool,
}

/// The columns of a page as CSV.
const COLUMNS: [&str; 29] = [
    "id",
    "claim_number",
    "payer_claim_number",
    "payer_name",
    "status",
    "signing.status",
    "signing.appeal_button",
    "signing.link_expires_at",
    "date_of_service",
    "denial_date",
    "plan_type",
    "billed_amount",
    "denied_amount",
    "adjustment_codes",
    "deadline.date",
    "deadline.from",
    "deadline.source",
    "report_id",
    "case_id",
    "amount_recovered",
    "closing_reason",
    "received_at",
    "updated_at",
    "letter.denial_date",
    "letter.plan_type",
    "letter.appeal_due",
    "letter.counts",
    "letter.read_by",
    "letter.read_at",
];

impl CsvPage for Denials {
    fn file(&self) -> &'static str {
        "denials.csv"
    }

    fn csv(&self) -> String {
        csv::table(&COLUMNS, &self.denials)
    }

    fn next(&self) -> Option<&str> {
        self.next_cursor.as_deref()
    }
}

/// The requested page, at this instant. Refuses a `changes_after` of another practice, and one that is ahead of the database because the database was restored
/// to an earlier state.
pub(super) fn listed(query: &DenialsQuery, found: FoundDenials, now: Instant) -> Result<Denials, RequestError> {
    if let PageStart::Changes(Some(cursor)) = query.position() {
        if cursor.practice_id != found.practice_id {
            return Err(RequestError::invalid("changes_after", NOT_A_CURSOR));
        }
        if cursor.changed > found.head {
            return Err(RequestError::Conflict(
                Reason::Restored,
                "changes_after is ahead of what is stored: read the list again and follow from there",
            ));
        }
    }
    let mut claims = found.claims;
    let is_full = claims.len() > query.limit || found.cut;
    claims.truncate(query.limit);
    let last = claims.last().filter(|_| is_full);
    let last = last.map(|claim| {
        let place = DuePlace { due: claim.appeal_due, id: claim.id.0 };
        (claim.id.0, claim.changed, place)
    });
    // If few claims pass the filter, the page ends after the maximum scan, with a cursor.
    let scanned = found.scanned.filter(|seen| seen.count >= query.scans());
    let (id, changed, place) = match (last, scanned) {
        (Some((id, changed, place)), _) => (Some(id), Some(changed), Some(place)),
        (None, Some(seen)) => {
            let place = seen.place.as_deref().and_then(DuePlace::of_key);
            (seen.id, seen.changed, place)
        }
        (None, None) => (None, None, None),
    };
    let (next_cursor, reached, more) = match query.position() {
        PageStart::List(_) => (id.map(|id| id.simple().to_string()), None, id.is_some()),
        PageStart::Due(_) => (place.map(|place| place.to_string()), None, place.is_some()),
        PageStart::Changes(_) => (None, changed, changed.is_some()),
    };
    let cursor = ChangesCursor { practice_id: found.practice_id, changed: reached.unwrap_or(found.head) };
    let shown = claims.into_iter();
    Ok(Denials {
        denials: shown.map(|claim| claim.view(found.appeal_button, now)).collect(),
        next_cursor,
        changes_cursor: cursor.to_string(),
        more,
    })
}

/// `listDenials`: List the practice's claims, or their changes.
///
/// For everyone in an active practice that has signed the agreement. Without `changes_after`, the answer is a list
/// with the newest claim first, or with `order=deadline` the earliest deadline first, and `next_cursor` leads to
/// its next page. With `changes_after`, the answer has the claims that changed since then, in the order of the
/// changes. Each claim comes once, in its current state. *Following claims* above says how to use both.
///
/// A claim appears if it passes all filters. If it stops passing them, it no longer appears. A page with a filter
/// looks at 2,000 claims at most. So it can have fewer claims than `limit`, or none, while `more` is `true`.
/// Continue until `more` is `false`.
///
/// `order=deadline` lists open claims, so a `status` of `recovered` or `closed` gets `422`. Claims without a
/// deadline come last. Claims with the same deadline are sorted by age, the oldest first. The cursor is a place in
/// this order, so it stays valid while claims change. It works only with the order that gave it. This order cannot
/// be used with `changes_after`.
///
/// With `Accept: text/csv`, the answer is the same page as CSV, with up to 1,000 claims. The default is then 1,000.
/// `changes_after` cannot be used with it.
///
/// An unknown parameter gets `422`. Otherwise a caller with a mistyped filter would believe that the filter works.
pub(crate) async fn list(request: ReadRequest<DenialsQuery>) -> Result<GivesTable<Denials>, AppError> {
    let now = request.ctx().now;
    let load = |query: &_| page_of(request.credential(), query);
    let view = |_: &_, query: &_, found: Option<_>| {
        let found = found.ok_or(AppError::Internal("no practice"))?;
        Ok(listed(query, found, now)?)
    };
    request.table(load, view).await
}
