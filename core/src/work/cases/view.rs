//! Cases as staff see them. Nothing of them names the patient: who is to know opens a claim.

use super::case::UNKNOWN;
use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId};
use crate::base::money::Amount;
use crate::base::time::Time;
use crate::plan::claims::ClaimStatus;
use crate::plan::claims::deadline::Deadline;
use crate::plan::work::change::ClosingReason;
use crate::plan::work::level::Level;
use crate::request::denied::Denied;
use crate::request::page::{Listed, Page};
use crate::work::people::{Colleague, PracticeName};
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A case as it is listed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseItem {
    /// Its id.
    pub id: CaseId,
    /// The insurer as its first claim names it.
    pub payer_name: String,
    /// When it was opened.
    pub opened_at: Time,
    /// By whom.
    pub opened_by: Colleague,
    /// How many claims it has.
    pub claims: usize,
    /// How many of them are appealed in it now.
    pub in_appeal: usize,
    /// Its last level.
    pub level: Option<Level>,
}

/// A case with its claims and levels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseView {
    /// Its id.
    pub id: CaseId,
    /// Its practice.
    pub practice: PracticeName,
    /// Counts its changes; its `ETag` begins with it.
    pub version: i64,
    /// The insurer as its first claim names it.
    pub payer_name: String,
    /// When it was opened.
    pub opened_at: Time,
    /// By whom.
    pub opened_by: Colleague,
    /// Its claims, by their numbers.
    pub claims: Vec<CaseClaim>,
    /// Its levels, the first one first.
    pub levels: Vec<LevelView>,
}

/// A claim of a case, and what came of it there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseClaim {
    /// The claim.
    pub id: ClaimId,
    /// The practice's number for it.
    pub claim_number: String,
    /// Where it stands now, which may be in another case.
    pub status: ClaimStatus,
    /// By when its appeal has to be filed, where that is known.
    pub deadline: Option<Deadline>,
    /// Date of service.
    pub date_of_service: Date,
    /// What was billed.
    pub billed_amount: Option<Amount>,
    /// What was denied.
    pub denied_amount: Option<Amount>,
    /// When it joined the case.
    pub joined_at: Time,
    /// What came of it in this case: `recovered` or `closed`, `None` while it is appealed.
    pub outcome: Option<ClaimStatus>,
    /// When that was recorded.
    pub decided_at: Option<Time>,
    /// What the payer paid.
    pub amount_recovered: Option<Amount>,
    /// Why its appeal ended without payment.
    pub closing_reason: Option<ClosingReason>,
}

/// A level as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelView {
    /// What is known of it.
    #[serde(flatten)]
    pub level: Level,
    /// When it was begun.
    pub begun_at: Time,
    /// By whom.
    pub begun_by: Colleague,
}

/// A page of cases, newest first.
#[must_use]
pub fn list(page: Page, cases: Vec<CaseItem>) -> Listed<CaseItem> {
    page.list("cases", cases, |case| case.id.0)
}

/// One case.
///
/// # Errors
///
/// [`Denied::NotFound`] for one that the practice does not have.
pub fn show(stored: Option<CaseView>) -> Result<CaseView, Denied> {
    stored.ok_or(UNKNOWN)
}
