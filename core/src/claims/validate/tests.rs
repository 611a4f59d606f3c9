mod privacy;
mod properties;
mod request;
mod whole;

use crate::base::ctx::Ctx;
use crate::base::instant::Instant;
use crate::base::money::Cents;
use crate::claims::intake;
use crate::claims::{Item, PlanType};
use crate::request::problem::texts;
use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value, json};

/// Noon of 2026-03-04.
const NOW: Instant = Instant(1_772_625_600_000);
const TODAY: &str = "2026-03-04";
const TOMORROW: &str = "2026-03-05";

fn ctx_at(now: Instant) -> Ctx {
    Ctx::new(now, [9; 32])
}

/// A valid single item in which every field is given.
fn full() -> Value {
    json!({
        "patient": {
            "first_name": "Jane", "last_name": "Doe", "date_of_birth": "1980-02-29",
            "account_number": "ACC-1", "member_id": "W123",
        },
        "claim": {
            "claim_number": "A-1", "payer_claim_number": "P-1", "payer_name": "Acme Health",
            "date_of_service": "2026-01-02", "denial_date": "2026-02-03", "plan_type": "erisa",
            "procedure_code": "99213-25", "billed_amount": "200.00", "denied_amount": "123.45",
            "denial_codes": ["CO-45", "N130"], "denial_reason": "not covered",
            "diagnosis_codes": ["J10.1", "E11.9"],
        },
    })
}

/// Sets `object.field` of an item, or removes it.
fn set(item: &mut Value, path: &str, value: Option<Value>) {
    let (object, field) = path.split_once('.').unwrap();
    let object: &mut Map<String, Value> = item[object].as_object_mut().unwrap();
    match value {
        Some(value) => object.insert(field.to_owned(), value),
        None => object.remove(field),
    };
}

/// The full item with one field set or removed.
fn with(path: &str, value: Option<Value>) -> Value {
    let mut item = full();
    set(&mut item, path, value);
    item
}

fn problems(body: &Value) -> Vec<String> {
    let body = body.to_string();
    let parsed = intake::parse(body.as_bytes(), &ctx_at(NOW));
    texts(&parsed.err().unwrap_or_default())
}

/// The first item after parsing.
fn read(body: &Value) -> Item<'static> {
    let body = body.to_string().leak();
    let send = intake::parse(body.as_bytes(), &ctx_at(NOW)).unwrap_or_else(|p| panic!("{p:?}"));
    send.items.into_iter().next().unwrap()
}

#[test]
fn every_field_is_read_as_it_was_sent() {
    let Item { patient, claim } = read(&full());
    assert_eq!(patient.first_name, "Jane");
    assert_eq!(patient.last_name, "Doe");
    assert_eq!(patient.date_of_birth.to_string(), "1980-02-29");
    assert_eq!(patient.account_number.as_deref(), Some("ACC-1"));
    assert_eq!(patient.member_id.as_deref(), Some("W123"));
    assert_eq!(claim.claim_number, "A-1");
    assert_eq!(claim.payer_claim_number, "P-1");
    assert_eq!(claim.payer_name, "Acme Health");
    assert_eq!(claim.date_of_service.to_string(), "2026-01-02");
    assert_eq!(claim.denial_date.map(|day| day.to_string()).as_deref(), Some("2026-02-03"));
    assert_eq!(claim.plan_type, Some(PlanType::Erisa));
    assert_eq!(claim.procedure_code.as_deref(), Some("99213-25"));
    assert_eq!(claim.billed_amount, Cents::new(20_000));
    assert_eq!(claim.denied_amount, Cents::new(12_345));
    assert_eq!(claim.denial_codes, ["CO-45", "N130"]);
    assert_eq!(claim.denial_reason.as_deref(), Some("not covered"));
    assert_eq!(claim.diagnosis_codes, ["J10.1", "E11.9"]);
}

/// Every text field: its name, its maximum length, and whether it is required.
const TEXTS: [(&str, usize, bool); 9] = [
    ("patient.first_name", 200, true),
    ("patient.last_name", 200, true),
    ("patient.account_number", 200, false),
    ("patient.member_id", 200, false),
    ("claim.claim_number", 128, true),
    ("claim.payer_claim_number", 128, true),
    ("claim.payer_name", 200, true),
    ("claim.procedure_code", 200, false),
    ("claim.denial_reason", 2000, false),
];

