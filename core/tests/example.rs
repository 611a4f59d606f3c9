//! The example of a native sender, run like a program. cargo builds examples before it runs tests.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test that meets the unexpected should panic")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn validate(body: &str) -> Output {
    // target/debug/deps/example-…
    let test = std::env::current_exe().unwrap();
    let program = test.ancestors().nth(2).unwrap().join("examples/validate");
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`cargo test --package overturn-core` builds the example");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(body.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn the_example_prints_what_the_service_would_say() {
    let refused = validate("{");
    assert!(!refused.status.success());
    assert_eq!(
        String::from_utf8(refused.stdout).unwrap(),
        "{\"errors\":[\"body must be valid JSON\"],\"advice\":[]}\n"
    );
    let taken = validate(
        r#"{"patient": {"first_name": "Dana", "last_name": "Whitfield", "date_of_birth": "1984-06-02"},
            "claim": {"claim_number": "CH-2025-00417", "payer_claim_number": "25014XK8831",
              "payer_name": "Blue Prairie Health", "date_of_service": "2025-01-14",
              "denial_date": "2025-02-03", "plan_type": "erisa", "procedure_code": "99214-25", "billed_amount": "245.00",
              "denial_codes": ["CO-50", "N130"]}}"#,
    );
    assert!(taken.status.success());
    assert_eq!(taken.stdout, b"{\"errors\":[],\"advice\":[]}\n");
}
