//! What a page and a claim show.

mod sql;

use super::list::listed;
use super::one::one;
use super::page::FoundDenials;
use super::query::{ChangesCursor, DenialsQuery, NOT_A_CURSOR, PageStart, SCAN_MAX};
use super::stored::StoredDenial;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::signing::SigningStatus;
use crate::prelude::*;
use crate::request::accept::ListForm;
use crate::request::due_place::DuePlace;
use crate::request::page::CsvPage as _;
use crate::request::query::ListQuery;
use crate::testing::decisions::person;
use overturn_core::base::date::Date;
use overturn_core::base::id::ClaimId;
use overturn_core::claims::ClaimStatus;
use overturn_core::request::problem::texts;
use serde_json::Value;
use std::borrow::Cow;
use uuid::Uuid;

const START: (&str, &str) = ("changes_after", "start");

fn parse(query: &[(&str, &str)]) -> Result<DenialsQuery, Vec<String>> {
    let cow = |text: &str| Cow::Owned(text.into());
    let query = query.iter().map(|(name, value)| (cow(name), cow(value)));
    DenialsQuery::parse(query).map_err(|problems| texts(&problems))
}

const NOW: Instant = Instant(1_000);

fn practice() -> PracticeId {
    PracticeId(Uuid::from_u128(1))
}

fn stored(n: i64) -> Value {
    json!({
        "id": Uuid::from_u128(n.try_into().unwrap()), "claim_number": "A", "payer_claim_number": "ICN",
        "payer_name": "Acme", "status": "received", "signing_status": "not_decided", "date_of_service": "2026-01-02",
        "denial_date": "2026-01-05", "plan_type": "erisa", "billed_cents": 12_345, "denied_cents": null,
        "adjustment_codes": ["CO-45"], "appeal_due": "2026-07-04", "appeal_due_from": "rule", "report_id": null,
        "recovered_cents": null, "closing_reason": null, "received_at": 0, "updated_at": 1, "changed": n,
    })
}

/// What staff read in the letter of a claim.
fn letter() -> Value {
    json!({ "denial_date": null, "plan_type": "tricare", "appeal_due": "2026-05-05", "counts": "earliest",
        "read_by": "staff", "read_at": 3 })
}

/// The result for claims with these numbers, when the practice's last change has the number `head`.
fn found(numbers: &[i64], head: i64, scanned: Value) -> FoundDenials {
    let claims: Vec<Value> = numbers.iter().map(|n| stored(*n)).collect();
    let found = json!({ "practice_id": practice(), "appeal_button": true, "head": head, "claims": claims,
        "cut": false, "scanned": scanned });
    serde_json::from_value(found).unwrap()
}

fn shown(query: &DenialsQuery, found: FoundDenials) -> Value {
    serde_json::to_value(listed(query, found, NOW).unwrap()).unwrap()
}

fn reader(role: Role) -> Person {
    person(role, Action::ReadDenials)
}

/// One claim, as a person with this role sees it.
fn shown_one(read: Value, role: Role) -> Value {
    let read = serde_json::from_value(read).unwrap();
    serde_json::to_value(one(Some(read), (&reader(role), NOW)).unwrap().body).unwrap()
}

fn cursor(changed: i64) -> String {
    ChangesCursor { practice_id: practice(), changed }.to_string()
}

#[test]
fn a_claim_is_shown_with_its_deadline_and_with_nothing_of_the_patient() {
    let page = shown(&parse(&[]).unwrap(), found(&[7], 9, json!({ "count": 1 })));
    let claim = json!({
        "id": Uuid::from_u128(7), "claim_number": "A", "payer_claim_number": "ICN", "payer_name": "Acme",
        "status": "received", "signing": { "status": "not_decided", "appeal_button": true, "link_expires_at": null },
        "date_of_service": "2026-01-02", "denial_date": "2026-01-05", "plan_type": "erisa", "billed_amount": "123.45",
        "denied_amount": null, "adjustment_codes": ["CO-45"], "letter": null,
        "deadline": { "date": "2026-07-04", "from": "rule", "source": "29 CFR 2560.503-1(h)(3)(i)" },
        "report_id": null, "case_id": null, "amount_recovered": null, "closing_reason": null,
        "received_at": "1970-01-01T00:00:00.000Z", "updated_at": "1970-01-01T00:00:00.001Z",
    });
    let expected = json!({ "denials": [claim], "next_cursor": null, "changes_cursor": cursor(9), "more": false });
    assert_eq!(page, expected);
}

