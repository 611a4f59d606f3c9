//! What people see of a stored document, and what they may do with it.

use crate::auth::person::Via;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::documents::document::{DocumentKind, ObjectKey, StoredDocument, StoredUse, UNKNOWN, UseKind, in_state};
use crate::documents::list::{DocumentQuery, listed};
use crate::documents::removal;
use crate::documents::serve::download;
use crate::documents::show::DocumentAction::{Attach, Delete, Download};
use crate::documents::show::named;
use crate::documents::uses::{attached, detached};
use crate::plan::documents::{DocumentState, SealedPart};
use crate::prelude::*;
use crate::testing::decisions::{parsed, person};
use overturn_core::base::id::{ApiTokenId, ClaimId, DocumentId, UserId};
use overturn_core::base::open::Unopened;
use serde_json::Value;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
pub(super) const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const KEY: &str = "0707070707070707070707070707070707070707070707070707070707070707";
const RECORD: StoredUse = StoredUse { kind: UseKind::Case, id: Uuid::from_u128(70) };

pub(super) fn ctx() -> Ctx {
    Ctx::new(NOW, [7; 32])
}

/// The person who uploaded the document.
pub(super) fn uploader(role: Role) -> Person {
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
fn keys(_: SealedPlace, _: KeyVersion, sealed: &str) -> Result<Vec<u8>, Unopened> {
    Ok(sealed.as_bytes().to_vec())
}

/// A host without the key.
fn no_keys(_: SealedPlace, _: KeyVersion, _: &str) -> Result<Vec<u8>, Unopened> {
    Err(Unopened::KeyUnavailable)
}

/// The details of the audit rows.
pub(super) fn details(change: &Change) -> Vec<Value> {
    let detail = |write: &Write| match write {
        Write::Audit(entry) => entry.detail.clone(),
        _ => None,
    };
    change.writes.iter().filter_map(detail).collect()
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
