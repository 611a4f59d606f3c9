use super::*;
use crate::signing::link::revoked;
use crate::work::may::{ClaimAction, on_claim};
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::id::SigningLinkId;
use overturn_core::base::secret::SigningToken;
use overturn_core::plan::claims::{ClaimNumber, ClaimStatus};
use overturn_core::plan::message::Data;
use overturn_core::plan::work::appeal::Appeal;
use overturn_core::plan::work::claim::{ClaimState, stuck};
use overturn_core::testing::{parse, person, said};
use uuid::Uuid;

const PRACTICES: [PracticeId; 2] = [PracticeId(Uuid::from_u128(1)), PracticeId(Uuid::from_u128(2))];
const CLAIM: ClaimId = ClaimId(Uuid::from_u128(7));

fn ctx() -> Ctx {
    Ctx::new(Instant(1_772_625_600_000), [1; 32])
}

fn me() -> Person {
    person(Role::Staff, Action::Work)
}

fn stored(status: ClaimStatus, signing_status: SigningStatus) -> StoredWorkClaim {
    StoredWorkClaim {
        claim_number: ClaimNumber("A-1".into()),
        id: CLAIM,
        version: 3,
        status,
        signing_status,
        taken_by: None,
        case_id: None,
        appeal: Appeal::default(),
    }
}

fn decided(stored: &StoredWorkClaim, status: SigningStatus) -> Result<Change, RequestError> {
    super::decided(PRACTICES[0], (stored, status), &me(), [5; 32], &ctx())
}

/// The places of the new tokens.
fn links(change: &Change) -> Vec<SealedPlace> {
    let statements = change.writes.iter().filter_map(|write| match write {
        Write::Sql(statement) => Some(statement),
        _ => None,
    });
    statements.flat_map(|statement| statement.sealed()).collect()
}

#[test]
fn needed_makes_a_link_each_time() {
    for before in [SigningStatus::NotDecided, NotNeeded, Needed] {
        let change = decided(&stored(ClaimStatus::InReport, before), Needed).unwrap();
        let id = SigningLinkId(ctx().id(Purpose::Record, 0));
        assert_eq!(links(&change), [SealedPlace::SigningLink { practice: PRACTICES[0], claim: CLAIM, id }]);
        assert_eq!(change.answer.body["signing_status"], "needed");
        assert_eq!(change.answer.body["version"], 4);
        let seen = [(PRACTICES[0], CLAIM, 3)];
        assert!(change.guards.contains(&claim_changes::unchanged(&seen)));
        let token = SigningToken::mint([5; 32]);
        assert!(!format!("{change:?}").contains(token.expose()));
    }
}

/// The signing statuses in the messages to endpoints.
fn told(change: &Change) -> Vec<SigningStatus> {
    let messages = change.writes.iter().filter_map(|write| match write {
        Write::Messages(messages) => Some(messages),
        _ => None,
    });
    let told = messages.flatten().map(|message| match &message.data {
        Data::Signing { signing_status, .. } => *signing_status,
        other => panic!("{other:?}"),
    });
    told.collect()
}

#[test]
fn the_practice_gets_a_message_about_a_new_or_revoked_link() {
    for (before, status) in [(SigningStatus::NotDecided, Needed), (Needed, Needed), (Needed, NotNeeded)] {
        let change = decided(&stored(ClaimStatus::InReport, before), status).unwrap();
        assert_eq!(told(&change), [status], "{before:?}");
    }
    let needed = stored(ClaimStatus::InReport, Needed);
    assert_eq!(told(&revoked(PRACTICES[0], (&needed, true), &me(), &ctx())), [Needed]);
    assert_eq!(told(&revoked(PRACTICES[0], (&needed, false), &me(), &ctx())), []);
}

#[test]
fn not_needed_is_nothing_new_the_second_time() {
    let again = decided(&stored(ClaimStatus::Reviewing, NotNeeded), NotNeeded).unwrap();
    assert!(again.writes.is_empty());
    assert_eq!(again.answer.body["version"], 3);
}

#[test]
fn a_signed_or_ended_claim_is_not_decided_again() {
    for status in [Needed, NotNeeded] {
        let signed = stored(ClaimStatus::InAppeal, SigningStatus::Signed);
        let why = said(decided(&signed, status).map(drop).unwrap_err());
        assert_eq!(why, ["signing_status is signed"]);
        for ended in [ClaimStatus::Recovered, ClaimStatus::Closed] {
            let refused = decided(&stored(ended, Needed), status).map(drop);
            assert_eq!(refused, Err(stuck(ended)));
        }
    }
}

#[test]
fn a_claim_says_exactly_what_the_decisions_allow() {
    let states = ClaimStatus::ALL.into_iter().flat_map(|status| SigningStatus::ALL.map(|signing| (status, signing)));
    for (status, signing_status) in states {
        let claim = stored(status, signing_status);
        let state = ClaimState { status, signing_status, taken_by: None, was_appealed: false };
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

/// Decides about four claims, of two practices in turn.
fn several_decided(decision: SigningStatus) -> Change {
    let before = [SigningStatus::NotDecided, Needed, NotNeeded, SigningStatus::Signed];
    let claims = before.into_iter().zip(0..).map(|(signing_status, n)| {
        let id = ClaimId(Uuid::from_u128(100 + n));
        let stored = StoredWorkClaim { id, version: 1, ..stored(ClaimStatus::Reviewing, signing_status) };
        let seen = SeenClaim { practice_id: PRACTICES[usize::from(n % 2 == 1)], id, version: 1 };
        (seen, FoundClaim { practice: Some(("active".into(), true)), claim: Some(stored) })
    });
    let (claims, found): (Vec<_>, Vec<_>) = claims.unzip();
    all_decided(&Decisions { decision, claims }, found, &me(), &[0, 1, 2, 3].map(|n| [n; 32]), &ctx())
}

#[test]
fn a_decision_about_several_claims_says_what_became_of_each() {
    for (decision, versions, new) in [(Needed, [2, 2, 2, 1], 3), (NotNeeded, [2, 2, 1, 1], 0)] {
        let change = several_decided(decision);
        for (n, version) in versions.into_iter().enumerate() {
            let result = &change.answer.body["results"][n];
            let became = if n == 3 { ("refused", "already_signed") } else { ("done", "") };
            let reason = result["reason"].as_str().unwrap_or_default();
            assert_eq!((result["status"].as_str().unwrap(), reason), became, "{result}");
            assert_eq!(result["claim"]["version"], version, "{result}");
        }
        let of = links(&change).into_iter().map(|place| place.practice().unwrap());
        let practices = [PRACTICES[0], PRACTICES[1], PRACTICES[0]];
        assert_eq!(of.collect::<Vec<_>>(), practices[..new]);
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
