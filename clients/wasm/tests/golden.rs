//! The golden file has the answers of the package in every runtime. This test compares it with the core that the
//! service uses.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should panic"
)]

use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::claims::advice::AdviceCode;
use overturn_core::claims::{ClaimStatus, PlanType};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn golden() -> Value {
    serde_json::from_str(include_str!("golden.json")).unwrap()
}

/// The instant that JavaScript writes this way.
fn instant(text: &Value) -> Instant {
    Time::parse(text.as_str().unwrap()).unwrap().0
}

#[test]
fn the_golden_answers_are_those_of_the_core() {
    let golden = golden();
    let cases = golden["requests"].as_array().unwrap();
    for case in cases {
        let body = match case["body"].as_str() {
            Some(body) => body.to_owned(),
            None => case["request"].to_string(),
        };
        let now = instant(case.get("now").unwrap_or(&golden["now"]));
        let expected = json!({ "errors": case["errors"], "advice": case["advice"] });
        let found = match overturn_wasm::validate(body.as_bytes(), now) {
            Some(said) => serde_json::from_str(&said).unwrap(),
            None => json!({ "errors": [], "advice": [] }),
        };
        assert_eq!(found, expected, "{}", case["name"]);
    }
    assert!(cases.len() > 40);
}

#[test]
fn the_golden_keys_are_judged_as_in_core_and_no_answer_repeats_one() {
    let golden = golden();
    for (name, check) in
        [("keys", overturn_wasm::check_key as fn(&[u8]) -> Value), ("tokens", overturn_wasm::check_token)]
    {
        let keys = golden[name].as_array().unwrap();
        for key in keys {
            let text = key["text"].as_str().unwrap();
            assert_eq!(check(text.as_bytes()), key["answer"]);
        }
        let answers: BTreeSet<_> = keys.iter().map(|key| key["answer"].to_string()).collect();
        assert_eq!(answers.len(), 5, "{answers:?}");
    }
    assert_eq!(overturn_wasm::check_key(b"\xff")["problem"], "prefix");
    assert_eq!(overturn_wasm::check_key(b"ovt_live_\xff")["problem"], "form");
}

#[test]
fn every_code_of_advice_is_among_the_golden_answers() {
    let golden = golden();
    let advice = golden["requests"].as_array().unwrap().iter();
    let given: BTreeSet<String> =
        advice.flat_map(|case| case["advice"].as_array().unwrap()).map(|advice| advice["code"].to_string()).collect();
    let all = AdviceCode::ALL.map(|code| json!(code).to_string());
    assert_eq!(given, BTreeSet::from(all));
}

/// The members of a union of the package's types.
fn union(name: &str) -> Vec<String> {
    let types = include_str!("../js/index.d.ts");
    let (_, rest) = types.split_once(&format!("type {name} =")).unwrap();
    let (members, _) = rest.split_once(';').unwrap();
    members
        .split('|')
        .map(|member| member.trim().trim_matches('"').to_owned())
        .filter(|member| !member.is_empty())
        .collect()
}

#[test]
fn the_types_name_what_the_core_names() {
    let constants = overturn_wasm::constants();
    for (union_name, key) in [("ClaimStatus", "statuses"), ("PlanType", "planTypes"), ("AdviceCode", "adviceCodes")] {
        assert_eq!(json!(union(union_name)), constants[key], "{union_name}");
    }
    assert_eq!(union("ClaimStatus").len(), ClaimStatus::ALL.len());
    assert_eq!(union("PlanType").len(), PlanType::ALL.len());
    assert_eq!(constants["moves"]["received"], json!(["reviewing"]));
}
