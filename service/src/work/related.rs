//! `…/claims/{id}/related`: the other claims of the same patient and payer. The list does not name the patient.

use crate::extract::InPractice;
use crate::plan::signing::SigningStatus;
use crate::plan::signing::link::KeptLink;
use crate::plan::work::claim::{ClaimState, UNKNOWN};
use crate::prelude::*;
use crate::work::colleague::Colleague;
use crate::work::may::{self, ClaimAction};
use crate::work::sql::{DEADLINE, KEPT_LINK, TAKEN_BY};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, ReportId};
use overturn_core::base::money::Amount;
use overturn_core::claims::deadline::Deadline;
use overturn_core::claims::{ClaimStatus, same_name};
use std::cmp::Reverse;

/// The most claims that are shown.
pub(crate) const SHOWN_MAX: usize = 100;
/// How many of the patient's claims are read: more than are shown, because some have another payer.
pub(crate) const READ_MAX: usize = 500;
/// How many of the practice's newest claims are searched for those that are still `received`.
pub(crate) const NEWEST_MAX: usize = 2000;

/// Another claim of the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct RelatedItem {
    pub id: ClaimId,
    /// The number of its changes.
    pub version: i64,
    pub claim_number: String,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<Colleague>,
    /// The deadline of its appeal, if it is known.
    pub deadline: Option<Deadline>,
    pub date_of_service: Date,
    pub billed_amount: Option<Amount>,
    pub denied_amount: Option<Amount>,
    /// The case in which it is, or was last, appealed.
    pub case_id: Option<CaseId>,
    /// The report it was last delivered in.
    pub report_id: Option<ReportId>,
    /// When it was received.
    pub received_at: Time,
    /// The insurer, as the practice names it.
    #[serde(skip_serializing)]
    pub payer_name: String,
    /// Its signing link that was neither revoked nor used.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub link: Option<KeptLink>,
    /// Whether it has a recorded payment.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub was_paid: bool,
}

/// A claim's insurer and the other claims of its patient, `None` for a claim that the practice does not have.
///
/// Claims whose review began are in an index by patient. Claims that are still `received` are not, because that would cost
/// a row for each claim of a send: they are searched among the newest ones.
pub(super) fn related(practice: PracticeId, id: ClaimId) -> Query<Option<StoredRelated>> {
    select!(
        "work.related",
        "SELECT json_object('payer_name', o.payer_name, 'claims', json((SELECT json_group_array(json_object('id', c.id,
             'version', c.version, 'claim_number', c.claim_number, 'status', c.status, 'signing_status', c.signing_status,
             'taken_by', {TAKEN_BY}, 'deadline', {DEADLINE}, 'date_of_service', c.date_of_service,
             'billed_amount', c.billed_cents, 'denied_amount', c.denied_cents, 'case_id', c.case_id,
             'report_id', c.report_id, 'received_at', c.received_at, 'payer_name', c.payer_name,
             'was_paid', json(iif(c.recovered_cents IS NULL, 'false', 'true')), 'link', {KEPT_LINK}))
           FROM (SELECT * FROM (SELECT r.* FROM claims r INDEXED BY claims_of_patient
               WHERE r.practice_id = o.practice_id AND r.patient_tag = o.patient_tag AND r.status <> 'received' AND r.id <> o.id
               ORDER BY r.id DESC LIMIT CAST({most} AS INTEGER))
             UNION ALL
             SELECT * FROM (SELECT n.* FROM (SELECT * FROM claims WHERE practice_id = o.practice_id
                 ORDER BY id DESC LIMIT CAST({newest} AS INTEGER)) n
               WHERE n.status = 'received' AND n.patient_tag = o.patient_tag AND n.id <> o.id
               LIMIT CAST({most} AS INTEGER))) c))) AS json
         FROM claims o WHERE o.practice_id = {practice} AND o.id = {id}"
        [TAKEN_BY, DEADLINE, KEPT_LINK]; practice, id, most = READ_MAX, newest = NEWEST_MAX
    )
    .optional()
}

