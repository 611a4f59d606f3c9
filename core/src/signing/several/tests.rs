use super::*;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::base::id::ClaimId;
use crate::base::instant::Instant;
use crate::plan::claims::{ClaimNumber, ClaimStatus};
use crate::plan::signing::SigningStatus::{self, NotNeeded};
use crate::plan::work::appeal::Appeal;
use crate::plan::work::claim::StoredWorkClaim;
use crate::testing::{parse, person, test};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use serde_json::json;
use uuid::Uuid;

const PRACTICES: [PracticeId; 2] = [PracticeId(Uuid::from_u128(1)), PracticeId(Uuid::from_u128(2))];

/// The nth claim. Even and odd ones belong to different practices.
fn claim(n: usize, signing_status: SigningStatus) -> (SeenClaim, FoundClaim) {
    let id = ClaimId(Uuid::from_u128(100 + n as u128));
    let stored = StoredWorkClaim {
        id,
        claim_number: ClaimNumber(format!("A-{n}")),
        version: 1,
        status: ClaimStatus::Reviewing,
        signing_status,
        taken_by: None,
        case_id: None,
        appeal: Appeal::default(),
    };
    let seen = SeenClaim { practice_id: PRACTICES[n % 2], id, version: 1 };
    let found = FoundClaim { practice: Some(("active".into(), true)), claim: Some(stored) };
    (seen, found)
}

fn decided(status: SigningStatus) -> Change {
    let before = [SigningStatus::NotDecided, Needed, NotNeeded, SigningStatus::Signed];
    let all = before.into_iter().enumerate();
    let (claims, found): (Vec<_>, Vec<_>) = all.map(|(n, before)| claim(n, before)).unzip();
    let random: Vec<[u8; 32]> = (0..4).map(|n| [n; 32]).collect();
    let ctx = Ctx::new(Instant(1_772_625_600_000), [1; 32]);
    let staff = person(Role::Staff, Action::Work);
    decide(&Decisions { decision: status, claims }, found, &staff, &random, &ctx)
}

fn statuses(change: &Change) -> Vec<String> {
    let results = change.answer.body["results"].as_array().unwrap().iter();
    let of = |result: &serde_json::Value| {
        let reason = result["reason"].as_str().unwrap_or_default();
        format!("{} {reason}", result["status"].as_str().unwrap())
    };
    results.map(of).collect()
}

#[test]
fn each_claim_that_needs_a_signature_gets_a_link_of_its_own() {
    let change = decided(Needed);
    assert_eq!(statuses(&change), ["done ", "done ", "done ", "refused already_signed"]);
    let links = change.writes.iter().find_map(|write| match write {
        Write::Signing(SigningWrite::NewLinks(links)) => Some(links),
        _ => None,
    });
    let links = links.unwrap();
    let ids: BTreeSet<_> = links.iter().map(|link| link.id).collect();
    let hashes: BTreeSet<_> = links.iter().map(|link| link.token.hash()).collect();
    assert_eq!([links.len(), ids.len(), hashes.len()], [3, 3, 3]);
    let practices: Vec<_> = links.iter().map(|link| link.practice_id).collect();
    assert_eq!(practices, [PRACTICES[0], PRACTICES[1], PRACTICES[0]]);
    let shown = format!("{change:?} {}", change.answer.body);
    assert!(!shown.contains(links[0].token.expose()));
}

#[test]
fn not_needed_revokes_the_links_and_leaves_what_is_decided_already() {
    let change = decided(NotNeeded);
    assert_eq!(statuses(&change), ["done ", "done ", "done ", "refused already_signed"]);
    let versions = [2, 2, 1, 1];
    for (n, version) in versions.into_iter().enumerate() {
        let result = &change.answer.body["results"][n];
        assert_eq!(result["claim"]["version"], version, "{result}");
    }
    let revoked = change.writes.iter().find_map(|write| match write {
        Write::Signing(SigningWrite::LinksRevoked(claims)) => Some(claims.len()),
        _ => None,
    });
    assert_eq!(revoked, Some(2));
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