#[test]
fn a_source_is_named_only_where_it_gives_the_very_date() {
    for (due, from, source) in [
        ("2026-07-04", "rule", json!("29 CFR 2560.503-1(h)(3)(i)")),
        ("2026-07-05", "rule", Value::Null),
        ("2026-07-04", "case", Value::Null),
        ("2026-07-04", "letter", Value::Null),
    ] {
        let mut claim = stored(1);
        claim["appeal_due"] = due.into();
        claim["appeal_due_from"] = from.into();
        let claim: StoredDenial = serde_json::from_value(claim).unwrap();
        let deadline = serde_json::to_value(claim.deadline()).unwrap();
        assert_eq!(deadline, json!({ "date": due, "from": from, "source": source }));
    }
    let mut claim = stored(1);
    claim["appeal_due"] = Value::Null;
    let claim: StoredDenial = serde_json::from_value(claim).unwrap();
    assert_eq!(claim.deadline(), None);
    // The rule of the plan that a person read.
    let mut claim = stored(1);
    claim["letter"] = letter();
    claim["appeal_due"] = "2026-04-05".into();
    let claim: StoredDenial = serde_json::from_value(claim).unwrap();
    let deadline = serde_json::to_value(claim.deadline()).unwrap();
    assert_eq!(deadline["source"], "32 CFR 199.10(b)");
}

#[test]
fn a_list_continues_after_its_last_claim_or_where_the_scan_stopped() {
    let two = parse(&[("limit", "2")]).unwrap();
    let full = shown(&two, found(&[5, 4, 3], 9, Value::Null));
    assert_eq!(full["denials"].as_array().unwrap().len(), 2);
    let next = full["next_cursor"].as_str().unwrap();
    let again = parse(&[("cursor", next), ("status", "closed")]).unwrap();
    assert_eq!(again.position(), PageStart::List(Some(Uuid::from_u128(4))));

    let filtered = parse(&[("limit", "2"), ("status", "closed")]).unwrap();
    let id = Uuid::from_u128(3);
    let stopped = json!({ "count": SCAN_MAX, "id": id });
    let stopped = shown(&filtered, found(&[5], 9, stopped));
    assert_eq!(stopped["next_cursor"], json!(id.simple().to_string()));
    assert_eq!(stopped["more"], true);
    let ended = json!({ "count": SCAN_MAX - 1, "id": id });
    let ended = shown(&filtered, found(&[5], 9, ended));
    assert_eq!((&ended["next_cursor"], &ended["more"]), (&Value::Null, &json!(false)));
    for page in [full, stopped, ended] {
        assert_eq!(page["changes_cursor"], json!(cursor(9)));
    }
}

#[test]
fn changes_continue_after_the_last_shown_or_scanned_one() {
    let two = parse(&[("limit", "2"), START]).unwrap();
    let full = shown(&two, found(&[3, 4, 5], 9, Value::Null));
    assert_eq!((&full["changes_cursor"], &full["more"]), (&json!(cursor(4)), &json!(true)));
    let ended = shown(&two, found(&[3, 9], 9, json!({ "count": 2, "changed": 9 })));
    assert_eq!((&ended["changes_cursor"], &ended["more"]), (&json!(cursor(9)), &json!(false)));

    let filtered = parse(&[("limit", "2"), START, ("status", "closed")]).unwrap();
    let stopped = json!({ "count": SCAN_MAX, "changed": 7 });
    let stopped = shown(&filtered, found(&[3], 9, stopped));
    assert_eq!((&stopped["changes_cursor"], &stopped["more"]), (&json!(cursor(7)), &json!(true)));
    let none = shown(&filtered, found(&[], 9, json!({ "count": 0, "changed": null })));
    assert_eq!((&none["changes_cursor"], &none["more"]), (&json!(cursor(9)), &json!(false)));
    for page in [full, ended, stopped, none] {
        assert_eq!(page["next_cursor"], Value::Null);
    }
}