/// `listRelatedClaims`: List the other claims of the same patient and payer.
///
/// Staff only. The practice's other claims of the same patient and payer, at most 100. Claims that need work come
/// first, and the newest of them first. The list does not name the patient, so this does not count as opening one.
/// A claim that is still `received` is in the list if it is one of the 2,000 newest claims of the practice. Claims
/// that wait to be sealed under the practice's current key are in the list as well.
pub(crate) async fn show(
    InPractice(practice, id): InPractice<ClaimId>,
    request: ReadRequest,
) -> Result<Gives<RelatedClaims>, AppError> {
    request.show(related(practice, id), |person, stored| list(stored, person)).await
}

/// A claim's insurer, and other claims of its patient.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct StoredRelated {
    /// The insurer, as the practice names it.
    pub payer_name: String,
    /// The other claims.
    pub claims: Vec<RelatedItem>,
}

/// A related claim, as a staff member sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct RelatedClaim {
    #[serde(flatten)]
    pub item: RelatedItem,
    /// What the staff member may do with it.
    pub may: Vec<ClaimAction>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct RelatedClaims {
    #[cfg_attr(feature = "schema", schemars(length(max = SHOWN_MAX)))]
    claims: Vec<RelatedClaim>,
}

/// The related claims of the same payer: those that need work first, and the newest of them first.
///
/// # Errors
///
/// [`UNKNOWN`].
fn list(stored: Option<StoredRelated>, person: &Person) -> Result<RelatedClaims, RequestError> {
    let StoredRelated { payer_name, mut claims } = stored.ok_or(UNKNOWN)?;
    claims.retain(|claim| same_name(&claim.payer_name, &payer_name));
    let ended = |status| matches!(status, ClaimStatus::Recovered | ClaimStatus::Closed);
    claims.sort_by_key(|claim| (ended(claim.status), Reverse(claim.id)));
    let shown = claims.into_iter().take(SHOWN_MAX).map(|item| {
        let state = ClaimState {
            status: item.status,
            signing_status: item.signing_status,
            taken_by: item.taken_by.as_ref().map(|taken_by| taken_by.id),
            was_appealed: item.case_id.is_some(),
            was_paid: item.was_paid,
        };
        let may = may::on_claim(state, item.link.is_some(), person.user_id);
        RelatedClaim { item, may }
    });
    Ok(RelatedClaims { claims: shown.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::rights::Action;
    use crate::auth::role::Role;
    use crate::testing::decisions::person;
    use overturn_core::base::instant::Instant;
    use uuid::Uuid;

    fn item(n: u128, status: ClaimStatus, payer: &str) -> RelatedItem {
        RelatedItem {
            id: ClaimId(Uuid::from_u128(n)),
            version: 1,
            claim_number: format!("A-{n}"),
            status,
            signing_status: SigningStatus::NotDecided,
            taken_by: None,
            deadline: None,
            date_of_service: Date::parse("2026-01-02").unwrap(),
            billed_amount: None,
            denied_amount: None,
            case_id: None,
            report_id: None,
            received_at: Time(Instant(1)),
            payer_name: payer.into(),
            link: None,
            was_paid: false,
        }
    }

    fn listed(claims: Vec<RelatedItem>) -> Vec<String> {
        let stored = StoredRelated { payer_name: "Acme  Health".into(), claims };
        let staff = person(Role::Staff, Action::ReadWork);
        let listed = list(Some(stored), &staff).unwrap().claims.into_iter();
        listed.map(|claim| claim.item.claim_number).collect()
    }

    #[test]
    fn claims_of_the_same_payer_are_listed_those_with_work_and_the_newest_first() {
        let claims = [
            item(1, ClaimStatus::Closed, "Acme Health"),
            item(2, ClaimStatus::Received, "ACME HEALTH"),
            item(3, ClaimStatus::Recovered, "Acme Health"),
            item(4, ClaimStatus::InAppeal, "acme health "),
            item(5, ClaimStatus::Reviewing, "Acme"),
        ];
        assert_eq!(listed(claims.into()), ["A-4", "A-2", "A-3", "A-1"]);
    }

    #[test]
    fn at_most_a_hundred_are_listed_and_an_unknown_claim_has_none() {
        let many = (0..500).map(|n| item(n, ClaimStatus::Reviewing, "Acme Health"));
        let listed = listed(many.collect());
        assert_eq!((listed.len(), &*listed[0]), (100, "A-499"));
        let staff = person(Role::Staff, Action::ReadWork);
        assert_eq!(list(None, &staff), Err(UNKNOWN));
    }
}
