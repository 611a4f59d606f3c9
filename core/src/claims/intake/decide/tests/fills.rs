//! What a resend fills in.

use super::store::Store;
use super::*;
use crate::base::date::Date;
use crate::claims::intake::fill::OpenedClaim;
use crate::claims::{Part, Present};

/// An item with every optional part, each repeated `n` times.
fn full(n: u32) -> Item<'static> {
    let mut item = bare();
    let text = |name: &str| alloc::format!("{name} {n}");
    item.patient.account_number = Some(text("account").into());
    item.patient.member_id = Some(text("member").into());
    item.claim.denial_date = Date::parse(&alloc::format!("2026-01-{:02}", n + 5));
    item.claim.plan_type = Some(PlanType::ALL[n as usize]);
    item.claim.denial_codes = vec![alloc::format!("CO-{n}").into()];
    item.claim.denial_reason = Some(text("reason").into());
    item.claim.diagnosis_codes = vec![alloc::format!("J1{n}").into()];
    assert_eq!(Present::of(&item).names(), Part::ALL.map(Part::name));
    item
}

/// An item without optional parts.
fn bare() -> Item<'static> {
    let mut item = item();
    item.patient.member_id = None;
    item.claim.denial_codes.clear();
    item
}

fn stored(item: &Item<'_>) -> Store {
    let mut store = Store::default();
    store.insert_item(item, row(item, &key(1), 77));
    store
}

fn send(item: Item<'static>) -> ValidSend<'static> {
    ValidSend { items: vec![item] }
}

#[test]
fn a_resend_fills_in_all_that_was_absent_and_nothing_that_is_there() {
    let mut store = stored(&bare());
    let (response, rounds) = store.serve(&send(full(1)), &key(1), &ctx(1));
    let result = json!({"claim_number": "A-1", "created": false, "id": id(77), "status": "received"});
    assert_eq!(response, json!({"claims": [result], "submission_id": null}));
    assert_eq!(rounds, 1);
    let expected = serde_json::to_value(full(1).confidential()).unwrap();
    let (secret, denied, plan) = store.secret("A-1");
    assert_eq!(secret, expected);
    assert_eq!((denied, plan), (full(1).claim.denial_date, full(1).claim.plan_type));
    assert_eq!(store.filled.len(), 7);
    // A part that is present stays, whatever is sent.
    for other in [full(2), bare(), full(1)] {
        let (_, rounds) = store.serve(&send(other), &key(1), &ctx(2));
        assert_eq!(rounds, 0);
    }
    assert_eq!(store.secret("A-1").0, expected);
}

#[test]
fn a_plain_resend_opens_nothing() {
    let store = stored(&full(1));
    for sent in [full(1), full(2), bare()] {
        let sent = send(sent);
        let snapshot = store.load(&sent);
        let decision = decide(&sent, practice(), &snapshot, &key(1), &ctx(1)).unwrap();
        assert!(matches!(decision, Decision::Answer(_)));
    }
}

#[test]
fn a_procedure_code_is_never_filled_in() {
    let mut without = full(1);
    without.claim.procedure_code = None;
    let mut store = stored(&without);
    let (_, rounds) = store.serve(&send(full(1)), &key(1), &ctx(1));
    assert_eq!(rounds, 0);
    let mut sent = full(1);
    sent.claim.procedure_code = Some("1".into());
    let (answer, _) = store.serve(&send(sent), &key(1), &ctx(2));
    assert_eq!(answer["claims"][0]["id"], id(77), "any is still the same claim");
}

#[test]
fn a_fill_in_keeps_unknown_fields() {
    // A later version may seal more fields.
    let sealed = br#"{"patient":{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29","x":1},"y":[2]}"#;
    let claim = json!({ "id": id(77), "version": 1, "key_version": 1, "sealed": "", "status": "received",
        "denial_date": null, "plan_type": null, "levels": [] });
    let held = OpenedClaim::new(serde_json::from_value(claim).unwrap(), sealed).unwrap();
    let sent = send(full(1));
    let mut snapshot = snapshot([super::row(&bare(), &key(1), 77)]);
    snapshot.hold([held]);
    let decision = decide(&sent, practice(), &snapshot, &key(1), &ctx(1)).unwrap();
    let Decision::Write(plan) = decision else {
        panic!("nothing to fill in");
    };
    let secret: Value = serde_json::from_slice(plan.fills[0].secret.as_ref().unwrap()).unwrap();
    assert_eq!((&secret["patient"]["x"], &secret["y"]), (&json!(1), &json!([2])));
    assert_eq!(secret["patient"]["member_id"], "member 1");
}

/// The fill-in of a claim in this state, by an item with a denial date and a plan type.
fn filled(claim: Value) -> (Option<Date>, Value) {
    let mut read = json!({ "id": id(77), "version": 3, "key_version": 1, "sealed": "", "status": "received",
        "denial_date": null, "plan_type": null, "levels": [] });
    for (name, value) in claim.as_object().unwrap() {
        read[name] = value.clone();
    }
    let secret = serde_json::to_vec(&bare().confidential()).unwrap();
    let held = OpenedClaim::new(serde_json::from_value(read).unwrap(), &secret).unwrap();
    let mut sent = bare();
    sent.claim.denial_date = Date::parse("2026-01-05");
    sent.claim.plan_type = Some(PlanType::Erisa);
    let sent = send(sent);
    let mut snapshot = snapshot([row(&bare(), &key(1), 77)]);
    snapshot.hold([held]);
    match decide(&sent, practice(), &snapshot, &key(1), &ctx(1)).unwrap() {
        Decision::Write(plan) => (plan.fills[0].due.map(|due| due.date), plan.fills[0].history()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_deadline_is_worked_out_unless_the_case_has_an_earlier_one_or_the_appeal_is_under_way() {
    let day = Date::parse("2026-07-04");
    let filed = json!([{ "case_id": id(5), "level": 1, "filed": true }]);
    let of_case = |day: &str| {
        json!({ "status": "in_appeal", "deadline": { "date": day, "from": "case" },
            "last": { "level": 1, "kind": "hearing", "due_on": day } })
    };
    for (claim, due) in [
        (json!({}), day),
        (json!({ "status": "reviewing" }), day),
        (json!({ "status": "in_report" }), day),
        (json!({ "status": "in_appeal" }), day),
        (json!({ "status": "in_appeal", "levels": filed }), None),
        (json!({ "status": "reviewing", "levels": filed }), None),
        (of_case("2026-07-04"), None),
        (of_case("2026-03-01"), None),
        (of_case("2026-07-05"), day),
        (json!({ "status": "recovered" }), None),
        (json!({ "status": "closed" }), None),
        (json!({ "denial_date": "2026-01-05" }), day),
        (json!({ "plan_type": "erisa" }), day),
        // The stored value counts, not the sent one.
        (json!({ "denial_date": "2026-01-06" }), Date::parse("2026-07-05")),
        (json!({ "plan_type": "commercial" }), None),
    ] {
        let (given, history) = filled(claim.clone());
        assert_eq!(given, due, "{claim}");
        assert_eq!(history.get("appeal_due").is_some(), due.is_some());
    }
    let (_, history) = filled(json!({}));
    let said = json!({ "filled_in": ["denial_date", "plan_type"], "appeal_due": "2026-07-04" });
    assert_eq!(history, said);
    let history = filled(json!({ "plan_type": "commercial" })).1;
    assert_eq!(history, json!({ "filled_in": ["denial_date"] }));
}
