use super::request::{Style, item, style};
use super::{DATES, NAMES, NOW, TEXTS, TOMORROW, ctx_at};
use crate::base::text::is_visible;
use crate::claims::Item;
use crate::claims::intake;
use crate::request::problem::texts;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use proptest::prelude::*;

/// Every way to break one field of a valid item so that only this field has a problem: its name, and its JSON or `None`
/// to leave it out.
fn corruptions() -> Vec<(&'static str, Option<String>)> {
    let mut all = Vec::new();
    let mut add = |field: &'static str, values: &[&str]| {
        all.extend(values.iter().map(|json| (field, Some(String::from(*json)))));
    };
    let not_text = ["false", "7", "-1.5e3", "[]", "{}", "[\"x\"]", "{\"x\":\"x\"}"];
    let absent = ["null", "\"\"", "\" \\n\""];
    for (field, max, required) in TEXTS {
        add(field, &not_text);
        add(field, &[&format!("\"{}\"", "ü".repeat(max + 1))]);
        if required {
            add(field, &absent);
        }
    }
    for field in ["claim.claim_number", "claim.payer_claim_number"] {
        add(field, &["\"A\\u0000\"", "\"A\\r\\n\"", "\"A\\u200b\""]);
    }
    for field in NAMES {
        add(field, &["\"\\u0000\"", "\"A\\u0000\"", "\"A\\u202e\""]);
    }
    for (field, required) in DATES {
        add(field, &not_text);
        add(field, &["\"2026-02-30\"", "\"2026-1-2\"", "\"x\"", &format!("\"{TOMORROW}\"")]);
        if required {
            add(field, &absent);
        }
    }
    for field in ["claim.billed_amount", "claim.denied_amount"] {
        add(field, &not_text);
        add(field, &["\"0.00\"", "\"-1.00\"", "\"1\"", "\"1.5\"", "\"1,00\"", "\"x\""]);
    }
    add("claim.plan_type", &not_text);
    add("claim.plan_type", &["\"Medicare\"", "\"hmo\""]);
    let items = |n| format!("[{}\"x\"]", "\"x\",".repeat(n));
    let long = format!("[\"{}\"]", "x".repeat(201));
    let text = format!("\"{}\"", "x,".repeat(21));
    for (field, most) in [("claim.denial_codes", 20), ("claim.diagnosis_codes", 100)] {
        add(field, &["false", "7", "{}", "[7]", "[null]", "[[]]", "[\"x\",{}]"]);
        add(field, &[&items(most), &long, &text]);
    }
    let required = TEXTS.iter().filter(|text| text.2).map(|text| text.0);
    let required = required.chain(DATES.iter().filter(|date| date.1).map(|date| date.0));
    all.extend(required.map(|field| (field, None)));
    all
}

/// Checks that every accepted request is within the limits, whatever its bytes.
fn check_limits(items: &[Item<'_>]) {
    assert!((1..=100).contains(&items.len()));
    for Item { patient, claim } in items {
        let today = ctx_at(NOW).today();
        assert!(patient.date_of_birth <= today && claim.date_of_service <= today);
        assert!(claim.denial_date.is_none_or(|date| date <= today));
        assert!(claim.billed_amount.is_some() || claim.denied_amount.is_some());
        assert!(!claim.denial_codes.is_empty() || claim.denial_reason.is_some());
        assert!(claim.denial_codes.len() <= 20);
        for (text, max) in [
            (&patient.first_name, 200),
            (&patient.last_name, 200),
            (&claim.claim_number, 128),
            (&claim.payer_claim_number, 128),
            (&claim.payer_name, 200),
        ] {
            assert!(text.chars().any(is_visible) && text.chars().count() <= max);
        }
    }
}

/// One change of a byte string.
#[derive(Clone, Debug)]
enum Edit {
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Cut(prop::sample::Index),
    Remove(prop::sample::Index),
    Repeat(prop::sample::Index, prop::sample::Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<prop::sample::Index>;
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..4),
        "[\\[\\]{}\":,\\\\0-9eE+.-]{1,3}|null|true|\\\\ud800".prop_map(String::into_bytes),
    ];
    prop_oneof![
        3 => (at(), 1_u8..).prop_map(|(at, mask)| Edit::Flip(at, mask)),
        3 => (at(), piece).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        1 => at().prop_map(Edit::Cut),
        2 => at().prop_map(Edit::Remove),
        1 => (at(), at()).prop_map(|(from, to)| Edit::Repeat(from, to)),
    ]
}

