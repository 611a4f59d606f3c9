//! `verify-trail`, and the invitation of an auditor, on a state folder as `cargo xtask dev` keeps it.

use overturn_tests::prelude::*;
use overturn_tests::project;
use overturn_tests::server::SEALING_KEYS;

fn order(state: &State, keys: &str, words: &[&str]) -> Result<String, String> {
    let mut program = project::operator();
    program.env_remove("SEALING_KEYS");
    if !keys.is_empty() {
        program.env("SEALING_KEYS", keys);
    }
    let done = program.args(words).arg("--state").arg(state.folder());
    let done = done.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_owned();
    if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
}

#[test]
fn the_operator_invites_an_auditor_and_verifies_a_trail_with_and_without_keys() {
    let vars = json!({ "LIMITS": "unlimited" });
    let server = Server::start(State::fresh(), &vars);
    let tenant = Tenant::new(&server);
    for n in 0..3 {
        tenant.send(&item(&format!("T-{n}")));
    }
    let id = tenant.id.to_string();
    let sweep = server.client().exchange("POST", "/.tests/sweep", Some(b""));
    sweep.expect(204);
    let state = server.stop();
    let email = ["create-auditor", "--email", "noor@overturn.example", "--url", "https://o.example"];
    let link = order(&state, "", &email).unwrap();
    assert!(link.contains("https://o.example/invitation#"), "{link}");
    let said = order(&state, SEALING_KEYS, &["verify-trail", &id]).unwrap();
    // The rows of the practice's data key and of three sends.
    assert!(said.starts_with("4 rows are as they were written, 0 of them without a MAC"), "{said}");
    assert!(!said.contains("not authenticated"), "{said}");
    let said = order(&state, "", &["verify-trail", &id]).unwrap();
    assert!(said.contains("not authenticated"), "{said}");
    // The row of the operator's own action, which is not linked yet.
    let said = order(&state, SEALING_KEYS, &["verify-trail", "staff"]).unwrap();
    assert!(said.starts_with("0 rows") && said.contains("1 or more rows are not linked yet"), "{said}");
    let unknown = order(&state, "", &["verify-trail", "no-id"]).unwrap_err();
    assert!(unknown.contains("no such trail"), "{unknown}");

    let server = Server::start(state, &vars);
    let auditors = "SELECT count(*) AS n FROM users WHERE role = 'auditor' AND state = 'invited'";
    assert_eq!(server.database().number(auditors, &[]), 1);
    server.database().change("DROP TRIGGER audit_keep", &[]);
    let edit = "UPDATE audit SET record = 'x', mac = NULL WHERE practice_id = ?1 AND seq = 2";
    server.database().change(edit, &[&id]);
    let state = server.stop();
    for keys in ["", SEALING_KEYS] {
        let broken = order(&state, keys, &["verify-trail", &id]).unwrap_err();
        assert!(broken.contains("from row 3 on") && broken.contains(": changed."), "{broken}");
    }
}
