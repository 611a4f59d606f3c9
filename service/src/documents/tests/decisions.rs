//! What a call is answered, and what it is refused.

use crate::documents::bulk::{Item, store_all};
use crate::documents::document::{DocumentKind, ObjectKey, StoredDocument, StoredUse, UNKNOWN, UseKind, in_state};
use crate::documents::list::{DocumentQuery, listed};
use crate::documents::removal;
use crate::documents::scan::ScanOutcome;
use crate::documents::serve::download;
use crate::documents::show::DocumentAction::{Attach, Delete, Download};
use crate::documents::show::named;
use crate::documents::storing::{Received, fingerprint, infected, store};
use crate::documents::target::{FoundClaim, Target};
use crate::documents::uses::{attached, detached};
use crate::prelude::*;
use overturn_core::auth::person::Via;
use overturn_core::auth::role::Role;
use overturn_core::base::id::{ApiTokenId, ClaimId, DocumentId, UserId};
use overturn_core::plan::documents::{DocumentState, SealedPart};
use overturn_core::testing::{parsed, person, said};
use serde_json::Value;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const KEY: &str = "0707070707070707070707070707070707070707070707070707070707070707";
const RECORD: StoredUse = StoredUse { kind: UseKind::Case, id: Uuid::from_u128(70) };

fn ctx() -> Ctx {
    Ctx::new(NOW, [7; 32])
}

/// The person who uploaded the document.
fn uploader(role: Role) -> Person {
    let practice_id = (role != Role::Staff).then_some(PRACTICE);
    Person { practice_id, ..person(role, Action::UploadDocument) }
}

fn other(role: Role) -> Person {
    Person { user_id: UserId(Uuid::from_u128(11)), ..uploader(role) }
}

fn stored(state: DocumentState) -> StoredDocument {
    let sealed = SealedPart { name: "letter.pdf".into(), key: KEY.into() };
    let alive = matches!(state, DocumentState::Available | DocumentState::Quarantined);
    StoredDocument {
        practice_id: PRACTICE,
        id: DocumentId(Uuid::from_u128(50)),
        claim_id: Some(ClaimId(Uuid::from_u128(60))),
        claim_number: Some("C-1".into()),
        kind: DocumentKind::DenialLetter,
        state,
        content_type: "application/pdf".into(),
        size: 7,
        sha256: "00ff".into(),
        key_version: KeyVersion(1),
        sealed: alive.then(|| serde_json::to_string(&sealed).unwrap()),
        uploaded_by: uploader(Role::Owner).user_id,
        of_practice: true,
        uploaded_at: Time(NOW),
        uses: Vec::new(),
        legal_hold: false,
        scans: 0,
        data_key: None,
    }
}

fn used() -> StoredDocument {
    let report = StoredUse { kind: UseKind::Report, id: Uuid::from_u128(71) };
    StoredDocument { uses: [RECORD, report].into(), ..stored(DocumentState::Available) }
}

/// Keys that open everything as it is.
fn keys(_: SealedPlace, _: KeyVersion, sealed: &str) -> Result<Vec<u8>, RequestError> {
    Ok(sealed.as_bytes().to_vec())
}

/// A host without the key.
fn no_keys(_: SealedPlace, _: KeyVersion, _: &str) -> Result<Vec<u8>, RequestError> {
    Err(RequestError::KeyUnavailable)
}

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

/// The details of the audit rows.
fn details(change: &Change) -> Vec<Value> {
    let detail = |write: &Write<'_>| match write {
        Write::Audit(entry) => entry.detail.clone(),
        _ => None,
    };
    change.writes.iter().filter_map(detail).collect()
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

