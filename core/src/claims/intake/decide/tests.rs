mod fills;
mod mismatches;
mod model;
mod race;
mod resend;
mod store;

use super::*;
use crate::base::id::PracticeId;
use crate::base::instant::Instant;
use crate::base::sealed::KeyVersion;
use crate::claims::identity::IdentityKey;
use crate::claims::intake::CommitResult;
use crate::claims::intake::fill::OpenedClaim;
use crate::claims::{ClaimStatus, PlanType};
use crate::testing::{PRACTICE, item, row};
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec;
use serde_json::{Value, json};
use uuid::Uuid;

const NOW: Instant = Instant(1_772_625_600_000);

const PATIENT: &str = "claim.claim_number is already used for a different patient";
const CLAIM: &str = "claim.claim_number is already used for a different claim";

/// The context of the nth request.
fn ctx(n: u8) -> Ctx {
    Ctx::new(NOW, [n; 32])
}

fn key(version: u32) -> IdentityKey {
    let byte = u8::try_from(version).unwrap();
    IdentityKey::new(KeyVersion(version.into()), &[byte; 32])
}

fn numbered(number: &str) -> Item<'static> {
    let mut item = item();
    item.claim.claim_number = number.to_string().into();
    item
}

fn snapshot(rows: impl IntoIterator<Item = StoredClaim>) -> Snapshot {
    Snapshot::new(rows)
}

/// The numbers of new claims in a decision, and `(number, payer claim number, billed, denied)` of corrections.
type Corrected<'a> = (&'a str, &'a str, Option<i64>, Option<i64>);
fn written<'a>(decision: &'a Decision<'_>) -> (Vec<&'a str>, Vec<Corrected<'a>>) {
    let (mut new, mut corrected) = (Vec::new(), Vec::new());
    let Decision::Write(plan) = decision else {
        panic!("an answer where writes were expected");
    };
    assert!(plan.fills.is_empty() && plan.compared.is_none(), "{plan:?}");
    new.extend(plan.new.iter().map(|new| &*new.item.claim.claim_number));
    corrected.extend(plan.corrections.iter().map(|to| {
        let cents = |amount: Option<Cents>| amount.map(Cents::get);
        (to.claim_number, to.payer_claim_number, cents(to.billed), cents(to.denied))
    }));
    (new, corrected)
}

/// The answer as JSON.
fn answer(decision: Decision<'_>) -> Value {
    match decision {
        Decision::Answer(answer) => serde_json::to_value(answer).unwrap(),
        other => panic!("{other:?} where an answer was expected"),
    }
}

/// The practice of most tests.
fn practice() -> PracticeId {
    PRACTICE
}

/// A decision without mismatch limits.
fn decide<'a>(
    send: &'a ValidSend<'a>,
    practice: PracticeId,
    snapshot: &Snapshot,
    key: &IdentityKey,
    ctx: &Ctx,
) -> Result<Decision<'a>, Unopened> {
    super::decide(send, practice, snapshot, (key, Bounds::NONE), ctx)
}

/// The opened stored form of an item that was sealed under this key version.
fn opened(item: &Item<'_>, row: &StoredClaim) -> OpenedClaim {
    let claim = serde_json::from_value(json!({
        "id": row.id, "version": 1, "key_version": row.key_version, "sealed": "", "status": row.status,
        "denial_date": item.claim.denial_date, "plan_type": item.claim.plan_type.map(PlanType::name),
        "levels": [],
    }));
    let secret = serde_json::to_vec(&item.confidential()).unwrap();
    OpenedClaim::new(claim.unwrap(), &secret).unwrap()
}

