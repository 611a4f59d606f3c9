//! Two senders of one number, and lost answers of the store.

use super::store::{Serving, Store};
use super::*;
use crate::claims::ClaimStatus;
use crate::claims::intake::CommitResult;
use crate::claims::intake::snapshot::ClaimsMissingError;
use crate::claims::intake::{at_once, settle};

#[test]
fn when_another_sender_was_first_its_claim_is_returned_and_not_ours() {
    let key = key(1);
    let mut other_patient = item();
    other_patient.patient.last_name = "Dough".into();
    let mut other_payer = item();
    other_payer.claim.payer_claim_number = "Q".into();
    // The other sender's item; our rounds; the final error and payer claim number.
    for (theirs, rounds, error, payer) in [
        (item(), 1, None, "P-1"),
        // The mismatch is counted in a separate round.
        (other_patient, 2, Some(PATIENT), "P-1"),
        (other_payer, 2, None, "P-1"),
    ] {
        let mut store = store::Store::default();
        let send = ValidSend { items: vec![item(), numbered("ours")] };
        let first = ValidSend { items: vec![theirs] };
        let snapshot = store.load(&send);
        store.serve(&first, &key, &ctx(2));
        let (response, written) = store.serve_from(snapshot, &send, &key, &ctx(1));
        assert_eq!(written, rounds);
        let lost = &response["claims"][0];
        assert_eq!(lost["created"], false);
        assert_eq!(lost.get("error").and_then(Value::as_str), error);
        if error.is_none() {
            assert_eq!(lost["id"], ctx(2).id(Purpose::Claim, 0).to_string());
        }
        assert_eq!(response["claims"][1]["created"], true);
        assert_eq!(response["submission_id"], ctx(1).id(Purpose::Submission, 0).to_string());
        assert_eq!(store.get("A-1").payer_claim_number, payer);
    }
}

#[test]
fn a_request_that_lost_every_number_has_no_submission() {
    let key = key(1);
    let send = ValidSend { items: vec![item()] };
    let mut store = store::Store::default();
    let mut snapshot = store.load(&send);
    store.serve(&send, &key, &ctx(2));
    let Decision::Write(plan) = decide(&send, practice(), &snapshot, &key, &ctx(1)).unwrap() else {
        panic!("nothing to write");
    };
    snapshot.learn(&plan, store.commit(&plan)).unwrap();
    let response = answer(decide(&send, practice(), &snapshot, &key, &ctx(1)).unwrap());
    assert_eq!(response["submission_id"], Value::Null);
    assert_eq!(response["claims"][0]["id"], ctx(2).id(Purpose::Claim, 0).to_string());
    assert_eq!(store.submissions(), [ctx(2).id(Purpose::Submission, 0)]);
}

#[test]
fn a_plan_carried_out_twice_is_answered_as_if_once() {
    let key = key(1);
    let send = ValidSend { items: vec![numbered("a"), numbered("b")] };
    let mut store = store::Store::default();
    let mut snapshot = store.load(&send);
    let Decision::Write(plan) = decide(&send, practice(), &snapshot, &key, &ctx(1)).unwrap() else {
        panic!("nothing to write");
    };
    // The first answer of the store is lost. Before the retry the claim moves and is corrected.
    store.commit(&plan);
    store.set_status("a", ClaimStatus::Reviewing);
    let mut corrected = numbered("b");
    corrected.claim.payer_claim_number = "Q".into();
    store.serve(&ValidSend { items: vec![corrected] }, &key, &ctx(2));
    snapshot.learn(&plan, store.commit(&plan)).unwrap();
    let response = answer(decide(&send, practice(), &snapshot, &key, &ctx(1)).unwrap());
    let new = |n| ctx(1).id(Purpose::Claim, n).to_string();
    let expected = json!({
        "claims": [
            {"claim_number": "a", "created": true, "id": new(0), "status": "reviewing"},
            {"claim_number": "b", "created": true, "id": new(1), "status": "received"},
        ],
        "submission_id": ctx(1).id(Purpose::Submission, 0).to_string(),
    });
    assert_eq!(response, expected);
    // The creation does not run again and undo the correction.
    assert_eq!(store.get("b").payer_claim_number, "Q");
}

#[test]
fn a_store_that_lost_a_claim_is_not_answered_for() {
    let send = ValidSend { items: vec![numbered("a"), numbered("b")] };
    let mut snapshot = Snapshot::default();
    let Decision::Write(plan) = decide(&send, practice(), &snapshot, &key(1), &ctx(1)).unwrap() else {
        panic!("nothing to write");
    };
    let outcome = |created, others| CommitResult { created, others };
    let theirs = || row(&numbered("a"), &key(1), 77);
    for bad in [outcome(1, vec![]), outcome(3, vec![]), outcome(0, vec![theirs()]), outcome(2, vec![theirs()])] {
        assert_eq!(snapshot.clone().learn(&plan, bad), Err(ClaimsMissingError));
    }
    assert_eq!(snapshot.learn(&plan, outcome(1, vec![theirs()])), Ok(()));
}

/// What a decision rests on can change again and again between its load and its commit.
#[test]
fn a_stale_plan_is_decided_again_from_a_new_load_and_not_for_ever() {
    let send = ValidSend { items: [numbered("A-1")].into() };
    let key = key(1);
    let mut store = Store::default();
    let serve = |store: &mut Store, stale| {
        let mut serving = Serving::new(store, &send, &key);
        serving.stale = stale;
        let answer = at_once(settle(&mut serving, Snapshot::default(), &ctx(1)));
        let answered = answer.unwrap().unwrap().is_some();
        (answered, serving.loads, serving.rounds)
    };
    let always = MAX_DECISIONS;
    assert_eq!(serve(&mut store, always), (false, always, 0));
    assert_eq!(store.rows().count(), 0, "nothing is written");
    // One decision writes, and one more answers.
    let most = MAX_DECISIONS - 2;
    assert_eq!(serve(&mut store, most), (true, most, 1));
    assert_eq!(store.rows().count(), 1);
}
