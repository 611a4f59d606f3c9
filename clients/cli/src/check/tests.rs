use super::*;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::{BODY_MAX, BODY_TOO_LARGE};

const ITEM: &str = r#"{"patient":{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29"},
    "claim":{"claim_number":"A-1","payer_claim_number":"I","payer_name":"P","date_of_service":"2025-01-02",
    "denial_date":"2025-02-03","plan_type":"erisa",
    "billed_amount":"1.00","denial_reason":"no"}}"#;

fn judged(entry: Entry<'_>) -> Judged {
    let ctx = Ctx::new(Instant(1_767_225_600_000), [0; 32]);
    judge(Place::default(), entry, &ctx)
}

fn problems(entry: Entry<'_>) -> Vec<String> {
    match judged(entry) {
        Judged::Invalid(problems) => problems,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_valid_claim_is_sent_as_it_was_written() {
    for entry in [Entry::Alone(ITEM), Entry::Item(ITEM)] {
        let Judged::Valid(claim, advice) = judged(entry) else { panic!("it is valid") };
        assert_eq!((&*claim.number, &*claim.item, advice.len()), ("A-1", ITEM, 0));
    }
}

#[test]
fn the_problems_are_those_of_the_service() {
    let nameless = ITEM.replacen("Jane", "", 1);
    let expected = ["patient.first_name is required"];
    assert_eq!(problems(Entry::Alone(&nameless)), expected);
    assert_eq!(problems(Entry::Item(&nameless)), expected);
    assert_eq!(problems(Entry::Item("null")), ["item must be an object"]);
    assert_eq!(problems(Entry::Alone("null")), ["body must be an object"]);
    // In an item, `claims` is an ordinary key.
    assert_eq!(problems(Entry::Item(r#"{"claims":[]}"#)).len(), 9);
}

#[test]
fn the_problems_of_a_batch_leave_out_those_of_its_items() {
    assert!(matches!(judged(Entry::Envelope(r#"{"claims":[null]}"#)), Judged::Nothing));
    for (envelope, expected) in [
        (r#"{"claims":[]}"#, "claims must have 1 to 100 items"),
        (r#"{"claims":null}"#, "claims must be an array"),
        (r#"{"claims":[null],"x":1}"#, "claims must be the only key of a batch"),
        (r#"{"claims":[null],"claims":[null]}"#, "claims must be given only once"),
    ] {
        assert_eq!(problems(Entry::Envelope(envelope)), [expected]);
    }
}

#[test]
fn an_array_of_claims_gets_a_hint() {
    let says = "body must be an object (an array is not one: write {\"claims\": […]} around it, or one claim a line)";
    assert_eq!(problems(Entry::Alone("[]")), [says]);
}

#[test]
fn an_advised_claim_is_valid() {
    let odd = ITEM.replacen("A-1", "0", 1);
    assert!(matches!(judged(Entry::Alone(&odd)), Judged::Valid(_, advice) if advice.len() == 1));
}

#[test]
fn a_claim_too_large_for_any_request_is_refused_here() {
    let padded = |bytes: usize| format!("{ITEM}{}", " ".repeat(bytes - ITEM.len()));
    let room = BODY_MAX - body([]).len();
    assert!(matches!(judged(Entry::Item(&padded(room))), Judged::Valid(..)));
    assert_eq!(problems(Entry::Item(&padded(room + 1))), [BODY_TOO_LARGE.to_string()]);
}
