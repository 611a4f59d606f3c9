use super::*;
use crate::auth::disclosure::PracticeState;
use crate::auth::scope::Scopes;
use crate::testing::decisions::credential;
use overturn_core::base::id::SigningLinkId;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::KeyVersion;
use overturn_core::claims::query::parse;
use serde_json::json;
use uuid::Uuid;

const NOW: Instant = Instant(1_772_625_600_000);

fn ctx() -> Ctx {
    Ctx::new(NOW, [1; 32])
}

fn stored() -> StoredStatus {
    StoredStatus {
        id: ClaimId(Uuid::from_u128(7)),
        status: ClaimStatus::Received,
        signing_status: SigningStatus::NotDecided,
        link: None,
    }
}

fn opened(_: SealedPlace, link: &StoredSigningLink) -> Option<Url> {
    Some(Url(format!("https://a.example/sign?token={}", link.sealed)))
}

fn snapshot(credential: Option<Credential>, claim: Option<StoredStatus>) -> Snapshot {
    Snapshot { credential, claim }
}

#[test]
fn a_status_body_has_exactly_the_keys_of_the_interface_in_their_order() {
    let query = parse(["A\"1".into()]).unwrap();
    let snapshot = snapshot(Some(credential(NOW)), Some(stored()));
    let (caller, response) = decide(Ok(&query), &snapshot, None, &ctx(), opened).unwrap();
    assert_eq!(
        serde_json::to_string(&response).unwrap(),
        concat!(
            r#"{"claim":{"claim_number":"A\"1","id":"00000000-0000-0000-0000-000000000007","#,
            r#""status":"received","signing":{"status":"not_decided","appeal_button":true}}}"#
        )
    );
    assert_eq!(caller.scope, Scope::ClaimsRead);
    assert_eq!(
        format!("{:?}", response.claim),
        format!(
            "ClaimStatusView {{ id: {:?}, status: Received, signing: {:?}, .. }}",
            stored().id,
            response.claim.signing
        )
    );
}

#[test]
fn every_status_has_its_name_and_is_read_back_from_it() {
    for (status, name) in [
        (ClaimStatus::Received, "received"),
        (ClaimStatus::Reviewing, "reviewing"),
        (ClaimStatus::InReport, "in_report"),
        (ClaimStatus::InAppeal, "in_appeal"),
        (ClaimStatus::Recovered, "recovered"),
        (ClaimStatus::Closed, "closed"),
    ] {
        for (signing_status, signing) in [
            (SigningStatus::NotDecided, "not_decided"),
            (SigningStatus::NotNeeded, "not_needed"),
            (SigningStatus::Needed, "needed"),
            (SigningStatus::Signed, "signed"),
        ] {
            for appeal_button in [true, false] {
                let row = json!({"id": stored().id, "status": name, "signing_status": signing});
                let row: StoredStatus = serde_json::from_value(row).unwrap();
                assert_eq!((row.status, row.signing_status), (status, signing_status));
                let held = Credential { appeal_button, ..credential(NOW) };
                let query = parse(["A-1".into()]).unwrap();
                let snapshot = snapshot(Some(held), Some(row));
                let (_, response) = decide(Ok(&query), &snapshot, None, &ctx(), opened).unwrap();
                let claim = &serde_json::to_value(&response).unwrap()["claim"];
                assert_eq!(claim["status"], name);
                let expected = json!({"status": signing, "appeal_button": appeal_button});
                assert_eq!(claim["signing"], expected);
            }
        }
    }
    assert!(serde_json::from_str::<ClaimStatus>("\"new\"").is_err());
}

#[test]
fn the_caller_is_checked_before_the_query_and_the_query_before_the_claim() {
    let query = parse(["A-1".into()]).unwrap();
    let problems = parse([]).map(drop).unwrap_err();
    let invalid = RequestError::Invalid(problems.clone());
    let good = credential(NOW);
    let writer = Credential { scopes: Scopes::of(&[Scope::ClaimsWrite]), ..good.clone() };
    let inactive = Credential { practice_state: PracticeState::Inactive, ..good.clone() };
    let unsigned = Credential { baa_signed: false, ..good.clone() };
    let refused = Verdict { allowed: false, limit: 300, remaining: 0, reset: 0, retry_after: 5 };
    // A caller that may not ask learns only that, whatever is asked and stored.
    for (held, limit, refusal) in [
        (None, None, RequestError::NotAuthenticated),
        (Some(&good), Some(refused), RequestError::RateLimited(refused)),
        (Some(&writer), None, RequestError::MissingScope("claims:read")),
        (Some(&inactive), None, RequestError::PracticeInactive),
        (Some(&unsigned), None, RequestError::BaaRequired),
    ] {
        for query in [Ok(&query), Err(&invalid)] {
            for claim in [None, Some(stored())] {
                let snapshot = snapshot(held.cloned(), claim);
                let found = decide(query, &snapshot, limit, &ctx(), opened).map(drop);
                assert_eq!(found, Err(refusal.clone()));
            }
        }
    }
    // The snapshot has neither a claim of another practice nor one that does not exist.
    for (asked, claim, expected) in [
        (Err(&invalid), None, Err(RequestError::Invalid(problems.clone()))),
        (Err(&invalid), Some(stored()), Err(RequestError::Invalid(problems))),
        (Ok(&query), None, Err(RequestError::ClaimNotFound)),
        (Ok(&query), Some(stored()), Ok(())),
    ] {
        let snapshot = snapshot(Some(good.clone()), claim);
        assert_eq!(decide(asked, &snapshot, None, &ctx(), opened).map(drop), expected);
    }
}

#[test]
fn a_link_is_shown_while_the_button_is_on_a_signature_is_needed_and_it_holds() {
    let link = StoredSigningLink {
        id: SigningLinkId(Uuid::from_u128(9)),
        key_version: KeyVersion(1),
        sealed: "ovp_x".into(),
        expires_at: NOW.plus(1),
        tries: 4,
        hash: "".into(),
        data_key: None,
    };
    let query = parse(["A-1".into()]).unwrap();
    let shown = |button, status, signing_status, link: Option<StoredSigningLink>| {
        let held = Credential { appeal_button: button, ..credential(NOW) };
        let stored = StoredStatus { status, signing_status, link, ..stored() };
        let snapshot = snapshot(Some(held), Some(stored));
        let (_, response) = decide(Ok(&query), &snapshot, None, &ctx(), opened).unwrap();
        serde_json::to_value(&response).unwrap()["claim"]["signing"]["link"].clone()
    };
    let (report, needed) = (ClaimStatus::InReport, SigningStatus::Needed);
    let one = Some(link.clone());
    let address = "https://a.example/sign?token=ovp_x";
    assert_eq!(shown(true, report, needed, one.clone()), address);
    let late = StoredSigningLink { expires_at: NOW, ..link.clone() };
    let tried = StoredSigningLink { tries: 5, ..link };
    for (button, status, signing, link) in [
        (false, report, needed, one.clone()),
        (true, ClaimStatus::Closed, needed, one.clone()),
        (true, ClaimStatus::Recovered, needed, one.clone()),
        (true, report, SigningStatus::NotNeeded, one.clone()),
        (true, report, SigningStatus::Signed, one),
        (true, report, needed, None),
        (true, report, needed, Some(late)),
        (true, report, needed, Some(tried)),
    ] {
        assert_eq!(shown(button, status, signing, link), json!(null));
    }
}
