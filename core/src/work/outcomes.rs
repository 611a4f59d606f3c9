//! `/api/v1/reports` and `/api/v1/appeals`: reports and cases, as the practice sees them. They name no patient, and none
//! of the staff.

use crate::base::id::{CaseId, ReportId};
use crate::base::time::Time;
use crate::plan::work::level::Level;
use crate::request::error::RequestError;
use crate::request::page::{Listed, Page};
use crate::work::cases::{CaseClaim, CaseStanding};
use crate::work::reports::ReportedClaim;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A report in a list of the practice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PracticeReportItem {
    pub id: ReportId,
    pub delivered_at: Time,
    /// How many claims it had at delivery.
    pub claims: usize,
}

/// A report with the current state of its claims, and its documents of type `D`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PracticeReport<D> {
    pub id: ReportId,
    pub delivered_at: Time,
    /// Its claims, sorted by number.
    pub claims: Vec<ReportedClaim>,
    /// The documents that are attached to it, the oldest first.
    pub documents: Vec<D>,
}

/// An appeal in a list of the practice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AppealItem {
    pub id: CaseId,
    /// The insurer, as its first claim names it.
    pub payer_name: String,
    pub opened_at: Time,
    /// How many claims it has.
    pub claims: usize,
    /// How many of them are in appeal in it.
    pub in_appeal: usize,
    /// Its last level.
    pub level: Option<Level>,
}

/// An appeal in a list, as the practice sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedAppeal {
    /// The appeal.
    #[serde(flatten)]
    pub item: AppealItem,
    /// Where it stands.
    pub standing: CaseStanding,
}

/// An appeal with its claims and levels, and its documents of type `D`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Appeal<D> {
    pub id: CaseId,
    /// The insurer, as its first claim names it.
    pub payer_name: String,
    pub opened_at: Time,
    /// Its claims, sorted by number.
    pub claims: Vec<CaseClaim>,
    /// Its levels, in order.
    pub levels: Vec<AppealLevel>,
    /// The documents that are attached to it, the oldest first.
    pub documents: Vec<D>,
}

/// An appeal, as the practice sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownAppeal<D> {
    #[serde(flatten)]
    pub appeal: Appeal<D>,
    /// Where it stands.
    pub standing: CaseStanding,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AppealLevel {
    #[serde(flatten)]
    pub level: Level,
    /// When it was begun.
    pub begun_at: Time,
}

/// A page of reports, newest first.
#[must_use]
pub fn reports(page: Page, found: Vec<PracticeReportItem>) -> Listed<PracticeReportItem> {
    page.list("reports", found, |report| report.id.0)
}

/// A page of appeals, newest first.
#[must_use]
pub fn appeals(page: Page, found: Vec<AppealItem>) -> Listed<ListedAppeal> {
    let found = found
        .into_iter()
        .map(|item| ListedAppeal { standing: CaseStanding::of(item.level.as_ref(), item.in_appeal > 0), item });
    page.list("appeals", found.collect(), |appeal| appeal.item.id.0)
}

/// One report, with its documents as `shown` shows them.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that the practice does not have.
pub fn report<D, T>(
    stored: Option<PracticeReport<D>>,
    shown: impl Fn(D) -> T,
) -> Result<PracticeReport<T>, RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no such report"))?;
    Ok(PracticeReport {
        id: stored.id,
        delivered_at: stored.delivered_at,
        claims: stored.claims,
        documents: stored.documents.into_iter().map(shown).collect(),
    })
}

/// One appeal, with its documents as `shown` shows them.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that the practice does not have.
pub fn appeal<D, T>(stored: Option<Appeal<D>>, shown: impl Fn(D) -> T) -> Result<ShownAppeal<T>, RequestError> {
    let stored = stored.ok_or(RequestError::NotFound("no such appeal"))?;
    let last = stored.levels.last().map(|last| &last.level);
    let in_appeal = stored.claims.iter().any(|claim| claim.outcome.is_none());
    Ok(ShownAppeal {
        standing: CaseStanding::of(last, in_appeal),
        appeal: Appeal {
            id: stored.id,
            payer_name: stored.payer_name,
            opened_at: stored.opened_at,
            claims: stored.claims,
            levels: stored.levels,
            documents: stored.documents.into_iter().map(shown).collect(),
        },
    })
}
