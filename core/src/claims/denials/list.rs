//! A page of claims, newest first or in the order of their last change.

use super::query::{ChangesCursor, DenialsQuery, NOT_A_CURSOR, PageStart};
use crate::base::csv;
use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId, PracticeId, ReportId};
use crate::base::instant::Instant;
use crate::base::money::Amount;
use crate::base::time::Time;
use crate::plan::claims::ClaimStatus;
use crate::plan::claims::deadline::{self, DeadlineFrom, Due};
use crate::plan::signing::link::KeptLink;
use crate::plan::signing::{SigningStatus, is_asked};
use crate::plan::work::change::ClosingReason;
use crate::plan::work::letter::{self, Letter};
use crate::request::due_place::DuePlace;
use crate::request::error::RequestError;
use crate::request::page::CsvPage;
use crate::request::reason::Reason;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A stored claim. `Debug` prints only its id.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct StoredDenial {
    pub id: ClaimId,
    pub claim_number: String,
    pub payer_claim_number: String,
    pub payer_name: String,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    pub link: Option<KeptLink>,
    pub date_of_service: Date,
    pub denial_date: Option<Date>,
    pub plan_type: Option<String>,
    pub letter: Option<Letter>,
    pub billed_cents: Option<Amount>,
    pub denied_cents: Option<Amount>,
    pub adjustment_codes: Vec<String>,
    pub appeal_due: Option<Date>,
    pub appeal_due_from: Option<DeadlineFrom>,
    pub report_id: Option<ReportId>,
    pub case_id: Option<CaseId>,
    pub recovered_cents: Option<Amount>,
    pub closing_reason: Option<ClosingReason>,
    pub received_at: Time,
    pub updated_at: Time,
    pub changed: i64,
}

impl fmt::Debug for StoredDenial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoredDenial({})", self.id)
    }
}

/// The deadline of an appeal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DenialDeadline {
    /// The last day.
    pub date: Date,
    /// Its origin.
    pub from: DeadlineFrom,
    /// The source of the rule; none for a date that a person read.
    pub source: Option<&'static str>,
}

/// The signature of a claim. The address of the link is not in it: a read of its own shows and audits it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct DenialSigning {
    status: SigningStatus,
    appeal_button: bool,
    /// When the link for the patient stops working. `None` if no link works.
    link_expires_at: Option<Time>,
}

/// A shown claim. `Debug` prints only its id.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct DenialView {
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
    pub(super) fn by_rule(&self) -> Option<Due> {
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

    pub(super) fn view(self, appeal_button: bool, now: Instant) -> DenialView {
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
pub struct FoundDenials {
    pub practice_id: PracticeId,
    /// Whether its appeal button is switched on.
    pub appeal_button: bool,
    /// The number of the practice's last change.
    pub head: i64,
    /// The claims that pass the filter, at most [`DenialsQuery::reads`].
    pub claims: Vec<StoredDenial>,
    /// True if more claims passed, but did not fit into one value of the database.
    pub cut: bool,
    /// How far the scan went, if the page is not full.
    pub scanned: Option<Scanned>,
}

/// The scanned claims of a page.
#[derive(Debug, Deserialize)]
pub struct Scanned {
    /// How many, at most [`DenialsQuery::scans`].
    pub count: usize,
    /// The last one, in a list.
    pub id: Option<Uuid>,
    /// The number of the last one, among changes.
    pub changed: Option<i64>,
    /// The place of the last one, in the order by deadline, see `DuePlace::of_key`.
    pub place: Option<String>,
}

/// A page of claims, as answered.
#[derive(Debug, Serialize)]
pub struct Denials {
    denials: Vec<DenialView>,
    next_cursor: Option<String>,
    changes_cursor: String,
    more: bool,
}

impl Denials {
    /// The cursor of the list's next page; `None` on the last page and among changes.
    #[must_use]
    pub fn next_cursor(&self) -> Option<&str> {
        self.next_cursor.as_deref()
    }
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
        self.next_cursor()
    }
}

/// The requested page, at this instant.
///
/// # Errors
///
/// [`RequestError::Invalid`] for a `changes_after` of another practice, [`RequestError::Conflict`] for one that is ahead of the
/// database because the database was restored to an earlier state.
pub fn list(query: &DenialsQuery, found: FoundDenials, now: Instant) -> Result<Denials, RequestError> {
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

#[cfg(test)]
mod tests;
