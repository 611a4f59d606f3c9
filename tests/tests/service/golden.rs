//! The npm package and the service give the same answers.

use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;

const GOLDEN: &str = include_str!("../../../clients/wasm/tests/golden.json");

#[test]
fn the_service_answers_the_golden_requests_with_the_golden_errors() {
    let tenant = Tenant::shared();
    let golden: Value = serde_json::from_str(GOLDEN).unwrap();
    let cases = golden["requests"].as_array().unwrap();
    // The service uses its own clock.
    let timeless = cases.iter().filter(|case| case.get("now").is_none());
    let mut refused = 0;
    for case in timeless {
        let body = match case["body"].as_str() {
            Some(body) => body.to_owned(),
            None => case["request"].to_string(),
        };
        let answer = tenant.client().post(CLAIMS, body);
        if case["errors"] == json!([]) {
            assert!(matches!(answer.status, 200 | 201), "{}", case["name"]);
        } else {
            assert_eq!(json!(answer.problems()), case["errors"], "{}", case["name"]);
            refused += 1;
        }
    }
    assert!(refused > 20);
}