#[test]
fn a_changes_cursor_reads_back_and_is_of_one_practice_and_of_this_database() {
    let ask = |changed| parse(&[("changes_after", &cursor(changed))]).unwrap();
    let ended = |head| found(&[], head, json!({ "count": 0, "changed": null }));
    assert_eq!(shown(&ask(9), ended(9))["changes_cursor"], json!(cursor(9)));
    assert!(matches!(listed(&ask(10), ended(9), NOW), Err(RequestError::Conflict(..))));
    let mut other = ended(9);
    other.practice_id = PracticeId(Uuid::from_u128(2));
    let refused = RequestError::invalid("changes_after", NOT_A_CURSOR);
    assert_eq!(listed(&ask(1), other, NOW).unwrap_err(), refused);
    let whole = cursor(1 << 40);
    for wrong in [whole.split_at(1).1, &format!("{whole}0"), "x", "Start", &whole.replace('1', "+")] {
        let refused = parse(&[("changes_after", wrong)]);
        let problem = "changes_after must be start, or a changes_cursor that this practice was given";
        assert_eq!(refused.unwrap_err(), [problem], "{wrong}");
    }
    let far = format!("{}ffffffffffffff", practice().0.simple());
    assert!(parse(&[("changes_after", &far)]).is_err());
}

#[test]
fn every_filter_is_read() {
    let report = Uuid::from_u128(5);
    let query = parse(&[
        ("status", "closed,received"),
        ("status", " in_appeal"),
        ("claim_number", "A-1 é"),
        ("payer_name", "Acme"),
        ("denied_from", "2026-01-02"),
        ("denied_to", "2026-01-03"),
        ("received_from", "1970-01-02"),
        ("received_to", "1970-01-02"),
        ("updated_since", "1970-01-01T00:00:01Z"),
        ("report_id", &report.to_string()),
        ("due_from", "2026-03-01"),
        ("due_to", "2026-03-31"),
        ("signing_status", "needed"),
        ("signing_status", "signed,not_needed"),
        ("denial_code", "co45"),
        ("limit", "100"),
    ])
    .unwrap();
    let filter = DenialsQuery {
        limit: 100,
        status: vec![ClaimStatus::Closed, ClaimStatus::InAppeal, ClaimStatus::Received],
        claim_number: Some("A-1 é".into()),
        payer_name: Some("Acme".into()),
        denied_from: Date::parse("2026-01-02"),
        denied_to: Date::parse("2026-01-03"),
        received_from: Some(Instant(86_400_000)),
        received_to: Some(Instant(2 * 86_400_000)),
        updated_since: Some(Instant(1000)),
        report_id: Some(report),
        due_from: Date::parse("2026-03-01"),
        due_to: Date::parse("2026-03-31"),
        signing_status: vec![SigningStatus::Needed, SigningStatus::NotNeeded, SigningStatus::Signed],
        denial_code: Some("CO-45".into()),
        ..DenialsQuery::default()
    };
    assert_eq!(query, filter);
    assert_eq!((query.reads(), query.scans()), (101, SCAN_MAX));
    let plain = parse(&[("status", ""), ("payer_name", " "), ("denied_to", "")]).unwrap();
    assert_eq!((Ok(plain.clone()), plain.scans()), (parse(&[]), 26));
    let last = parse(&[("received_to", "9999-12-31")]).unwrap();
    assert_eq!(last.received_to, None);
}

