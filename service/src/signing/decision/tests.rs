use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::work::claim::ClaimState;
use crate::signing::link::revoked;
use crate::testing::decisions::{parse, person, work_claim};
use crate::work::may::{ClaimAction, on_claim};
use overturn_core::claims::ClaimStatus;
use overturn_core::testing::ctx;
use uuid::Uuid;

const PRACTICES: [PracticeId; 2] = [PracticeId(Uuid::from_u128(1)), PracticeId(Uuid::from_u128(2))];

fn me() -> Person {
    person(Role::Staff, Action::Work)
}

fn stored(status: ClaimStatus, signing_status: SigningStatus) -> StoredWorkClaim {
    StoredWorkClaim { status, signing_status, ..work_claim() }
}

fn decided(stored: &StoredWorkClaim, status: SigningStatus) -> Result<Change, RequestError> {
    super::decided(PRACTICES[0], (stored, status), &me(), [5; 32], &ctx())
}

#[test]
fn a_claim_says_exactly_what_the_decisions_allow() {
    let states = ClaimStatus::ALL.into_iter().flat_map(|status| SigningStatus::ALL.map(|signing| (status, signing)));
    for (status, signing_status) in states {
        let claim = stored(status, signing_status);
        let state = ClaimState { status, signing_status, taken_by: None, was_appealed: false, was_paid: false };
        for has_link in [false, true] {
            let may = on_claim(state, has_link, me().user_id);
            for decision in [Needed, NotNeeded] {
                let allowed = decided(&claim, decision).is_ok();
                assert_eq!(may.contains(&ClaimAction::DecideSigning), allowed, "{state:?}");
            }
            let revokes = !revoked(PRACTICES[0], (&claim, has_link), &me(), &ctx()).writes.is_empty();
            assert_eq!(may.contains(&ClaimAction::RevokeLink), revokes, "{state:?}");
        }
    }
}

#[test]
fn a_body_has_a_decision_and_claims_and_only_new_links_are_sealed() {
    let body = |decision: &str| {
        let claim = |n: u128| json!({ "practice_id": PRACTICES[0], "id": Uuid::from_u128(n), "version": 1 });
        let body = json!({ "decision": decision, "claims": [claim(1), claim(2)] });
        parse::<Decisions>(body.to_string())
    };
    assert_eq!(body("needed").unwrap().seals(), [PRACTICES[0]]);
    assert_eq!(body("not_needed").unwrap().seals(), []);
}
