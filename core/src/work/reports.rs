//! `/api/v1/staff/practices/{practice}/reports`: claims that are delivered to a practice together.

use super::gather::{self, Gathered};
use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::{ClaimId, PracticeId, ReportId};
use crate::base::money::Amount;
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::claim_changes::changes;
use crate::plan::claims::ClaimStatus;
use crate::plan::claims::deadline::Deadline;
use crate::plan::message::Data;
use crate::plan::settings::PracticeName;
use crate::plan::work::change::ClaimEdit;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::records::NewReport;
use crate::plan::work::several::Claims;
use crate::plan::{WorkWrite, Write};
use crate::request::declare::body;
use crate::request::error::RequestError;
use crate::request::page::{Listed, Page};
use crate::work::people::Colleague;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

body! {
    ReportedClaims {
        /// Each claim once, in the version that you have seen.
        claims: Claims<Gathered>,
    }
}

/// A report in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReportItem {
    pub id: ReportId,
    pub delivered_at: Time,
    /// The person who delivered it.
    pub delivered_by: Colleague,
    /// How many claims it had at delivery.
    pub claims: usize,
}

/// A report with the current state of its claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReportView {
    pub id: ReportId,
    /// The practice it was delivered to.
    pub practice: PracticeName,
    pub delivered_at: Time,
    /// The person who delivered it.
    pub delivered_by: Colleague,
    /// Its claims, sorted by number.
    pub claims: Vec<ReportedClaim>,
}

/// A claim of a report. It does not name the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReportedClaim {
    pub id: ClaimId,
    pub claim_number: String,
    /// Its current status.
    pub status: ClaimStatus,
    /// The deadline of its appeal, if it is known.
    pub deadline: Option<Deadline>,
    /// The insurer, as the practice names it.
    pub payer_name: String,
    pub billed_amount: Option<Amount>,
    pub denied_amount: Option<Amount>,
    /// The payer's payment in the end.
    pub amount_recovered: Option<Amount>,
}

/// A page of reports, newest first.
#[must_use]
pub fn list(page: Page, reports: Vec<ReportItem>) -> Listed<ReportItem> {
    page.list("reports", reports, |report| report.id.0)
}

/// One report.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that the practice does not have.
pub fn show(stored: Option<ReportView>) -> Result<ReportView, RequestError> {
    stored.ok_or(RequestError::NotFound("no such report"))
}

/// Delivers a report. Each of its claims becomes `in_report`.
///
/// # Errors
///
/// [`RequestError::Invalid`] if the practice does not have one of them, [`RequestError::Stuck`] if one has changed since it
/// was seen or is not under review.
pub fn deliver(
    practice_id: PracticeId,
    (asked, found): (&[Gathered], Vec<Option<StoredWorkClaim>>),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let claims = gather::all(asked, found, |claim| claim.version)?;
    let id = ReportId(ctx.id(Purpose::Record, 0));
    let set = ClaimEdit { report_id: Some(id), ..ClaimEdit::default() };
    let to = (ClaimStatus::InReport, |_: &StoredWorkClaim| set);
    let moved = gather::moved(practice_id, &claims, to, person.user_id)?;
    let report = NewReport {
        practice_id,
        id,
        delivered_by: person.user_id,
        claims: claims.iter().map(|claim| claim.id).collect(),
    };
    let audit =
        Entry::new(ctx, 0, Some(practice_id), Event::ReportDelivered, id).detail(json!({ "claims": report.claims }));
    let count = report.claims.len();
    let answer = json!({ "id": id, "delivered_at": Time(ctx.now), "claims": count });
    let told = Data::Report { id, claims: count };
    let (guard, writes) = changes(moved, [(practice_id, told)], ctx);
    let change =
        Change::new(audit, Answer::new(201, &answer)).guard(guard).write(Write::Work(WorkWrite::NewReport(report)));
    Ok(writes.into_iter().fold(change, Change::write))
}
