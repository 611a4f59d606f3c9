//! `/api/v1/denials`: a practice's own claims, without any patient data.
//!
//! A list runs from the newest claim to the oldest. With a `changes_cursor`, the claims come in the order of their last
//! change instead, each once and in its current state. To follow changes, read the list once, keep the `changes_cursor`
//! of its first page, and continue from there. No change is missed, because the cursor was read together with the page.

mod link;
mod one;
mod page;
mod query;
#[cfg(test)]
mod tests;

pub(crate) use link::signing_link;
pub(crate) use one::show;
pub use one::{By, DenialAction};
pub use query::ListOrder;

use crate::prelude::*;
use overturn_core::base::csv;
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, ReportId};
use overturn_core::base::money::Amount;
use overturn_core::plan::claims::ClaimStatus;
use overturn_core::plan::claims::deadline::{self, DeadlineFrom, Due};
use overturn_core::plan::signing::link::KeptLink;
use overturn_core::plan::signing::{SigningStatus, is_asked};
use overturn_core::plan::work::change::ClosingReason;
use overturn_core::plan::work::letter::{self, Letter};
use overturn_core::request::due_place::DuePlace;
use overturn_core::request::page::CsvPage;
use overturn_store::{due_from, kept_link};
use page::page_of;
use query::{ChangesCursor, DenialsQuery, NOT_A_CURSOR, PageStart};
use std::fmt;
use uuid::Uuid;

/// A stored claim. `Debug` prints only its id.
#[derive(Clone, PartialEq, Eq, Deserialize)]
struct StoredDenial {
    id: ClaimId,
    claim_number: String,
    payer_claim_number: String,
    payer_name: String,
    status: ClaimStatus,
    signing_status: SigningStatus,
    link: Option<KeptLink>,
    date_of_service: Date,
    denial_date: Option<Date>,
    plan_type: Option<String>,
    letter: Option<Letter>,
    billed_cents: Option<Amount>,
    denied_cents: Option<Amount>,
    adjustment_codes: Vec<String>,
    appeal_due: Option<Date>,
    appeal_due_from: Option<DeadlineFrom>,
    report_id: Option<ReportId>,
    case_id: Option<CaseId>,
    recovered_cents: Option<Amount>,
    closing_reason: Option<ClosingReason>,
    received_at: Time,
    updated_at: Time,
    changed: i64,
}

impl fmt::Debug for StoredDenial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredDenial({})", self.id)
    }
}

/// The deadline of an appeal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct DenialDeadline {
    /// The last day.
    date: Date,
    /// Its origin.
    from: DeadlineFrom,
    /// The source of the rule; none for a date that a person read.
    source: Option<&'static str>,
}

/// The signature of a claim. The address of the link is not in it: a read of its own shows and audits it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct DenialSigning {
    status: SigningStatus,
    appeal_button: bool,
    /// When the link for the patient stops working. `None` if no link works.
    link_expires_at: Option<Time>,
}

/// A shown claim. `Debug` prints only its id.
#[derive(Clone, PartialEq, Eq, Serialize)]
struct DenialView {
    id: ClaimId,
    claim_number: String,
    payer_claim_number: String,
    payer_name: String,
    status: ClaimStatus,
    signing: DenialSigning,
    date_of_service: Date,
    denial_date: Option<Date>,
    plan_type: Option<String>,
    letter: Option<Letter>,
    billed_amount: Option<Amount>,
    denied_amount: Option<Amount>,
    adjustment_codes: Vec<String>,
    deadline: Option<DenialDeadline>,
    report_id: Option<ReportId>,
    case_id: Option<CaseId>,
    amount_recovered: Option<Amount>,
    closing_reason: Option<ClosingReason>,
    received_at: Time,
    updated_at: Time,
}

impl fmt::Debug for DenialView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DenialView({})", self.id)
    }
}

impl StoredDenial {
    /// The rule for the claim, with the date that it gives today.
    fn by_rule(&self) -> Option<Due> {
        let sent = (self.plan_type.as_deref(), self.denial_date);
        let (plan_type, denied) = letter::known(self.letter, sent);
        deadline::of(plan_type, denied)
    }

    fn deadline(&self) -> Option<DenialDeadline> {
        let (date, from) = self.appeal_due.zip(self.appeal_due_from)?;
        // If the rule has changed since, it is not the source of the date.
        let due = self.by_rule().filter(|due| from == DeadlineFrom::Rule && due.on == date);
        let source = due.map(|due| due.rule.source);
        Some(DenialDeadline { date, from, source })
    }

