//! What a change of a claim tells the endpoints of its practice.

use super::message::Data;
use crate::base::date::Date;
use crate::base::id::ClaimId;
use crate::claims::{ClaimNumber, ClaimStatus, SigningStatus};

/// What messages say about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimState {
    pub status: ClaimStatus,
    pub signing: SigningStatus,
    /// The last day of its appeal.
    pub deadline: Option<Date>,
}

/// A change of a claim.
#[derive(Clone, Copy, Debug)]
pub struct ChangedClaim<'a> {
    pub id: ClaimId,
    pub claim_number: &'a ClaimNumber,
    pub before: ClaimState,
    pub after: ClaimState,
    /// Its link was replaced or revoked. A practice that stored the link must read it again.
    pub link: bool,
    /// The recorded payment was corrected.
    pub amount: bool,
}

/// The messages about a change, in this order.
pub fn news(change: ChangedClaim<'_>) -> impl Iterator<Item = Data> {
    let ChangedClaim { id, claim_number, before, after, link, amount } = change;
    let number = || claim_number.clone();
    let status =
        (after.status != before.status).then(|| Data::Status { id, claim_number: number(), status: after.status });
    let is_signing = after.signing != before.signing || link;
    let signing = is_signing.then(|| Data::Signing { id, claim_number: number(), signing_status: after.signing });
    let is_due = after.deadline != before.deadline;
    let deadline = is_due.then(|| Data::Deadline { id, claim_number: number(), deadline: after.deadline });
    let amount = amount.then(|| Data::Amount { id, claim_number: number() });
    status.into_iter().chain(signing).chain(deadline).chain(amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use uuid::Uuid;

    const BEFORE: ClaimState =
        ClaimState { status: ClaimStatus::Received, signing: SigningStatus::NotDecided, deadline: None };

    fn told(after: ClaimState, link: bool, amount: bool) -> Vec<&'static str> {
        let claim_number = &ClaimNumber("A-1".into());
        let id = ClaimId(Uuid::nil());
        let change = ChangedClaim { id, claim_number, before: BEFORE, after, link, amount };
        news(change).map(|data| data.kind().name()).collect()
    }

    #[test]
    fn each_difference_is_one_message_and_no_difference_is_none() {
        assert!(told(BEFORE, false, false).is_empty());
        let status = ClaimState { status: ClaimStatus::Reviewing, ..BEFORE };
        assert_eq!(told(status, false, false), ["claim.status_changed"]);
        let signing = ClaimState { signing: SigningStatus::Needed, ..BEFORE };
        assert_eq!(told(signing, true, false), ["claim.signing_changed"]);
        assert_eq!(told(BEFORE, true, true), ["claim.signing_changed", "claim.amount_corrected"]);
        let all = ClaimState { deadline: Date::parse("2026-07-04"), signing: SigningStatus::Signed, ..status };
        let kinds = ["claim.status_changed", "claim.signing_changed", "claim.deadline_changed"];
        assert_eq!(told(all, false, false), kinds);
    }
}
