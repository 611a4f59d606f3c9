//! `overturn payer` as a program: what it writes is read back by `overturn remit`.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that meets the unexpected should panic")]

mod common;

use common::{Folder, notes, out, overturn};
use serde_json::{Value, json};
use std::fs;

fn read(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.path(name)).unwrap()).unwrap()
}

/// What `overturn remit` makes of files: number, amount and codes.
fn denials(files: &[&str], submitted: &str) -> Vec<Value> {
    let output = overturn(&[&["remit"], files, &["--claims", submitted]].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", notes(&output));
    let claims = out(&output);
    let claims = claims.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["claim"].take());
    let claims = claims.filter(Value::is_object);
    claims.map(|claim| json!([claim["claim_number"], claim["denied_amount"], claim["denial_codes"]])).collect()
}

fn wanted(expected: &Value) -> Vec<Value> {
    let expected = expected.as_array().unwrap().iter();
    expected.map(|one| json!([one["claim_number"], one["denied_amount"], one["denial_codes"]])).collect()
}

fn claims() -> String {
    let patient = json!({ "first_name": "Jane", "last_name": "Doe", "date_of_birth": "1984-06-02", "member_id": "W1" });
    let claim = |number: &str, amount: &str| {
        json!({ "patient": patient, "claim": { "claim_number": number, "payer_name": "Acme Health",
            "date_of_service": "2026-01-05", "billed_amount": amount, "procedure_code": "99213" } })
    };
    json!({ "claims": [claim("A-1", "100.00"), claim("A-2", "70.10")] }).to_string()
}

#[test]
fn claims_that_are_made_up_come_back_as_the_denials_that_are_expected() {
    let folder = Folder::new("made-up");
    let [era, submitted, expected] = ["era.835", "sent.837", "expected.json"].map(|name| folder.path(name));
    let args =
        ["payer", "--claims", "60", "--seed", "5", "--out", &era, "--submitted", &submitted, "--expected", &expected];
    let output = overturn(&args, "");
    assert_eq!((output.status.code(), out(&output)), (Some(0), String::new()));
    assert!(notes(&output).starts_with("60 claims, "), "{}", notes(&output));
    let wanted = wanted(&read(&folder, "expected.json"));
    assert!(wanted.len() > 10, "{}", wanted.len());
    assert_eq!(denials(&[&era], &submitted), wanted);
    let again = overturn(&["payer", "--claims", "60", "--seed", "5"], "");
    assert_eq!(out(&again), fs::read_to_string(&era).unwrap());
}

#[test]
fn a_script_says_what_happens_to_claims_in_json_and_in_an_837() {
    let folder = Folder::new("script");
    let [era, submitted, expected] = ["era.835", "sent.837", "expected.json"].map(|name| folder.path(name));
    let files = ["--out", &era, "--submitted", &submitted, "--expected", &expected];
    let deny = ["payer", "-", "--act", "deny", "--code", "CO-197", "--remark", "N130"];
    let output = overturn(&[&deny[..], &files].concat(), &claims());
    assert_eq!(output.status.code(), Some(0), "{}", notes(&output));
    assert_eq!(notes(&output), "2 claims, 1 remittance, 2 denials in the end\n");
    let denied = vec![json!(["A-1", "100.00", ["CO-197", "N130"]]), json!(["A-2", "70.10", ["CO-197", "N130"]])];
    assert_eq!(wanted(&read(&folder, "expected.json")), denied);
    assert_eq!(denials(&[&era], &submitted), denied);

    // The 837 stands for the same claims. A second appeal gets half of what is left.
    let appealed = ["--reply", "records:10", "--reply", "part:20"];
    let output = overturn(&[&["payer", &submitted, "--act", "deny"], &appealed[..], &files].concat(), "");
    assert_eq!(notes(&output), "2 claims, 2 remittances, 2 denials in the end\n");
    let halves = vec![json!(["A-1", "50.00", ["CO-50"]]), json!(["A-2", "35.05", ["CO-50"]])];
    assert_eq!(denials(&[&era], &submitted), halves);
    assert_eq!(wanted(&read(&folder, "expected.json")), halves);
}

#[test]
fn the_suite_is_one_case_a_line() {
    let output = overturn(&["payer", "--cases", "12", "--seed", "3"], "");
    let text = out(&output);
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cases.len(), 12);
    for (at, case) in cases.iter().enumerate() {
        assert_eq!(case["case"], at);
        assert!(case["remittances"][0].as_str().unwrap().starts_with("ISA"));
        assert!(case["expected"].is_array() && case["claims"].is_string() && case["payer"].is_string());
    }
}

#[test]
fn a_mistake_is_named_and_no_value_is_repeated() {
    let secret = claims().replace("70.10", "SECRET");
    for (args, input, part) in [
        (vec!["-"], &*secret, "claims[1]: claim.billed_amount must be an amount"),
        (vec!["-"], "{\"SECRET", "it is no JSON: line 1"),
        (vec!["-"], "", "there is no claim in it"),
        (vec!["/no/such/file"], "", "/no/such/file"),
        (vec!["--act", "eat"], "", "take_back"),
        (vec!["--act", "deny", "--code", "50"], "", "--code must be"),
        (vec!["--act", "deny", "--reply", "upheld:soon"], "", "the days must be a number"),
        (vec!["--reply", "upheld"], "", "--act"),
        (vec!["--cases", "1", "--act", "pay"], "", "cannot be used with"),
        (vec!["--out", "/no/such/folder/era.835"], "", "cannot write"),
    ] {
        let output = overturn(&[&["payer"], &args[..]].concat(), input);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let notes = notes(&output);
        assert!(notes.contains(part) && !notes.contains("SECRET"), "{notes}");
    }
}