#[test]
fn a_query_takes_known_filters_once() {
    let query = parsed::<DocumentQuery>;
    let read = query(&[("kind", "other"), ("state", "deleted"), ("claim_number", "C-1")]).unwrap();
    assert_eq!(read.kind, Some(DocumentKind::Other));
    assert_eq!(read.state, Some(DocumentState::Deleted));
    assert_eq!(read.claim_number.as_deref(), Some("C-1"));
    assert_eq!((read.limit, read.reads()), (25, 26));
    for wrong in [
        &[("kind", "letter")][..],
        &[("state", "gone")],
        &[("claim_id", "7")],
        &[("name", "x")],
        &[("kind", "other"), ("kind", "other")],
    ] {
        assert_eq!(query(wrong).unwrap_err().len(), 1, "{wrong:?}");
    }
}

#[test]
fn a_list_shows_uses_and_names_only_what_the_name_function_names() {
    let query: DocumentQuery = parsed(&[("limit", "2")]).unwrap();
    let later = StoredDocument { id: DocumentId(Uuid::from_u128(49)), ..stored(DocumentState::Available) };
    let rows = [used(), stored(DocumentState::Deleted), later];
    let owner = uploader(Role::Owner);
    let page = listed(&owner, query.clone(), rows.clone().into(), |stored| stored.name(&keys).unwrap());
    let page = serde_json::to_value(page).unwrap();
    let documents = page["documents"].as_array().unwrap();
    assert_eq!(documents.len(), 2);
    assert_eq!(documents[0]["name"], "letter.pdf");
    assert_eq!(documents[0]["cases"], json!([RECORD.id]));
    assert_eq!(documents[0]["reports"], json!([Uuid::from_u128(71)]));
    assert_eq!(documents[1]["name"], Value::Null);
    assert_eq!(page["next_cursor"], format!("{}", Uuid::from_u128(50).simple()));
    assert!(!page.to_string().contains(KEY));

    let for_staff = listed(&owner, query, rows.into(), |_| None);
    let text = serde_json::to_string(&for_staff).unwrap();
    assert!(!text.contains("letter.pdf"));
    let shown = named(stored(DocumentState::Available), &owner, &no_keys);
    assert_eq!(shown.unwrap_err(), RequestError::KeyUnavailable);
}

#[test]
fn only_an_available_document_is_downloaded_and_the_row_says_by_which_side() {
    for (state, refused) in [
        (
            DocumentState::Quarantined,
            RequestError::Conflict(Reason::DocumentWaiting, "the document waits for its virus scan"),
        ),
        (DocumentState::Infected, UNKNOWN),
        (DocumentState::Deleted, UNKNOWN),
    ] {
        let denied = download(stored(state), &uploader(Role::Owner), &keys, &ctx());
        assert_eq!(denied.unwrap_err(), refused, "{state:?}");
    }
    for (role, by) in [(Role::Member, "practice"), (Role::Staff, "staff")] {
        let stored = stored(DocumentState::Available);
        let available = in_state(stored.place(), DocumentState::Available);
        let (download, change) = download(stored, &other(role), &keys, &ctx()).unwrap();
        assert_eq!(download.key, ObjectKey([7; 32]));
        assert_eq!((&*download.name, &*download.etag), ("letter.pdf", "\"00ff\""));
        assert_eq!(change.guards, [available], "not after a deletion");
        let [detail] = &details(&change)[..] else {
            panic!("{change:?}");
        };
        assert_eq!((&detail["by"], &detail["part"]), (&json!(by), &json!("file")));
        assert!(!detail.to_string().contains("letter"));
    }
}

#[test]
fn a_key_of_another_form_is_called_tampered_and_never_printed() {
    for key in ["", "07", "x", &"zz".repeat(32), &"07".repeat(33)] {
        let sealed = SealedPart { name: "letter.pdf".into(), key: key.into() };
        let stored = StoredDocument {
            sealed: Some(serde_json::to_string(&sealed).unwrap()),
            ..stored(DocumentState::Available)
        };
        let denied = stored.opened(&keys).unwrap_err();
        assert!(matches!(denied, RequestError::Tampered(_)), "{key}");
    }
    let stored = stored(DocumentState::Available);
    let (key, _) = stored.opened(&keys).unwrap();
    let printed = format!("{stored:?} {key:?} {:?}", SealedPart { name: "letter".into(), key: KEY.into() });
    assert!(!printed.contains("letter") && !printed.contains("07"), "{printed}");
}

