//! Cases, as staff see them. They do not name the patient: staff open a claim for that.

use super::case::UNKNOWN;
use super::list::CasesOfPractice;
use super::standing::CaseStanding;
use crate::auth::person::Person;
use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId};
use crate::base::money::Amount;
use crate::base::time::Time;
use crate::plan::claims::ClaimStatus;
use crate::plan::claims::deadline::Deadline;
use crate::plan::settings::PracticeName;
use crate::plan::signing::SigningStatus;
use crate::plan::work::change::ClosingReason;
use crate::plan::work::claim::ClaimState;
use crate::plan::work::level::Level;
use crate::request::error::RequestError;
use crate::request::page::Listed;
use crate::work::may::{self, CaseAction};
use crate::work::people::Colleague;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A case in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseItem {
    pub id: CaseId,
    /// The insurer, as its first claim names it.
    pub payer_name: String,
    pub opened_at: Time,
    /// The person who opened it.
    pub opened_by: Colleague,
    /// How many claims it has.
    pub claims: usize,
    /// How many of them are in appeal in it.
    pub in_appeal: usize,
    /// Its last level.
    pub level: Option<Level>,
}

impl CaseItem {
    /// Where it stands.
    #[must_use]
    pub fn standing(&self) -> CaseStanding {
        CaseStanding::of(self.level.as_ref(), self.in_appeal > 0)
    }
}

/// A case in a list, as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ListedCase {
    #[serde(flatten)]
    pub item: CaseItem,
    /// Where it stands.
    pub standing: CaseStanding,
}

/// A case with its claims and levels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseView {
    pub id: CaseId,
    pub practice: PracticeName,
    /// The number of its changes; its `ETag` begins with it.
    pub version: i64,
    /// The insurer, as its first claim names it.
    pub payer_name: String,
    pub opened_at: Time,
    /// The person who opened it.
    pub opened_by: Colleague,
    /// Its claims, sorted by number.
    pub claims: Vec<CaseClaim>,
    /// Its levels, in order.
    pub levels: Vec<LevelView>,
}

/// A claim that is in appeal in a case, in the version that a decision names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Appealed {
    pub id: ClaimId,
    /// The number of its changes.
    pub version: i64,
    /// The staff member who has taken it.
    pub taken_by: Option<Colleague>,
    #[serde(skip_serializing)]
    pub signing_status: SigningStatus,
}

impl Appealed {
    fn state(&self) -> ClaimState {
        ClaimState {
            status: ClaimStatus::InAppeal,
            signing_status: self.signing_status,
            taken_by: self.taken_by.as_ref().map(|taken_by| taken_by.id),
            was_appealed: true,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredCaseView {
    pub case: CaseView,
    /// The claims that are in appeal in it.
    pub appealed: Vec<Appealed>,
}

/// A case, as a staff member sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownCase {
    #[serde(flatten)]
    pub case: CaseView,
    /// The claims that are in appeal in it.
    pub appealed: Vec<Appealed>,
    /// Where it stands.
    pub standing: CaseStanding,
    /// What the staff member may do with it.
    pub may: Vec<CaseAction>,
}

/// A claim of a case, and its result there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaseClaim {
    pub id: ClaimId,
    pub claim_number: String,
    /// Its current status, which may be in another case.
    pub status: ClaimStatus,
    /// The deadline of its appeal, if it is known.
    pub deadline: Option<Deadline>,
    pub date_of_service: Date,
    pub billed_amount: Option<Amount>,
    pub denied_amount: Option<Amount>,
    /// When it joined the case.
    pub joined_at: Time,
    /// Its result in this case: `recovered` or `closed`, `None` while it is in appeal.
    pub outcome: Option<ClaimStatus>,
    /// When the result was recorded.
    pub decided_at: Option<Time>,
    /// The payer's payment.
    pub amount_recovered: Option<Amount>,
    /// Why its appeal ended without payment.
    pub closing_reason: Option<ClosingReason>,
}

/// A level, as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelView {
    #[serde(flatten)]
    pub level: Level,
    /// When it was begun.
    pub begun_at: Time,
    /// The person who began it.
    pub begun_by: Colleague,
}

/// A page of cases, newest first.
#[must_use]
pub fn list(query: CasesOfPractice, cases: Vec<CaseItem>) -> Listed<ListedCase> {
    let cases = cases.into_iter().map(|item| ListedCase { standing: item.standing(), item });
    query.page.list("cases", cases.collect(), |case| case.item.id.0)
}

/// One case.
///
/// # Errors
///
/// [`RequestError::NotFound`] for one that the practice does not have.
pub fn show(stored: Option<StoredCaseView>, person: &Person) -> Result<ShownCase, RequestError> {
    let StoredCaseView { case, appealed } = stored.ok_or(UNKNOWN)?;
    let states: Vec<ClaimState> = appealed.iter().map(Appealed::state).collect();
    let last = case.levels.last().map(|last| &last.level);
    Ok(ShownCase {
        standing: CaseStanding::of(last, !appealed.is_empty()),
        may: may::on_case(last, &states, person.user_id),
        case,
        appealed,
    })
}