/// The answer for a stored item, after mismatches were counted and absent parts filled in.
fn settled(
    send: &ValidSend<'_>,
    (practice, key): (PracticeId, &IdentityKey),
    (stored, of): (StoredClaim, &Item<'_>),
) -> Result<Value, Unopened> {
    let mut snapshot = snapshot([stored.clone()]);
    for _ in 0..MAX_DECISIONS {
        match decide(send, practice, &snapshot, key, &ctx(1))? {
            Decision::Answer(answer) => return Ok(serde_json::to_value(answer).unwrap()),
            Decision::Open(_) => snapshot.hold([opened(of, &stored)]),
            Decision::Write(plan) => {
                let mut after = stored.clone();
                for fill in &plan.fills {
                    after.present = fill.present;
                }
                let outcome = CommitResult { created: 0, others: vec![after] };
                snapshot.learn(&plan, outcome).unwrap();
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("no answer");
}

fn id(n: u128) -> String {
    Uuid::from_u128(n).to_string()
}

/// Decides a send of one item when one claim with id 77 is stored.
fn over(sent: Item<'static>, stored: StoredClaim) -> Result<Value, Unopened> {
    let send = ValidSend { items: vec![sent] };
    settled(&send, (practice(), &key(1)), (stored, &item()))
}

#[test]
fn changes_say_all_that_a_batch_needs() {
    let ctx = ctx(5);
    let mut corrected = numbered("old");
    corrected.claim.payer_claim_number = "Q".into();
    let send = ValidSend { items: vec![numbered("a"), corrected, numbered("b")] };
    let stored = snapshot([row(&numbered("old"), &key(1), 77)]);
    let decision = decide(&send, practice(), &stored, &key(1), &ctx).unwrap();
    let Decision::Write(Changes { practice_id, submission_id, round: 0, compared: None, new, fills, corrections }) =
        decision
    else {
        panic!("{decision:?}");
    };
    assert_eq!((practice_id, fills.len()), (practice(), 0));
    assert_eq!(submission_id.0, ctx.id(Purpose::Submission, 0));
    let [NewClaim { place: 0, id: a, item: sent_a, tags }, NewClaim { place: 2, id: b, item: sent_b, .. }] = &new[..]
    else {
        panic!("{new:?}");
    };
    // An id depends on the item's position in the request, so another round gives the same id.
    assert_eq!((a.0, b.0), (ctx.id(Purpose::Claim, 0), ctx.id(Purpose::Claim, 2)));
    assert_eq!((*sent_a, *sent_b), (&send.items[0], &send.items[2]));
    assert_eq!(*tags, key(1).tags(practice(), &send.items[0]));
    let [Correction { id, claim_number, payer_claim_number, billed, denied }] = &corrections[..] else {
        panic!("{corrections:?}");
    };
    assert_eq!((id.0, *claim_number, *payer_claim_number), (Uuid::from_u128(77), "old", "Q"));
    assert_eq!((*billed, *denied), (Cents::new(12_345), None));
}

#[test]
fn a_batch_of_all_kinds_is_answered_in_the_order_sent() {
    let ctx = ctx(1);
    let mut store = store::Store::default();
    for (number, id) in [("same", 71), ("corrected", 72), ("patient", 73), ("claim", 74)] {
        store.insert(row(&numbered(number), &key(1), id));
    }
    store.set_status("same", ClaimStatus::Recovered);
    store.set_status("corrected", ClaimStatus::Closed);
    let mut corrected = numbered("corrected");
    corrected.claim.denied_amount = Cents::new(99);
    let mut patient = numbered("patient");
    patient.patient.first_name = "Janet".into();
    let mut claim = numbered("claim");
    claim.claim.procedure_code = Some("1".into());
    let send =
        ValidSend { items: vec![patient, numbered("new"), corrected, numbered("same"), claim, numbered("newer")] };
    assert_eq!(send.claim_numbers().collect::<Vec<_>>(), ["patient", "new", "corrected", "same", "claim", "newer"]);
    let (response, rounds) = store.serve(&send, &key(1), &ctx);
    assert_eq!(rounds, 1);
    let new = |n| ctx.id(Purpose::Claim, n).to_string();
    let expected = json!({
        "claims": [
            {"claim_number": "patient", "created": false, "error": PATIENT},
            {"claim_number": "new", "created": true, "id": new(1), "status": "received"},
            {"claim_number": "corrected", "created": false, "id": id(72), "status": "closed"},
            {"claim_number": "same", "created": false, "id": id(71), "status": "recovered"},
            {"claim_number": "claim", "created": false, "error": CLAIM},
            {"claim_number": "newer", "created": true, "id": new(5), "status": "received"},
        ],
        "submission_id": ctx.id(Purpose::Submission, 0).to_string(),
    });
    assert_eq!(response, expected);
    assert_eq!(store.submissions(), [ctx.id(Purpose::Submission, 0)]);

    // A second send is not new and has no submission.
    let (response, rounds) = store.serve(&send, &key(1), &self::ctx(2));
    assert_eq!(rounds, 1, "the mismatches are counted again");
    assert_eq!(response["submission_id"], Value::Null);
    let again: Vec<&Value> = response["claims"].as_array().unwrap().iter().collect();
    assert!(again.iter().all(|result| result["created"] == false));
    assert_eq!(again[1]["id"], new(1));
    assert_eq!(store.submissions().len(), 1);
}

#[test]
fn the_bodies_of_an_answer_have_exactly_the_keys_of_the_interface_in_their_order() {
    let result = |claim_number, id, status, error| ResultItem { claim_number, created: false, id, status, error };
    let stored = ClaimId(Uuid::from_u128(7));
    let response = SendResponse {
        claims: vec![
            result("A\"é", Some(stored), Some(ClaimStatus::InReport), None),
            result("B", None, None, Some(Mismatch::DifferentClaim.message())),
        ],
        submission_id: Some(SubmissionId(Uuid::from_u128(8))),
    };
    assert_eq!(
        serde_json::to_string(&response).unwrap(),
        concat!(
            r#"{"claims":[{"claim_number":"A\"é","created":false,"#,
            r#""id":"00000000-0000-0000-0000-000000000007","status":"in_report"},"#,
            r#"{"claim_number":"B","created":false,"#,
            r#""error":"claim.claim_number is already used for a different claim"}],"#,
            r#""submission_id":"00000000-0000-0000-0000-000000000008"}"#
        )
    );
    let nothing = SendResponse { claims: vec![], submission_id: None };
    assert_eq!(serde_json::to_string(&nothing).unwrap(), r#"{"claims":[],"submission_id":null}"#);
}

#[test]
fn a_stored_claim_is_read_from_the_row_of_a_store() {
    let sent = item();
    let expected = row(&sent, &key(1), 77);
    let stored: StoredClaim = serde_json::from_value(json!({
        "claim_number": "A-1", "id": id(77), "status": "received", "key_version": 1,
        "patient_tag": expected.patient_tag, "procedure_tag": expected.procedure_tag,
        "date_of_service": "2026-01-02", "payer_claim_number": "P-1", "billed": 12345, "denied": null, "present": 68,
    }))
    .unwrap();
    assert_eq!(stored, expected);
    let large: Option<Cents> = serde_json::from_str("999999999999999999").unwrap();
    assert_eq!(large, Cents::new(999_999_999_999_999_999));
}