/// Every way to leave a field out.
fn absences() -> [Option<Value>; 5] {
    [None, Some(Value::Null), Some(json!("")), Some(json!(" \t\n")), Some(json!("\u{a0}\u{3000}"))]
}

/// A value of every type that is not text.
fn not_texts() -> [Value; 8] {
    [json!(true), json!(0), json!(-7), json!(1.5), json!(u64::MAX), json!([]), json!(["text"]), json!({"text": "text"})]
}

#[test]
fn a_text_that_is_required_is_there_and_null_and_blank_are_not_there() {
    for (field, _, required) in TEXTS {
        for absence in absences() {
            let found = problems(&with(field, absence));
            if required {
                assert_eq!(found, [format!("{field} is required")]);
            } else {
                assert_eq!(found, [""; 0], "{field}");
            }
        }
    }
    let bare = read(&with("patient.member_id", Some(json!(" "))));
    assert_eq!(bare.patient.member_id, None);
}

#[test]
fn a_text_is_text() {
    for (field, ..) in TEXTS {
        for value in not_texts() {
            let expected = [format!("{field} must be text")];
            assert_eq!(problems(&with(field, Some(value))), expected);
        }
    }
}

#[test]
fn a_text_may_be_as_long_as_its_limit_in_characters_and_no_longer() {
    for (field, max, _) in TEXTS {
        // One, two, three and four bytes in UTF-8, and two units in UTF-16.
        for c in ["x", "é", "漢", "𝒜"] {
            let fits = with(field, Some(json!(c.repeat(max))));
            assert_eq!(problems(&fits), [""; 0], "{field}");
            let over = with(field, Some(json!(c.repeat(max + 1))));
            let expected = [format!("{field} must be at most {max} characters")];
            assert_eq!(problems(&over), expected);
        }
    }
    let body = full().to_string().replace("A-1", &"\\ud835\\udc9c".repeat(128));
    assert!(intake::parse(body.as_bytes(), &ctx_at(NOW)).is_ok());
}

#[test]
fn claim_numbers_are_printable() {
    for field in ["claim.claim_number", "claim.payer_claim_number"] {
        for good in ["A 1", " A-1 ", "É/漢#1", "A\u{a0}1", "👩", "'; --", "0"] {
            assert_eq!(problems(&with(field, Some(json!(good)))), [""; 0], "{good:?}");
        }
        for bad in [
            "A\0",
            "\0",
            "A\n1",
            "A\t1",
            "A\u{7f}",
            "A\u{85}",
            "A\u{ad}1",
            "A\u{34f}1",
            "A\u{200b}1",
            "A\u{202e}1",
            "A\u{2060}1",
            "A\u{3164}1",
            "\u{feff}A",
            "A\u{fe0f}",
            "A\u{1d173}",
            "A\u{e0041}",
        ] {
            let expected = [format!("{field} must have printable characters only")];
            assert_eq!(problems(&with(field, Some(json!(bad)))), expected, "{bad:?}");
        }
        let both = with(field, Some(json!("\u{1}".repeat(129))));
        assert_eq!(
            problems(&both),
            [format!("{field} must be at most 128 characters"), format!("{field} must have printable characters only"),]
        );
    }
    let kept = read(&with("claim.claim_number", Some(json!(" A-1 "))));
    assert_eq!(kept.claim.claim_number, " A-1 ", "exactly as sent");
}

const NAMES: [&str; 3] = ["patient.first_name", "patient.last_name", "claim.payer_name"];

