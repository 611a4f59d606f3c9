//! The pages in a real browser, which `cargo xtask test pages` finds or installs. tests/browser has the steps.

mod passkeys;

use overturn_tests::prelude::*;
use overturn_tests::project;
use overturn_tests::signing::{Case, SIGN};

/// A patient signs in a browser in one of the ways of sign.mjs. Returns the stored signature.
fn signed(how: &str) -> Value {
    let case = Case::undecided();
    case.decide("needed").expect(200);
    let at = case.tenant.server.port();
    let link = format!("http://127.0.0.1:{at}{SIGN}?token={}", case.token());
    let ran = project::command(&project::node()).args(["tests/browser/sign.mjs", how, &link]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert_eq!(case.signatures().len(), 1);
    case.signatures().remove(0)
}

#[test]
fn a_name_is_typed_with_script_switched_off() {
    let signature = signed("typed");
    assert_eq!(signature["name"], "Jane Doe");
    assert_eq!(signature.get("strokes"), None);
}

#[test]
fn a_signature_is_drawn_with_a_finger_and_a_mouse() {
    let signature = signed("drawing");
    assert_eq!(signature.get("name"), None);
    assert_eq!(signature["strokes"].as_array().unwrap().len(), 2);
    assert!(signature["agent"].as_str().unwrap().contains("Chrome"));
}

#[test]
fn a_keyboard_is_enough() {
    assert_eq!(signed("keyboard")["name"], "Jane Doe");
}

#[test]
fn a_patient_reads_both_languages_and_signs_in_spanish() {
    let signature = signed("spanish");
    assert_eq!(signature["language"], "es");
}

#[test]
fn every_page_is_accessible_wide_and_narrow_light_and_dark() {
    assert_eq!(signed("accessible")["name"], "Jane Doe");
}
