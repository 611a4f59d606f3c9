//! The judgement on an item whose number is already used.

use super::*;
use crate::base::date::Date;
use crate::claims::ClaimStatus;

#[test]
fn a_resend_is_the_claim_that_exists_unless_patient_or_claim_differ() {
    type Change = fn(&mut Item<'static>);
    let rows: [(&str, Change, Option<&str>); 19] = [
        ("nothing differs", |_| (), None),
        ("first name spelled otherwise", |i| i.patient.first_name = " JANE ".into(), None),
        ("last name spelled otherwise", |i| i.patient.last_name = "ｄｏｅ".into(), None),
        ("another first name", |i| i.patient.first_name = "Janet".into(), Some(PATIENT)),
        ("another last name", |i| i.patient.last_name = "Dough".into(), Some(PATIENT)),
        ("another date of birth", |i| i.patient.date_of_birth = Date::parse("1980-03-01").unwrap(), Some(PATIENT)),
        (
            "another account and member",
            |i| {
                i.patient.account_number = Some("other".into());
                i.patient.member_id = None;
            },
            None,
        ),
        ("another date of service", |i| i.claim.date_of_service = Date::parse("2026-01-03").unwrap(), Some(CLAIM)),
        ("another procedure", |i| i.claim.procedure_code = Some("99214-25".into()), Some(CLAIM)),
        ("another modifier", |i| i.claim.procedure_code = Some("99213".into()), Some(CLAIM)),
        ("procedure spelled otherwise", |i| i.claim.procedure_code = Some(" 99213-25 ".into()), None),
        ("procedure left out", |i| i.claim.procedure_code = None, None),
        (
            "procedure left out and another day",
            |i| {
                i.claim.procedure_code = None;
                i.claim.date_of_service = Date::parse("2026-01-03").unwrap();
            },
            Some(CLAIM),
        ),
        (
            "patient and day",
            |i| {
                i.patient.last_name = "Dough".into();
                i.claim.date_of_service = Date::parse("2026-01-03").unwrap();
            },
            Some(PATIENT),
        ),
        (
            "patient and procedure",
            |i| {
                i.patient.date_of_birth = Date::parse("1980-02-28").unwrap();
                i.claim.procedure_code = Some("1".into());
            },
            Some(PATIENT),
        ),
        ("another insurer", |i| i.claim.payer_name = "Other".into(), None),
        (
            "another denial",
            |i| {
                i.claim.denial_codes = vec!["CO-1".into()];
                i.claim.denial_reason = Some("other".into());
                i.claim.denial_date = Some(Date::parse("2026-02-01").unwrap());
            },
            None,
        ),
        ("another plan", |i| i.claim.plan_type = Some(crate::claims::PlanType::Other), None),
        ("other diagnoses", |i| i.claim.diagnosis_codes = vec!["J10".into()], None),
    ];
    for (case, change, refusal) in rows {
        let mut sent = item();
        change(&mut sent);
        let mut stored = row(&item(), &key(1), 77);
        stored.status = ClaimStatus::InAppeal;
        let result = match refusal {
            None => {
                json!({"claim_number": "A-1", "created": false, "id": id(77), "status": "in_appeal"})
            }
            Some(error) => json!({"claim_number": "A-1", "created": false, "error": error}),
        };
        let expected = json!({"claims": [result], "submission_id": null});
        assert_eq!(over(sent, stored), Ok(expected), "{case}");
    }
}

#[test]
fn a_claim_stored_without_a_procedure_is_the_same_claim_whatever_the_procedure_sent() {
    let mut bare = item();
    bare.claim.procedure_code = None;
    let stored = row(&bare, &key(1), 77);
    for sent in [item(), bare] {
        let result = over(sent, stored.clone()).unwrap();
        assert_eq!(result["claims"][0]["id"], id(77));
    }
    let mut other_day = item();
    other_day.claim.date_of_service = Date::parse("2025-01-02").unwrap();
    assert_eq!(over(other_day, stored).unwrap()["claims"][0]["error"], CLAIM);
}

#[test]
fn a_resend_corrects_payer_claim_number_and_amounts_and_an_amount_left_out_stays() {
    // Stored and sent (payer claim number, billed, denied); and the resulting write.
    type Facts = (&'static str, Option<i64>, Option<i64>);
    let rows: [(&str, Facts, Facts, Option<Facts>); 12] = [
        ("nothing new", ("P", Some(5), Some(3)), ("P", Some(5), Some(3)), None),
        ("billed left out", ("P", Some(5), Some(3)), ("P", None, Some(3)), None),
        ("denied left out", ("P", Some(5), Some(3)), ("P", Some(5), None), None),
        ("billed", ("P", Some(5), None), ("P", Some(6), None), Some(("P", Some(6), None))),
        ("denied", ("P", None, Some(3)), ("P", None, Some(2)), Some(("P", None, Some(2)))),
        ("billed, denied left out", ("P", Some(5), Some(3)), ("P", Some(6), None), Some(("P", Some(6), None))),
        ("denied, billed the same", ("P", Some(5), Some(3)), ("P", Some(5), Some(4)), Some(("P", Some(5), Some(4)))),
        ("denied added later", ("P", Some(5), None), ("P", None, Some(3)), Some(("P", None, Some(3)))),
        ("billed added later", ("P", None, Some(3)), ("P", Some(5), Some(3)), Some(("P", Some(5), Some(3)))),
        ("payer claim number", ("P", Some(5), None), ("Q", Some(5), None), Some(("Q", Some(5), None))),
        ("its case", ("P", Some(5), None), ("p", Some(5), None), Some(("p", Some(5), None))),
        ("all", ("P", Some(5), Some(3)), ("Q", Some(6), Some(4)), Some(("Q", Some(6), Some(4)))),
    ];
    let facts = |(payer, billed, denied): Facts| {
        let mut item = item();
        item.claim.payer_claim_number = payer.into();
        item.claim.billed_amount = billed.and_then(Cents::new);
        item.claim.denied_amount = denied.and_then(Cents::new);
        item
    };
    for (case, stored, sent, correction) in rows {
        let mut store = store::Store::default();
        store.insert(row(&facts(stored), &key(1), 77));
        let send = ValidSend { items: vec![facts(sent)] };
        let (key, ctx) = (key(1), ctx(1));
        let decision = decide(&send, practice(), &store.load(&send), &key, &ctx).unwrap();
        let Some((payer, billed, denied)) = correction else {
            assert!(matches!(decision, Decision::Answer(_)), "{case}");
            continue;
        };
        let expected = vec![("A-1", payer, billed, denied)];
        assert_eq!(written(&decision), (vec![], expected), "{case}");

        // After the write, the same send has nothing left to write.
        let (response, rounds) = store.serve(&send, &key, &ctx);
        assert_eq!(rounds, 1, "{case}");
        let result = json!({"claim_number": "A-1", "created": false, "id": id(77), "status": "received"});
        assert_eq!(response, json!({"claims": [result], "submission_id": null}), "{case}");
        let after = store.get("A-1");
        let or = |sent: Option<i64>, stored: Option<i64>| sent.or(stored).and_then(Cents::new);
        assert_eq!(after.payer_claim_number, sent.0, "{case}");
        assert_eq!(after.billed, or(sent.1, stored.1), "{case}");
        assert_eq!(after.denied, or(sent.2, stored.2), "{case}");
        assert_eq!(store.serve(&send, &key, &ctx).1, 0, "{case}");
    }
}

#[test]
fn a_refused_item_corrects_nothing() {
    let mut sent = item();
    sent.patient.last_name = "Dough".into();
    sent.claim.payer_claim_number = "Q".into();
    sent.claim.billed_amount = Cents::new(1);
    let answer = over(sent, row(&item(), &key(1), 77)).unwrap();
    assert_eq!(answer["claims"][0]["error"], PATIENT);
}

#[test]
fn a_claim_is_compared_under_the_key_that_tagged_it() {
    let mut janet = item();
    janet.patient.first_name = "Janet".into();
    let mut other = item();
    other.claim.procedure_code = Some("1".into());
    // The version of the key, the sent item, and the refusal or `Ok`.
    let rows = [
        (1, item(), Ok(json!(null))),
        (1, janet.clone(), Ok(json!(PATIENT))),
        (1, other, Ok(json!(CLAIM))),
        (2, item(), Err(Unopened::KeyUnavailable)),
        (2, janet, Err(Unopened::KeyUnavailable)),
    ];
    for (version, sent, expected) in rows {
        let send = ValidSend { items: vec![sent] };
        let stored = (row(&item(), &key(1), 77), &item());
        let found = settled(&send, (practice(), &key(version)), stored);
        let found = found.map(|answer| answer["claims"][0]["error"].clone());
        assert_eq!(found, expected, "{version}");
    }
    // A claim that this request created needs no comparison.
    let send = ValidSend { items: vec![item()] };
    let mut created = row(&item(), &key(1), 0);
    created.id = ClaimId(ctx(1).id(Purpose::Claim, 0));
    let decision = decide(&send, practice(), &snapshot([created]), &key(2), &ctx(1));
    assert_eq!(answer(decision.unwrap())["claims"][0]["created"], true);
    let decision = decide(&send, practice(), &Snapshot::default(), &key(2), &ctx(1));
    let Decision::Write(Changes { new, .. }) = decision.unwrap() else {
        panic!("nothing to write");
    };
    assert_eq!(new[0].tags, key(2).tags(PRACTICE, &send.items[0]));
}

#[test]
fn tags_are_those_of_the_callers_practice() {
    let elsewhere = PracticeId(Uuid::from_u128(99));
    let send = ValidSend { items: vec![item()] };
    let stored = (row(&item(), &key(1), 77), &item());
    let found = settled(&send, (elsewhere, &key(1)), stored).unwrap();
    assert_eq!(found["claims"][0]["error"], PATIENT);
}

#[test]
fn a_claim_number_is_looked_up_exactly() {
    let send = ValidSend { items: vec![item()] };
    let mut rows = Vec::new();
    for (n, number) in ["a-1", "A-1 ", " A-1", "A-10", "Ａ-1"].into_iter().enumerate() {
        rows.push(row(&numbered(number), &key(1), n as u128));
    }
    let decision = decide(&send, practice(), &snapshot(rows), &key(1), &ctx(1)).unwrap();
    assert_eq!(written(&decision), (vec!["A-1"], vec![]));
}