#[test]
fn a_name_has_a_visible_character_and_none_that_cuts_or_reorders_text() {
    for field in NAMES {
        for good in [
            "O'Brien",
            "D\u{2019}Arcy-Smith",
            "Zoe\u{308}",
            "Nguy\u{1ec5}n",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{915}\u{94d}\u{200d}\u{937}",
            "\u{200f}\u{5d3}\u{5d5}\u{5d3}\u{200e}",
            " Jane\u{a0}Ann ",
            "O\u{92}Brien",
            "\tJane",
            "Ja\r\nne",
        ] {
            assert_eq!(problems(&with(field, Some(json!(good)))), [""; 0], "{good:?}");
        }
        for unseen in ["\0", "\u{feff}\u{200b}", " \u{200d}\t", "\u{2060}", "\u{3164}", "\u{202e}"] {
            let expected = [format!("{field} is required")];
            assert_eq!(problems(&with(field, Some(json!(unseen)))), expected, "{unseen:?}");
        }
        let refused = format!("{field} must have no control characters and none that change the direction of text");
        for bad in
            ["Jane\0", "Ja\u{b}ne", "Jane\u{1f}", "Jane\u{7f}", "\u{202a}Jane", "\u{202e}Jane", "J\u{2066}\u{2069}"]
        {
            assert_eq!(problems(&with(field, Some(json!(bad)))), [&*refused], "{bad:?}");
        }
        let both = with(field, Some(json!("J\u{1}".repeat(101))));
        assert_eq!(problems(&both), [format!("{field} must be at most 200 characters"), refused]);
    }
}

/// Every date and whether it is required.
const DATES: [(&str, bool); 3] =
    [("patient.date_of_birth", true), ("claim.date_of_service", true), ("claim.denial_date", false)];

#[test]
fn a_date_is_there_if_required_is_a_day_that_exists_and_is_not_in_the_future() {
    for (field, required) in DATES {
        for absence in absences() {
            let found = problems(&with(field, absence));
            if required {
                assert_eq!(found, [format!("{field} is required (YYYY-MM-DD)")]);
            } else {
                assert_eq!(found, [""; 0], "{field}");
            }
        }
        let bad = [
            "2026-02-30",
            "2025-02-29",
            "2026-13-01",
            "2026-1-2",
            "20260102",
            "01/02/2026",
            "2026-01-02 ",
            "2026-01-02T00:00:00Z",
            "today",
        ];
        for value in bad.into_iter().map(Value::from).chain(not_texts()) {
            let expected = [format!("{field} must be a date (YYYY-MM-DD)")];
            assert_eq!(problems(&with(field, Some(value.clone()))), expected, "{value}");
        }
        for good in [TODAY, "1900-01-01", "2024-02-29"] {
            assert_eq!(problems(&with(field, Some(json!(good)))), [""; 0], "{good}");
        }
        for future in [TOMORROW, "2027-01-01", "9999-12-31"] {
            let expected = [format!("{field} must not be in the future")];
            assert_eq!(problems(&with(field, Some(json!(future)))), expected);
        }
    }
}

#[test]
fn today_is_the_utc_date_from_its_first_millisecond_to_its_last() {
    let midnight = NOW.plus(-12 * 3_600_000);
    for (at, latest) in [
        (midnight.plus(-1), "2026-03-03"),
        (midnight, TODAY),
        (NOW, TODAY),
        (midnight.plus(86_400_000 - 1), TODAY),
        (midnight.plus(86_400_000), TOMORROW),
    ] {
        let accepted = ["2026-03-03", TODAY, TOMORROW, "2026-03-06"].map(|day| {
            let body = with("claim.date_of_service", Some(json!(day))).to_string();
            intake::parse(body.as_bytes(), &ctx_at(at)).is_ok()
        });
        let expected = ["2026-03-03", TODAY, TOMORROW, "2026-03-06"].map(|day| day <= latest);
        assert_eq!(accepted, expected, "{latest}");
    }
}

