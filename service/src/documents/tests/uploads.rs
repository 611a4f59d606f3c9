//! What an upload is answered, and what it is refused.

use super::decisions::{PRACTICE, ctx, uploader};
use crate::auth::role::Role;
use crate::documents::document::{DocumentKind, ObjectKey};
use crate::documents::scan::ScanOutcome;
use crate::documents::storing::{NewDocument, Received, fingerprint, infected, store};
use crate::documents::target::Target;
use overturn_core::base::id::DocumentId;
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

fn by_number(number: &str) -> Target {
    Target { claim_number: Some(number.to_owned()), ..Target::default() }
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
