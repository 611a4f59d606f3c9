//! Cases, as staff see them. They do not name the patient: staff open a claim for that.

use super::case::UNKNOWN;
use super::standing::CaseStanding;
use crate::extract::InPractice;
use crate::plan::practice::PracticeName;
use crate::plan::signing::SigningStatus;
use crate::plan::work::change::ClosingReason;
use crate::plan::work::claim::ClaimState;
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::declare::as_taken::AsTaken;
use crate::work::colleague::Colleague;
use crate::work::colleague::colleague;
use crate::work::may::{self, CaseAction};
use crate::work::sql::{LEVEL, TAKEN_BY, practice};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::base::money::Amount;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::deadline::Deadline;

/// A case in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CaseItem {
    pub id: CaseId,
    /// The insurer, as its first claim names it.
    pub payer_name: String,
    pub opened_at: Time,
    /// The person who opened it.
    pub opened_by: Colleague,
    /// The number of claims.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub claims: usize,
    /// How many of them are in appeal in it.
    pub in_appeal: usize,
    /// Its last level.
    #[cfg_attr(feature = "schema", schemars(with = "Level"))]
    pub level: Option<Level>,
}

impl CaseItem {
    /// Where it stands.
    pub(crate) fn standing(&self) -> CaseStanding {
        CaseStanding::of(self.level.as_ref(), self.in_appeal > 0)
    }
}

pub(super) const OPENED_BY: &str = colleague!("k.opened_by");

/// How many claims of a case `k` are in appeal in it.
pub(in crate::work) const IN_APPEAL: &str = "(SELECT count(*) FROM case_claims m CROSS JOIN claims c
  WHERE m.practice_id = k.practice_id AND m.case_id = k.id AND c.practice_id = m.practice_id AND c.id = m.claim_id
    AND c.case_id = k.id AND c.status = 'in_appeal')";

/// The fields of a case `k` in a list, as [`CaseItem`] reads them.
pub(super) const LISTED: &str = "'id', k.id, 'payer_name', k.payer_name, 'opened_at', k.opened_at,
  'opened_by', {OPENED_BY},
  'claims', (SELECT count(*) FROM case_claims m WHERE m.practice_id = k.practice_id AND m.case_id = k.id),
  'in_appeal', {IN_APPEAL}, 'level', {LAST_LEVEL}";

/// A case in a list, as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ListedCase {
    #[serde(flatten)]
    pub item: CaseItem,
    /// Where it stands.
    pub standing: CaseStanding,
}

impl Item for ListedCase {
    const LIST: &'static str = "cases";
}

/// A case with its claims and levels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CaseView {
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
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub claims: Vec<CaseClaim>,
    /// Its levels, in order.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub levels: Vec<LevelView>,
}

/// A claim that is in appeal in a case, in the version that a decision names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Appealed {
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
            // No action on a case depends on it.
            was_paid: false,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct StoredCaseView {
    pub case: CaseView,
    /// The claims that are in appeal in it.
    pub appealed: Vec<Appealed>,
}

/// A case with its claims and levels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ShownCase {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CaseClaim {
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
    /// Its result in this case. `null` while it is appealed in this case, like the keys below.
    #[cfg_attr(feature = "schema", schemars(with = "Option<AsTaken<Ended>>"))]
    pub outcome: Option<ClaimStatus>,
    /// When the result was recorded.
    pub decided_at: Option<Time>,
    /// The payer's payment.
    pub amount_recovered: Option<Amount>,
    /// Why its appeal ended without payment.
    pub closing_reason: Option<ClosingReason>,
}

#[cfg(feature = "schema")]
crate::request::declare::kinds::some_of! { Ended: ClaimStatus = [ClaimStatus::Recovered, ClaimStatus::Closed] }

/// The claims of a case `k`, as [`CaseClaim`] reads them.
pub(in crate::work) const CASE_CLAIMS: &str = concat!(
    "json((SELECT json_group_array(json_object('id', c.id, 'claim_number', c.claim_number, 'status', c.status,
         'deadline', ",
    deadline!(),
    ", 'date_of_service', c.date_of_service, 'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents,
         'joined_at', c.joined_at, 'outcome', c.outcome, 'decided_at', c.decided_at,
         'amount_recovered', c.paid, 'closing_reason', c.ended_by))
       FROM (SELECT c.*, m.joined_at, m.outcome, m.decided_at, m.recovered_cents AS paid, m.closing_reason AS ended_by
         FROM case_claims m CROSS JOIN claims c
         WHERE m.practice_id = k.practice_id AND m.case_id = k.id AND c.practice_id = m.practice_id AND c.id = m.claim_id
         ORDER BY c.claim_number) c))"
);

/// A level, as staff see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ListedLevel"))]
pub(crate) struct LevelView {
    #[serde(flatten)]
    pub level: Level,
    /// When it was begun.
    pub begun_at: Time,
    /// The person who began it.
    pub begun_by: Colleague,
}

const PRACTICE: &str = practice!("k");
const BEGUN_BY: &str = colleague!("l.begun_by");

pub(in crate::work) fn stored_view(practice: PracticeId, id: CaseId) -> Query<Option<StoredCaseView>> {
    select!(
        "work.case_view",
        "SELECT json_object('case', json_object('id', k.id, 'practice', {PRACTICE}, 'version', k.version,
             'payer_name', k.payer_name, 'opened_at', k.opened_at, 'opened_by', {OPENED_BY}, 'claims', {CASE_CLAIMS},
             'levels', json((SELECT json_group_array(json_object({LEVEL}, 'begun_at', l.begun_at, 'begun_by', {BEGUN_BY}))
               FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id ORDER BY level) l))),
           'appealed', json((SELECT json_group_array(json_object('id', c.id, 'version', c.version, 'taken_by', {TAKEN_BY},
               'signing_status', c.signing_status))
             FROM case_claims m CROSS JOIN claims c WHERE m.practice_id = k.practice_id AND m.case_id = k.id
               AND c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id = k.id AND c.status = 'in_appeal')))
           AS json
         FROM cases k WHERE k.practice_id = {practice} AND k.id = {id}"
        [PRACTICE, OPENED_BY, CASE_CLAIMS, LEVEL, BEGUN_BY, TAKEN_BY]; practice, id
    )
    .optional()
}

/// `showCase`: Read one case with its claims and levels.
///
/// Staff only. The case does not name the patient; open one of its claims for that. The `ETag` begins with the
/// case's `version`. Send it as `If-Match` to change a level of the case. To record the result of a claim, move
/// that claim.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<CaseId>,
    request: ReadRequest,
) -> Result<Gives<ShownCase>, AppError> {
    let view = request.show_versioned(stored_view(practice, id), |person, stored| {
        let body = shown(stored, person)?;
        Ok(Versioned { version: body.case.version, body })
    });
    view.await
}

fn shown(stored: Option<StoredCaseView>, person: &Person) -> Result<ShownCase, RequestError> {
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