#[test]
fn an_amount_is_positive_text_with_two_decimals_and_one_of_the_two_is_there() {
    const FORM: &str = "must be a positive amount as text with two decimals";
    let wrong = |field: &str| format!("claim.{field} {FORM}");
    for field in ["billed_amount", "denied_amount"] {
        let path = format!("claim.{field}");
        for absence in absences() {
            assert_eq!(problems(&with(&path, absence)), [""; 0], "{field}");
        }
        let bad = [
            "0.00",
            "-1.00",
            "1",
            "1.0",
            "1.000",
            "1,00",
            "1,000.00",
            "$1.00",
            " 1.00",
            "1.00 ",
            "1e2",
            "ten",
            "99999999999999999999.00",
        ];
        for value in bad.into_iter().map(Value::from).chain(not_texts()) {
            let found = problems(&with(&path, Some(value.clone())));
            assert_eq!(found, [wrong(field)], "{value}");
        }
        assert_eq!(problems(&with(&path, Some(json!("0.01")))), [""; 0]);
    }

    const NEITHER: &str = "claim.billed_amount or claim.denied_amount is required";
    let (billed, denied) = (wrong("billed_amount"), wrong("denied_amount"));
    let rows: [(Value, Value, &[&str]); 8] = [
        (json!("1.00"), json!(null), &[]),
        (json!(null), json!("1.00"), &[]),
        (json!(null), json!(null), &[NEITHER]),
        (json!(""), json!(" "), &[NEITHER]),
        (json!("0.00"), json!(null), &[&billed]),
        (json!(null), json!(5), &[&denied]),
        (json!("1.00"), json!("0.00"), &[&denied]),
        (json!("x"), json!("y"), &[&billed, &denied]),
    ];
    for (billed, denied, expected) in rows {
        let mut body = with("claim.billed_amount", Some(billed));
        set(&mut body, "claim.denied_amount", Some(denied));
        assert_eq!(problems(&body), expected);
    }
}

#[test]
fn a_plan_type_is_one_of_the_list_or_left_out() {
    const LIST: &str = "claim.plan_type must be one of commercial, erisa, aca_individual, medicare, \
        medicare_advantage, medi_cal_managed, medi_cal_ffs, tricare, workers_comp, other";
    for (name, plan) in [
        ("commercial", PlanType::Commercial),
        ("erisa", PlanType::Erisa),
        ("aca_individual", PlanType::AcaIndividual),
        ("medicare", PlanType::Medicare),
        ("medicare_advantage", PlanType::MedicareAdvantage),
        ("medi_cal_managed", PlanType::MediCalManaged),
        ("medi_cal_ffs", PlanType::MediCalFfs),
        ("tricare", PlanType::Tricare),
        ("workers_comp", PlanType::WorkersComp),
        ("other", PlanType::Other),
    ] {
        let item = read(&with("claim.plan_type", Some(json!(name))));
        assert_eq!(item.claim.plan_type, Some(plan));
    }
    for bad in ["hmo", "Medicare", "medicare ", "medicare advantage", "unknown"] {
        assert_eq!(problems(&with("claim.plan_type", Some(json!(bad)))), [LIST]);
    }
    for absence in absences() {
        assert_eq!(read(&with("claim.plan_type", absence)).claim.plan_type, None);
    }
    for value in not_texts() {
        let expected = ["claim.plan_type must be text"];
        assert_eq!(problems(&with("claim.plan_type", Some(value))), expected);
    }
}

#[test]
fn denial_codes_are_an_array_or_a_text_with_commas_and_blank_ones_do_not_count() {
    let many = |n: usize| -> Vec<String> { (1..=n).map(|n| format!("N{n}")).collect() };
    let rows: [(Value, &[&str]); 9] = [
        (json!(["CO-45", "N130"]), &["CO-45", "N130"]),
        (json!("CO-45"), &["CO-45"]),
        (json!("CO-45,N130"), &["CO-45", "N130"]),
        (json!(" CO-45 , ,N130,, "), &["CO-45", "N130"]),
        (json!("CO-45,\"quoted\""), &["CO-45", "\"quoted\""]),
        (json!(["CO-45", "", " \t", "N130"]), &["CO-45", "N130"]),
        (json!(["CO-45", "CO-45"]), &["CO-45", "CO-45"]),
        (json!([" co45 "]), &[" co45 "]),
        (json!(["CO-45,N130"]), &["CO-45,N130"]),
    ];
    for (value, codes) in rows {
        let item = read(&with("claim.denial_codes", Some(value)));
        assert_eq!(item.claim.denial_codes, codes);
    }
    for twenty in [json!(many(20)), json!(many(20).join(",")), json!(many(20).join(",,") + ",")] {
        let item = read(&with("claim.denial_codes", Some(twenty)));
        assert_eq!(item.claim.denial_codes, many(20));
    }

    const KIND: &str = "claim.denial_codes must be an array of text";
    const MOST: &str = "claim.denial_codes must have at most 20 items";
    const LONG: &str = "claim.denial_codes must have items of at most 200 characters";
    let with_last = |n: usize, last: Value| {
        let mut codes: Vec<Value> = many(n).into_iter().map(Value::from).collect();
        codes.push(last);
        Value::from(codes)
    };
    let long = "é".repeat(201);
    let blanks = [&[""; 150][..], &["CO-45"], &[" "; 30]].concat();
    let rows: [(Value, &[&str]); 19] = [
        (json!(blanks), &[]),
        (json!(blanks.join(",")), &[]),
        (json!(true), &[KIND]),
        (json!(45), &[KIND]),
        (json!({"CO": 45}), &[KIND]),
        (json!([45]), &[KIND]),
        (json!([null]), &[KIND]),
        (json!([["CO-45"]]), &[KIND]),
        (json!(["CO-45", {}, 5, "N130"]), &[KIND]),
        (json!(many(21)), &[MOST]),
        (json!(many(21).join(",")), &[MOST]),
        (json!(many(150)), &[MOST]),
        (json!(many(150).join(",")), &[MOST]),
        (with_last(20, json!(5)), &[MOST, KIND]),
        (with_last(20, json!(long)), &[MOST, LONG]),
        (json!(["é".repeat(200)]), &[]),
        (json!([long]), &[LONG]),
        (json!(long), &[LONG]),
        (json!([long, 5]), &[KIND, LONG]),
    ];
    for (value, expected) in rows {
        let found = problems(&with("claim.denial_codes", Some(value.clone())));
        assert_eq!(found, expected, "{value}");
    }
}