#[test]
fn who_may_delete_what() {
    let delete = |stored, person: &Person| removal::deleted(Some(stored), person, &ctx());
    let held = StoredDocument { legal_hold: true, ..stored(DocumentState::Available) };
    // Not in use, in use, under a legal hold.
    for (person, allowed) in [
        (other(Role::Owner), [true, true, false]),
        (other(Role::Admin), [true, true, false]),
        (uploader(Role::Member), [true, false, false]),
        (other(Role::Member), [false, false, false]),
        (uploader(Role::Staff), [true, false, false]),
        (other(Role::Staff), [false, false, false]),
    ] {
        for (stored, allowed) in [stored(DocumentState::Available), used(), held.clone()].into_iter().zip(allowed) {
            let done = delete(stored, &person);
            assert_eq!(done.is_ok(), allowed, "{:?} {done:?}", person.role);
        }
    }
    for state in [DocumentState::Deleted, DocumentState::Infected] {
        let done = delete(stored(state), &other(Role::Owner));
        assert_eq!(done.unwrap_err(), UNKNOWN);
    }
    assert!(delete(stored(DocumentState::Quarantined), &other(Role::Owner)).is_ok());
    let missing = removal::deleted(None, &other(Role::Owner), &ctx());
    assert_eq!(missing.unwrap_err(), UNKNOWN);
}

#[test]
fn only_an_available_document_is_attached_and_only_once() {
    let staff = uploader(Role::Staff);
    let attach = |stored| attached(Some(stored), RECORD, &staff, &ctx());
    for state in [DocumentState::Quarantined, DocumentState::Infected, DocumentState::Deleted] {
        let denied = attach(stored(state)).unwrap_err();
        assert!(matches!(denied, RequestError::Conflict(..)), "{state:?}");
    }
    let change = attach(stored(DocumentState::Available)).unwrap();
    assert_eq!(details(&change), [json!({ "kind": "case", "record": RECORD.id })]);
    assert!(attach(used()).unwrap().writes.is_empty(), "it is attached");
    assert_eq!(attached(None, RECORD, &staff, &ctx()).unwrap_err(), UNKNOWN);
}

#[test]
fn a_document_is_detached_only_from_what_it_is_attached_to() {
    let detach = |stored, from| detached(Some(stored), from, &ctx());
    assert!(detach(used(), RECORD).is_ok());
    let as_report = StoredUse { kind: UseKind::Report, ..RECORD };
    for (stored, from) in [(used(), as_report), (stored(DocumentState::Available), RECORD)] {
        assert_eq!(detach(stored, from).unwrap_err(), UNKNOWN);
    }
    assert_eq!(detached(None, RECORD, &ctx()).unwrap_err(), UNKNOWN);
}

#[test]
fn a_document_says_what_its_reader_may_do() {
    let may = |stored: &StoredDocument, person: &Person| named(stored.clone(), person, &keys).unwrap().may;
    let available = stored(DocumentState::Available);
    assert_eq!(may(&available, &other(Role::Owner)), [Download, Delete]);
    assert_eq!(may(&available, &uploader(Role::Member)), [Download, Delete]);
    assert_eq!(may(&available, &other(Role::Member)), [Download]);
    assert_eq!(may(&available, &other(Role::Staff)), [Download, Attach]);
    assert_eq!(may(&used(), &uploader(Role::Member)), [Download]);
    assert_eq!(may(&used(), &other(Role::Admin)), [Download, Delete]);
    let waiting = stored(DocumentState::Quarantined);
    assert_eq!(may(&waiting, &other(Role::Owner)), [Delete]);
    assert_eq!(may(&waiting, &other(Role::Staff)), []);
    let held = StoredDocument { legal_hold: true, ..available.clone() };
    assert_eq!(may(&held, &other(Role::Owner)), [Download]);
    let token = Person { via: Via::Token(ApiTokenId(Uuid::nil())), ..uploader(Role::Owner) };
    assert_eq!(may(&available, &token), []);
}
