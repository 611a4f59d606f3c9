//! `…/claims/{id}/related`: the other claims of the same patient and payer. The list does not name the patient.

use crate::auth::person::Person;
use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId, ReportId};
use crate::base::money::Amount;
use crate::base::time::Time;
use crate::plan::claims::deadline::Deadline;
use crate::plan::claims::{ClaimStatus, same_name};
use crate::plan::signing::SigningStatus;
use crate::plan::signing::link::KeptLink;
use crate::plan::work::claim::{ClaimState, UNKNOWN};
use crate::request::error::RequestError;
use crate::work::may::{self, ClaimAction};
use crate::work::people::Colleague;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use serde::{Deserialize, Serialize};

/// The most claims that are shown.
pub const SHOWN_MAX: usize = 100;
/// How many of the patient's claims are read: more than are shown, because some have another payer.
pub const READ_MAX: usize = 500;
/// How many of the practice's newest claims are searched for those that are still `received`.
pub const NEWEST_MAX: usize = 2000;

/// Another claim of the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RelatedItem {
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
    pub link: Option<KeptLink>,
}

/// A claim's insurer, and other claims of its patient.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredRelated {
    /// The insurer, as the practice names it.
    pub payer_name: String,
    /// The other claims.
    pub claims: Vec<RelatedItem>,
}

/// A related claim, as a staff member sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RelatedClaim {
    #[serde(flatten)]
    pub item: RelatedItem,
    /// What the staff member may do with it.
    pub may: Vec<ClaimAction>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RelatedClaims {
    claims: Vec<RelatedClaim>,
}

/// The related claims of the same payer: those that need work first, and the newest of them first.
///
/// # Errors
///
/// [`UNKNOWN`].
pub fn list(stored: Option<StoredRelated>, person: &Person) -> Result<RelatedClaims, RequestError> {
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
    use crate::base::instant::Instant;
    use crate::testing::{person, test};
    use alloc::format;
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