#[test]
fn there_are_denial_codes_or_a_denial_reason() {
    const NEITHER: &str = "claim.denial_codes or claim.denial_reason is required";
    const CODES: &str = "claim.denial_codes must be an array of text";
    const REASON: &str = "claim.denial_reason must be text";
    let rows: [(Value, Value, &[&str]); 17] = [
        (json!(["CO-45"]), json!("why"), &[]),
        (json!(["CO-45"]), json!(null), &[]),
        (json!("CO-45"), json!(" "), &[]),
        (json!(null), json!("why"), &[]),
        (json!([]), json!("why"), &[]),
        (json!(""), json!("why"), &[]),
        (json!(null), json!(null), &[NEITHER]),
        (json!([]), json!(""), &[NEITHER]),
        (json!(["", " "]), json!(null), &[NEITHER]),
        (json!(""), json!(null), &[NEITHER]),
        (json!(" , ,"), json!(null), &[NEITHER]),
        // An invalid value is not reported as missing.
        (json!(5), json!(null), &[CODES]),
        (json!([null]), json!(null), &[CODES]),
        (json!(["", 5]), json!(null), &[CODES]),
        (json!(null), json!(5), &[REASON]),
        (json!([5]), json!([]), &[CODES, REASON]),
        (json!(5), json!("why"), &[CODES]),
    ];
    for (codes, reason, expected) in rows {
        let mut body = with("claim.denial_codes", Some(codes));
        set(&mut body, "claim.denial_reason", Some(reason));
        assert_eq!(problems(&body), expected, "{body}");
    }
}

#[test]
fn diagnosis_codes_are_an_array_of_text() {
    const KIND: &str = "claim.diagnosis_codes must be an array of text";
    const MOST: &str = "claim.diagnosis_codes must have at most 100 items";
    let rows: [(Option<Value>, &[&str]); 13] = [
        (None, &[]),
        (Some(json!(null)), &[]),
        (Some(json!("")), &[]),
        (Some(json!([])), &[]),
        (Some(json!(["", " "])), &[]),
        (Some(Value::from(["J10.1"; 100].to_vec())), &[]),
        (Some(Value::from(["J10.1"; 101].to_vec())), &[MOST]),
        (Some(Value::from(["J10.1"; 5000].to_vec())), &[MOST]),
        (Some(json!("J10.1,E11.9")), &[KIND]),
        (Some(json!(7)), &[KIND]),
        (Some(json!({})), &[KIND]),
        (Some(json!([7])), &[KIND]),
        (Some(json!(["x".repeat(201)])), &["claim.diagnosis_codes must have items of at most 200 characters"]),
    ];
    for (value, expected) in rows {
        assert_eq!(problems(&with("claim.diagnosis_codes", value)), expected);
    }
    let item = read(&with("claim.diagnosis_codes", Some(json!(["", "J10.1"]))));
    assert_eq!(item.claim.diagnosis_codes, ["J10.1"]);
}