#[test]
fn an_invalid_filter_is_named_and_its_value_not_repeated() {
    let refused = parse(&[
        ("payer", "secret"),
        ("status", "secret,received,received"),
        ("limit", "0"),
        ("cursor", "secret"),
        START,
        ("payer_name", &"x".repeat(201)),
        ("denied_from", "secret"),
        ("denied_to", "2026-02-30"),
        ("due_from", "secret"),
        ("due_to", "2026-2-1"),
        ("denial_code", "secret"),
        ("signing_status", "secret"),
        ("order", "secret"),
        ("received_from", "2026-01-01T00:00:00Z"),
        ("received_to", "secret"),
        ("updated_since", "2026-01-01"),
        ("report_id", "secret"),
        ("report_id", "secret"),
    ]);
    assert_eq!(
        refused.unwrap_err(),
        [
            "payer is not a known parameter; known are limit, order, cursor, changes_after, claim_number, payer_name, denied_from, denied_to, due_from, due_to, denial_code, received_from, received_to, updated_since, report_id, status, signing_status",
            "report_id must be given only once",
            "status must be out of received, reviewing, in_report, in_appeal, recovered, closed",
            "status must name each status only once",
            "signing_status must be out of not_decided, not_needed, needed, signed",
            "limit must be a whole number from 1 to 100",
            "order must be newest or deadline",
            "cursor must be one that a page gave",
            "payer_name must be at most 200 characters",
            "denied_from must be a date (YYYY-MM-DD)",
            "denied_to must be a date (YYYY-MM-DD)",
            "due_from must be a date (YYYY-MM-DD)",
            "due_to must be a date (YYYY-MM-DD)",
            "denial_code must be an adjustment or remark code",
            "received_from must be a date (YYYY-MM-DD)",
            "received_to must be a date (YYYY-MM-DD)",
            "updated_since must be a time (RFC 3339, such as 2026-03-04T12:00:00Z)",
            "report_id must be an id",
            "cursor must not be given beside changes_after",
        ]
    );
}

#[test]
fn an_unknown_parameter_is_named_where_it_looks_like_a_name_and_else_by_its_position() {
    let known = "known are limit, order, cursor, changes_after, claim_number, payer_name, denied_from, denied_to, due_from, due_to, denial_code, received_from, received_to, updated_since, report_id, status, signing_status";
    let long = "x".repeat(41);
    for (names, expected) in [
        (&["page", "page-size", "page", "limit"][..], &["page is", "page-size is"][..]),
        (&["limit", "1984-06-02"], &["query has an unknown parameter at position 2"]),
        (&["Dana Whitfield"], &["query has an unknown parameter at position 1"]),
        (
            &["zoë", "", &long],
            &[
                "query has an unknown parameter at position 1",
                "query has an unknown parameter at position 2",
                "query has an unknown parameter at position 3",
            ],
        ),
    ] {
        let query: Vec<_> = names.iter().map(|name| (*name, "5")).collect();
        let expected: Vec<String> = expected
            .iter()
            .map(|text| match text.strip_suffix(" is") {
                Some(name) => format!("{name} is not a known parameter; {known}"),
                None => format!("{text}; {known}"),
            })
            .collect();
        assert_eq!(parse(&query).unwrap_err(), expected, "{names:?}");
    }
    let many: Vec<String> = (0..1_000).map(|n| format!("a{n}")).collect();
    let many: Vec<_> = many.iter().map(|name| (&**name, "1")).collect();
    let refused = parse(&many).unwrap_err();
    assert_eq!((refused.len(), &*refused[5]), (6, "query has more unknown parameters"));
}

#[test]
fn a_history_says_what_changed_and_by_whom_but_not_which_person_it_was() {
    let id = Uuid::from_u128(9);
    let event = |version: i64, actor: &str, of_practice: bool, detail: Value| {
        json!({ "version": version, "at": version, "kind": "moved", "status": "reviewing", "actor": actor,
            "of_practice": of_practice, "detail": detail })
    };
    let figures = |cents: i64| json!({ "payer_claim_number": "P", "billed_cents": cents, "denied_cents": null });
    let corrected = json!({ "before": figures(100), "after": figures(250) });
    let facts = json!({ "denial_date": null, "plan_type": "tricare", "appeal_due": null, "counts": "earliest" });
    let events = [
        event(1, &format!("api_key:{id}"), false, Value::Null),
        event(2, &format!("api_key:{id}"), false, corrected),
        event(3, &format!("user:{id}"), false, json!({ "taken_by": id, "note": "secret" })),
        event(4, &format!("user:{id}"), true, Value::Null),
        event(5, &format!("api_token:{id}"), false, Value::Null),
        event(6, "operator", false, Value::Null),
        event(7, &format!("signing_link:{id}"), false, json!({ "signing": "signed" })),
        event(8, "service", false, json!({ "filled_in": ["denial_date"], "appeal_due": "2026-01-05" })),
        event(9, &format!("user:{id}"), false, json!({ "letter": facts })),
    ];
    let read = json!({ "appeal_button": false, "version": 9, "claim": stored(1), "history": events });
    let view = shown_one(read, Role::Member);
    assert_eq!(view["claim_number"], "A");
    let by: Vec<&Value> = view["history"].as_array().unwrap().iter().map(|e| &e["by"]).collect();
    assert_eq!(
        by,
        ["billing_system", "billing_system", "staff", "practice", "practice", "staff", "patient", "staff", "staff"]
    );
    let shown = |amount: &str| json!({ "payer_claim_number": "P", "billed_amount": amount, "denied_amount": null });
    let second = json!({ "version": 2, "at": "1970-01-01T00:00:00.002Z", "kind": "moved", "status": "reviewing",
        "signing": null, "by": "billing_system", "before": shown("1.00"), "after": shown("2.50"), "filled_in": null, "letter": null });
    assert_eq!(view["history"][1], second);
    assert_eq!(view["history"][6]["signing"], "signed");
    assert_eq!(view["history"][7]["filled_in"], json!(["denial_date"]));
    assert_eq!(view["history"][8]["letter"], facts);
    let history = view["history"].to_string();
    assert!(!history.contains(&id.to_string()) && !history.contains("secret"));
    assert_eq!(
        one(None, (&reader(Role::Member), NOW)).map(drop).unwrap_err(),
        RequestError::NotFound("no such denial")
    );
}