fn apply(edit: &Edit, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let len = bytes.len();
    match edit {
        Edit::Flip(at, mask) => bytes[at.index(len)] ^= mask,
        Edit::Insert(at, piece) => {
            let at = at.index(len);
            bytes.splice(at..at, piece.iter().copied());
        }
        Edit::Cut(at) => bytes.truncate(at.index(len)),
        Edit::Remove(at) => {
            bytes.remove(at.index(len));
        }
        Edit::Repeat(from, to) => {
            let (from, to) = (from.index(len), to.index(len));
            bytes.extend_from_within(from.min(to)..from.max(to));
        }
    }
}

fn batch(style: Style, items: &[Item<'_>]) -> String {
    let items: Vec<String> = items.iter().map(|item| style.write(item, None)).collect();
    format!("{{\"claims\":[{}]}}", items.join(","))
}

proptest! {
    #![proptest_config(crate::testing::config())]

    #[test]
    fn a_valid_item_is_accepted_however_it_is_written_and_read_as_it_was_meant(
        item in item(), style in style(),
    ) {
        let body = style.write(&item, None);
        let send = intake::parse(body.as_bytes(), &ctx_at(NOW));
        prop_assert_eq!(&send.map_err(|p| texts(&p).join("\n")).map(|send| send.items == [item]), &Ok(true), "{}", body);
    }

    #[test]
    fn any_bytes_are_read_or_refused_without_a_panic(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "[\\[\\]{}\":,\\\\ue0-9a-f.+ -]{0,120}".prop_map(String::into_bytes),
        ],
    ) {
        match intake::parse(&bytes, &ctx_at(NOW)) {
            Ok(send) => check_limits(&send.items),
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }

    #[test]
    fn a_request_damaged_on_its_way_is_read_or_refused_without_a_panic(
        items in prop::collection::vec(item(), 1..3),
        style in style(),
        edits in prop::collection::vec(edit(), 1..6),
    ) {
        let mut bytes = batch(style, &items).into_bytes();
        for edit in &edits {
            apply(edit, &mut bytes);
        }
        match intake::parse(&bytes, &ctx_at(NOW)) {
            Ok(send) => check_limits(&send.items),
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }
}

/// Fewer cases, because each one is large.
fn fewer() -> ProptestConfig {
    let config = crate::testing::config();
    ProptestConfig { cases: config.cases / 16, ..config }
}

proptest! {
    #![proptest_config(fewer())]

    #[test]
    fn a_valid_batch_is_read_in_its_order(
        items in prop::collection::vec(item(), 1..5), style in style(),
    ) {
        let mut items = items;
        for (n, item) in items.iter_mut().enumerate() {
            item.claim.claim_number = format!("A-{n}").into();
        }
        let body = batch(style, &items);
        let send = intake::parse(body.as_bytes(), &ctx_at(NOW));
        prop_assert_eq!(send.map(|send| send.items == items), Ok(true), "{}", body);
    }

    #[test]
    fn one_broken_field_of_a_valid_item_is_refused_by_its_name(item in item(), style in style()) {
        for (field, json) in corruptions() {
            let body = style.write(&item, Some((field, json.as_deref())));
            let problems = intake::parse(body.as_bytes(), &ctx_at(NOW)).err().unwrap_or_default();
            prop_assert!(
                problems.len() == 1 && problems[0].field == *field,
                "{field} {json:?} {problems:?}"
            );
        }
    }
}
