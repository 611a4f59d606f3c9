//! What an upload is answered, and what it is refused.

use super::decisions::{PRACTICE, ctx, details, uploader};
use crate::documents::bulk::{Item, store_all};
use crate::documents::document::{DocumentKind, ObjectKey};
use crate::documents::scan::ScanOutcome;
use crate::documents::storing::{NewDocument, Received, fingerprint, infected, store};
use crate::documents::target::{FoundClaim, Target};
use overturn_core::auth::role::Role;
use overturn_core::base::id::{ClaimId, DocumentId};
use overturn_core::testing::said;
use serde_json::json;
use uuid::Uuid;

fn received(n: u8, scan: ScanOutcome) -> Received {
    Received {
        id: DocumentId(Uuid::from_u128(u128::from(n))),
        name: format!("file {n}.pdf"),
        content_type: "application/pdf",
        size: u64::from(n),
        sha256: format!("{n:064x}"),
        key: ObjectKey([n; 32]),
        scan,
    }
}

fn claim() -> FoundClaim {
    FoundClaim { id: ClaimId(Uuid::from_u128(60)), claim_number: "C-1".into() }
}

fn by_number(number: &str) -> Target {
    Target { claim_number: Some(number.to_owned()), ..Target::default() }
}

#[test]
fn an_upload_is_answered_with_its_claim_and_without_its_key() {
    let target = by_number("C-1");
    let file = (received(3, ScanOutcome::Clean), &target, Some(claim()));
    let change = store(PRACTICE, file, &uploader(Role::Member), &ctx()).unwrap();
    assert_eq!(change.answer.status, 201);
    let body = &change.answer.body;
    for (field, value) in [
        ("name", "file 3.pdf"),
        ("kind", "other"),
        ("state", "available"),
        ("claim_number", "C-1"),
        ("uploaded_by", "practice"),
    ] {
        assert_eq!(body[field], value);
    }
    assert!(!body.to_string().contains(&"03".repeat(32)));
    // The trail names no file.
    let [detail] = &details(&change)[..] else {
        panic!("{change:?}");
    };
    assert!(!detail.to_string().contains("file 3"), "{detail}");
    assert_eq!(detail["sha256"], received(3, ScanOutcome::Clean).sha256);
}

#[test]
fn whatever_the_scanner_did_not_call_clean_is_quarantined() {
    let target = Target::default();
    for scan in [ScanOutcome::Unknown, ScanOutcome::Infected] {
        let file = (received(1, scan), &target, None);
        let change = store(PRACTICE, file, &uploader(Role::Staff), &ctx()).unwrap();
        assert_eq!(change.answer.body["state"], "quarantined", "{scan:?}");
        assert_eq!(change.answer.body["uploaded_by"], "staff");
        let new = NewDocument::new(PRACTICE, received(1, scan), (&target, None), &uploader(Role::Staff), &ctx());
        assert!(new.scan_at > Some(ctx().now), "{scan:?} is scanned again");
    }
}

#[test]
fn an_upload_for_a_claim_that_the_practice_does_not_have_is_refused() {
    let target = by_number("C-9");
    let file = (received(1, ScanOutcome::Clean), &target, None);
    let refused = store(PRACTICE, file, &uploader(Role::Owner), &ctx()).unwrap_err();
    assert_eq!(said(refused), ["claim_number must be a claim of the practice"]);
}

#[test]
fn bulk_results_have_the_order_of_the_files_and_one_bad_file_fails_no_other() {
    let clean = |n| received(n, ScanOutcome::Clean);
    let items = [
        Item::Received(clean(1), Target::default(), None),
        Item::Refused(json!({ "code": "virus_detected" })),
        Item::Received(clean(2), by_number("C-9"), None),
        Item::Received(clean(3), by_number("C-1"), Some(claim())),
    ];
    let refuse = |error| json!({ "said": said(error) });
    let person = uploader(Role::Member);
    let change = store_all(PRACTICE, items.into(), refuse, &person, &ctx()).unwrap();
    assert_eq!(details(&change).len(), 2, "an audit row for each");
    assert_eq!(change.guards.len(), 2);
    assert_eq!(change.answer.status, 201);
    let results = change.answer.body["results"].as_array().unwrap();
    let seen: Vec<_> = results
        .iter()
        .map(|one| {
            let what = one["document"]["name"].as_str();
            let what = what.or_else(|| one["error"]["code"].as_str());
            let what = what.or_else(|| one["error"]["said"][0].as_str());
            (one["status"].as_str().unwrap(), what.unwrap())
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("stored", "file 1.pdf"),
            ("refused", "virus_detected"),
            ("refused", "claim_number must be a claim of the practice"),
            ("stored", "file 3.pdf"),
        ]
    );
}

#[test]
fn a_bulk_upload_of_which_nothing_is_stored_changes_nothing_and_says_why() {
    let items =
        [Item::Refused(json!("first")), Item::Received(received(2, ScanOutcome::Clean), by_number("C-9"), None)];
    let person = uploader(Role::Member);
    let refuse = |_| json!("second");
    let body = store_all(PRACTICE, items.into(), refuse, &person, &ctx()).unwrap_err();
    let errors: Vec<_> = body["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["status"].as_str().unwrap(), one["error"].as_str().unwrap()))
        .collect();
    assert_eq!(errors, [("refused", "first"), ("refused", "second")]);
    let none = store_all(PRACTICE, Vec::new(), refuse, &person, &ctx());
    assert!(none.is_err());
}

#[test]
fn a_fingerprint_differs_in_digest_claim_kind_and_order_and_knows_a_refused_file() {
    let (none, first) = (Target::default(), by_number("C-1"));
    let kind = Target { kind: Some(DocumentKind::Remittance), ..by_number("C-1") };
    let second = by_number("C-2");
    let prints = [
        fingerprint(PRACTICE, [(&first, Some("aa")), (&second, Some("bb"))]),
        fingerprint(PRACTICE, [(&second, Some("bb")), (&first, Some("aa"))]),
        fingerprint(PRACTICE, [(&first, Some("ab")), (&second, Some("bb"))]),
        fingerprint(PRACTICE, [(&first, Some("bb")), (&second, Some("aa"))]),
        fingerprint(PRACTICE, [(&none, Some("aa")), (&second, Some("bb"))]),
        fingerprint(PRACTICE, [(&kind, Some("aa")), (&second, Some("bb"))]),
        fingerprint(PRACTICE, [(&first, None), (&second, Some("bb"))]),
        fingerprint(PRACTICE, [(&first, Some("aa"))]),
        fingerprint(PRACTICE, []),
    ];
    for (n, one) in prints.iter().enumerate() {
        assert!(!one.is_empty());
        assert!(!prints[..n].contains(one), "{n}");
    }
    let again = fingerprint(PRACTICE, [(&first, Some("aa")), (&second, Some("bb"))]);
    assert_eq!(prints[0], again);
}

#[test]
fn the_row_of_an_infected_file_has_its_digest_and_no_name() {
    let id = DocumentId(Uuid::from_u128(50));
    let entry = infected(PRACTICE, 0, id, ("00ff", 9), &ctx());
    assert_eq!(entry.detail, Some(json!({ "sha256": "00ff", "size": 9 })));
}