    fn view(self, appeal_button: bool, now: Instant) -> DenialView {
        let asked = is_asked(self.status, self.signing_status);
        let link = self.link.filter(|_| asked);
        DenialView {
            deadline: self.deadline(),
            signing: DenialSigning {
                status: self.signing_status,
                appeal_button,
                link_expires_at: link.and_then(|link| link.works_until(now)),
            },
            id: self.id,
            claim_number: self.claim_number,
            payer_claim_number: self.payer_claim_number,
            payer_name: self.payer_name,
            status: self.status,
            date_of_service: self.date_of_service,
            denial_date: self.denial_date,
            plan_type: self.plan_type,
            letter: self.letter,
            billed_amount: self.billed_cents,
            denied_amount: self.denied_cents,
            adjustment_codes: self.adjustment_codes,
            report_id: self.report_id,
            case_id: self.case_id,
            amount_recovered: self.recovered_cents,
            closing_reason: self.closing_reason,
            received_at: self.received_at,
            updated_at: self.updated_at,
        }
    }
}

/// The result of the statement for a page.
#[derive(Debug, Deserialize)]
pub(super) struct FoundDenials {
    practice_id: PracticeId,
    /// Whether its appeal button is switched on.
    appeal_button: bool,
    /// The number of the practice's last change.
    head: i64,
    /// The claims that pass the filter, at most [`DenialsQuery::reads`].
    claims: Vec<StoredDenial>,
    /// True if more claims passed, but did not fit into one value of the database.
    cut: bool,
    /// How far the scan went, if the page is not full.
    scanned: Option<Scanned>,
}

/// The scanned claims of a page.
#[derive(Debug, Deserialize)]
struct Scanned {
    /// How many, at most [`DenialsQuery::scans`].
    count: usize,
    /// The last one, in a list.
    id: Option<Uuid>,
    /// The number of the last one, among changes.
    changed: Option<i64>,
    /// The place of the last one, in the order by deadline, see `DuePlace::of_key`.
    place: Option<String>,
}

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

/// The requested page, at this instant.
/// Refuses a `changes_after` of another practice, and one that is ahead of the database because the database was restored
/// to an earlier state.
pub(super) fn listed(query: &DenialsQuery, found: FoundDenials, now: Instant) -> Result<Denials, RequestError> {
    if let PageStart::Changes(Some(cursor)) = query.position {
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
    let (next_cursor, reached, more) = match query.position {
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

/// The practice `p` of a caller.
const PRACTICE: &str =
    "p AS MATERIALIZED (SELECT p.id, p.appeal_button FROM callers k JOIN practices p ON p.id = k.practice_id
           WHERE k.hash = {caller})";

/// A claim `c`, as [`StoredDenial`] reads it.
const DENIAL: &str = "json_object('id', c.id, 'claim_number', c.claim_number, 'payer_claim_number', c.payer_claim_number,
           'payer_name', c.payer_name, 'status', c.status, 'signing_status', c.signing_status, 'link', {KEPT_LINK},
           'date_of_service', c.date_of_service, 'denial_date', c.denial_date, 'plan_type', c.plan_type,
           'billed_cents', c.billed_cents, 'denied_cents', c.denied_cents, 'adjustment_codes', json(c.adjustment_codes),
           'appeal_due', c.appeal_due, 'appeal_due_from', {DUE_FROM}, 'letter', {LETTER}, 'report_id', c.report_id,
           'case_id', c.case_id, 'recovered_cents', c.recovered_cents, 'closing_reason', c.closing_reason, 'received_at', c.received_at,
           'updated_at', c.updated_at, 'changed', c.changed)";
const KEPT_LINK: &str = kept_link!();
const DUE_FROM: &str = due_from!();
const LETTER: &str = overturn_store::letter!();

/// `GET`: a page of the claims, newest first, by deadline or in the order of their changes.
pub(crate) async fn list(request: ReadRequest<DenialsQuery>) -> Result<Response, AppError> {
    let now = request.ctx().now;
    let load = |query: &_| page_of(request.credential(), query);
    let view = |_: &_, query: &_, found: Option<_>| {
        let found = found.ok_or(AppError::Internal("no practice"))?;
        Ok(listed(query, found, now)?)
    };
    request.table(load, view).await
}
