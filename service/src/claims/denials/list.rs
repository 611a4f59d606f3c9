//! `GET /api/v1/denials`: a page of claims.

use super::page::{FoundDenials, page_of};
use super::query::{ChangesCursor, DenialsQuery, NOT_A_CURSOR, PageStart};
use super::stored::DenialView;
use crate::prelude::*;
use overturn_core::base::csv;
use overturn_core::request::due_place::DuePlace;
use overturn_core::request::page::CsvPage;

/// A page of claims, as answered.
#[derive(Debug, Serialize)]
pub(super) struct Denials {
    denials: Vec<DenialView>,
    /// `None` on the last page and among changes.
    next_cursor: Option<String>,
    changes_cursor: String,
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

/// `GET`: a page of the claims, newest first, by deadline or in the order of their changes.
pub(crate) async fn list(request: ReadRequest<DenialsQuery>) -> Result<Response, AppError> {
    let now = request.ctx().now;
    let load = |query: &_| page_of(request.credential(), query);
    let view = |_: &_, query: &_, found: Option<_>| {
        let found = found.ok_or(AppError::Internal("no practice"))?;
        Ok(listed(query, found, now)?)
    };
    Ok(request.table(load, view).await?.0)
}