#[test]
fn the_order_by_deadline_has_its_own_cursor_and_open_claims_only() {
    let id = ClaimId(Uuid::from_u128(7));
    for (text, due) in [("2026-07-04", Date::parse("2026-07-04")), ("none", None)] {
        let cursor = format!("{text}_{}", id.0.simple());
        let query = parse(&[("order", "deadline"), ("cursor", &cursor)]).unwrap();
        let place = DuePlace { due, id: id.0 };
        assert_eq!(query.position(), PageStart::Due(Some(place)));
        assert_eq!(place.to_string(), cursor);
        let key = format!("{}_{}", place.due_key(), id.0);
        assert_eq!(DuePlace::of_key(&key), Some(place));
    }
    let first = parse(&[("order", "deadline"), ("status", "received,in_appeal")]).unwrap();
    assert_eq!(first.position(), PageStart::Due(None));
    assert_eq!(parse(&[("order", "newest")]), parse(&[]));
    let refused = |more: &[(&str, &str)]| {
        let query = [&[("order", "deadline")], more].concat();
        parse(&query).unwrap_err()
    };
    let plain = id.0.simple().to_string();
    let not_a_cursor = ["cursor must be one that a page gave"];
    for wrong in [&*plain, &format!("2026-02-30_{plain}"), &format!("~_{plain}"), "none_x", "none"] {
        assert_eq!(refused(&[("cursor", wrong)]), not_a_cursor, "{wrong}");
    }
    let by_deadline = format!("none_{plain}");
    assert_eq!(parse(&[("cursor", &by_deadline)]).unwrap_err(), not_a_cursor);
    for closed in ["recovered", "closed", "received,closed"] {
        let problem = ["status must not be recovered or closed with order=deadline"];
        assert_eq!(refused(&[("status", closed)]), problem);
    }
    assert_eq!(refused(&[START]), ["order must not be given beside changes_after"]);
}

#[test]
fn a_page_by_deadline_ends_with_the_place_of_its_last_claim() {
    let query = parse(&[("order", "deadline"), ("limit", "2")]).unwrap();
    let page = shown(&query, found(&[3, 1, 2], 9, Value::Null));
    let last = Uuid::from_u128(1).simple();
    assert_eq!(page["next_cursor"], format!("2026-07-04_{last}"));
    assert_eq!(page["changes_cursor"], json!(cursor(9)));
    let query = parse(&[("order", "deadline"), ("payer_name", "x")]).unwrap();
    let place = format!("~_{}", Uuid::from_u128(5));
    let scanned = json!({ "count": SCAN_MAX, "place": place });
    let page = shown(&query, found(&[], 9, scanned));
    let expected = format!("none_{}", Uuid::from_u128(5).simple());
    assert_eq!(page["next_cursor"], expected);
    let page = shown(&query, found(&[4], 9, json!({ "count": 9, "place": place })));
    assert_eq!(page["next_cursor"], Value::Null);
}

