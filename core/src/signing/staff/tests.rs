use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::base::instant::Instant;
use crate::plan::claims::{ClaimNumber, ClaimStatus};
use crate::plan::message::Data;
use crate::plan::work::appeal::Appeal;
use crate::plan::work::claim::stuck;
use crate::plan::{Guard, SigningWrite, WorkGuard};
use crate::testing::said;
use crate::testing::{person, test};
use alloc::format;
use alloc::vec::Vec;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));

fn ctx() -> Ctx {
    Ctx::new(Instant(1_772_625_600_000), [1; 32])
}

fn stored(status: ClaimStatus, signing_status: SigningStatus) -> StoredWorkClaim {
    StoredWorkClaim {
        claim_number: ClaimNumber("A-1".into()),
        id: ClaimId(Uuid::from_u128(7)),
        version: 3,
        status,
        signing_status,
        taken_by: None,
        case_id: None,
        appeal: Appeal::default(),
    }
}

fn decided(stored: &StoredWorkClaim, status: SigningStatus) -> Result<Change, RequestError> {
    let staff = person(Role::Staff, Action::Work);
    decide(PRACTICE, (stored, status), &staff, [5; 32], &ctx())
}

#[test]
fn needed_makes_a_link_for_thirty_days_each_time() {
    for before in [SigningStatus::NotDecided, NotNeeded, Needed] {
        let stored = stored(ClaimStatus::InReport, before);
        let change = decided(&stored, Needed).unwrap();
        let links = change.writes.iter().filter_map(|write| match write {
            Write::Signing(SigningWrite::NewLinks(links)) => Some(links),
            _ => None,
        });
        let links: Vec<_> = links.flatten().collect();
        assert_eq!(links.len(), 1);
        assert_eq!(links[0].expires_at.since(ctx().now), 30 * 86_400_000);
        assert_eq!((links[0].practice_id, links[0].claim_id), (PRACTICE, stored.id));
        let seen = [(PRACTICE, stored.id, 3)];
        let guard = Guard::Work(WorkGuard::Claims(seen.into()));
        assert!(change.guards.contains(&guard));
        assert_eq!(change.answer.body["signing_status"], "needed");
        assert_eq!(change.answer.body["version"], 4);
        assert!(!format!("{change:?}").contains(links[0].token.expose()));
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
    assert_eq!(told(&revoke_link(PRACTICE, &needed, true, &ctx())), [Needed]);
    assert_eq!(told(&revoke_link(PRACTICE, &needed, false, &ctx())), []);
}

#[test]
fn not_needed_revokes_and_is_nothing_new_the_second_time() {
    let first = decided(&stored(ClaimStatus::Reviewing, Needed), NotNeeded).unwrap();
    let revokes = |write: &Write<'_>| matches!(write, Write::Signing(SigningWrite::LinksRevoked(_)));
    assert!(first.writes.iter().any(revokes));
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
fn only_the_link_is_revoked_if_there_is_one() {
    let stored = stored(ClaimStatus::Closed, Needed);
    let change = revoke_link(PRACTICE, &stored, true, &ctx());
    assert_eq!(change.answer.body["signing_status"], "needed");
    assert!(!change.writes.is_empty());
    assert!(revoke_link(PRACTICE, &stored, false, &ctx()).writes.is_empty());
}

fn locked(_: SealedPlace, _: KeyVersion, _: &str) -> Result<Vec<u8>, RequestError> {
    Err(RequestError::KeyUnavailable)
}

#[test]
fn a_signature_shows_what_was_sealed_and_nothing_without_its_key() {
    let stored = StoredSignature {
        id: SignatureId(Uuid::from_u128(9)),
        version: 4,
        key_version: KeyVersion(1),
        sealed: concat!(
            r#"{"version":"2026-11-21","language":"en","text":"I agree.","relation":"parent","name":"Zoë","strokes":[[[1,2],[3,4]]],"#,
            r#""signed_at":1772625600000,"ip":"192.0.2.1","agent":"Browser"}"#
        )
        .into(),
    };
    let of = (PRACTICE, ClaimId(Uuid::from_u128(8)));
    let open = |place: SealedPlace, _: KeyVersion, sealed: &str| {
        assert_eq!(place.claim(), Some(of.1));
        Ok(sealed.as_bytes().to_vec())
    };
    let (version, view) = show(of, Some(stored.clone()), &open).unwrap();
    assert_eq!(version, 4);
    assert_eq!(
        serde_json::to_value(&view).unwrap(),
        json!({
            "id": stored.id, "signed_at": "2026-03-04T12:00:00.000Z", "ip": "192.0.2.1", "user_agent": "Browser",
            "text_version": "2026-11-21",
            "language": "en", "text": "I agree.", "relation": "parent", "name": "Zoë",
            "drawing": { "width": 600, "height": 200, "strokes": [[[1, 2], [3, 4]]] },
        })
    );
    assert!(!format!("{view:?}").contains("Zoë"));
    assert_eq!(show(of, Some(stored.clone()), &locked).map(drop), Err(RequestError::KeyUnavailable));
    // A value that opens but is not a signature is not shown, either.
    let claim = |_: SealedPlace, _: KeyVersion, _: &str| Ok(br#"{"patient":{}}"#.to_vec());
    let refused = show(of, Some(stored), &claim).map(drop);
    assert!(matches!(refused, Err(RequestError::Tampered(_))));
    assert!(matches!(show(of, None, &open), Err(RequestError::NotFound(_))));
}