#[test]
fn a_page_that_did_not_fit_goes_on_after_its_last_claim() {
    let mut cut = found(&[9, 8], 9, Value::Null);
    cut.cut = true;
    let page = shown(&parse(&[]).unwrap(), cut);
    assert_eq!(page["denials"].as_array().unwrap().len(), 2);
    assert_eq!(page["next_cursor"], Uuid::from_u128(8).simple().to_string());
}

#[test]
fn a_page_as_csv_has_every_field_and_no_changes() {
    let page = || {
        let mut found = found(&[7], 9, json!({ "count": 1 }));
        let mut letter = letter();
        letter["plan_type"] = Value::Null;
        found.claims[0].letter = serde_json::from_value(letter).unwrap();
        listed(&parse(&[]).unwrap(), found, NOW).unwrap()
    };
    let text = page().csv();
    let (header, row) = text.split_once("\r\n").unwrap();
    assert!(row.contains(",123.45,") && row.contains(",2026-07-04,rule,29 CFR 2560.503-1(h)(3)(i),"));
    let mut fields = vec![];
    let shown = serde_json::to_value(page()).unwrap();
    for (name, value) in shown["denials"][0].as_object().unwrap() {
        match value.as_object() {
            Some(inner) => fields.extend(inner.keys().map(|key| format!("{name}.{key}"))),
            None => fields.push(name.clone()),
        }
    }
    fields.sort_unstable();
    let mut columns: Vec<&str> = header.split(',').collect();
    columns.sort_unstable();
    assert_eq!(columns, fields);
    let cow = |text: &'static str| Cow::Borrowed(text);
    let csv = |query: &[(&'static str, &'static str)]| {
        let query = query.iter().map(|(name, value)| (cow(name), cow(value)));
        DenialsQuery::parse_for(query, ListForm::Csv).map_err(|problems| texts(&problems))
    };
    assert_eq!(csv(&[]).unwrap().limit, 1_000);
    assert_eq!(csv(&[START]).unwrap_err(), ["changes_after must not be given for text/csv"]);
}

#[test]
fn people_of_the_practice_may_record_a_letter_while_the_claim_is_open() {
    for status in ClaimStatus::ALL {
        for (role, may) in [(Role::Owner, true), (Role::Member, true), (Role::Staff, false)] {
            let mut claim = stored(1);
            claim["status"] = status.name().into();
            claim["letter"] = letter();
            let read = json!({ "appeal_button": true, "version": 1, "claim": claim, "history": [] });
            let view = shown_one(read, role);
            let open = ClaimStatus::OPEN.contains(&status);
            let expected: &[&str] = if may && open { &["set_letter"] } else { &[] };
            assert_eq!(view["may"], json!(expected), "{status:?} {role:?}");
            let by_rule =
                json!({ "date": "2026-04-05", "plan_type": "tricare", "days": 90, "source": "32 CFR 199.10(b)" });
            assert_eq!(view["deadline_by_rule"], by_rule);
            assert_eq!(view["letter"]["read_at"], "1970-01-01T00:00:00.003Z");
        }
    }
}

#[test]
fn a_claim_says_until_when_the_patient_can_sign() {
    let link = |expires_at: i64, tries: i64| json!({ "created_at": 0, "expires_at": expires_at, "tries": tries });
    let until = json!("1970-01-01T00:00:01.001Z");
    for (status, signing, link, expected) in [
        ("in_report", "needed", link(1_001, 4), until),
        ("in_report", "needed", link(1_000, 0), Value::Null),
        ("in_report", "needed", link(1_001, 5), Value::Null),
        ("in_report", "needed", Value::Null, Value::Null),
        ("closed", "needed", link(1_001, 0), Value::Null),
    ] {
        let mut claim = stored(1);
        claim["status"] = status.into();
        claim["signing_status"] = signing.into();
        claim["link"] = link.clone();
        let read = json!({ "appeal_button": true, "version": 1, "claim": claim, "history": [] });
        let view = shown_one(read, Role::Member);
        assert_eq!(view["signing"]["link_expires_at"], expected, "{status} {link}");
    }
}
