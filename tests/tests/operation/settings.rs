//! A missing or invalid setting is an error that names it. The service never runs without the setting.

use overturn_tests::client::STATUS;
use overturn_tests::host;
use overturn_tests::only_on_workerd;
use overturn_tests::prelude::*;
use overturn_tests::server::SEALING_KEYS;
use overturn_tests::{claims::item, project};

/// Checks that a setting is named as wrong, and returns what was logged. The Worker answers that it is misconfigured. The
/// native program does not start.
fn misconfigured(vars: &Value, name: &str) -> Vec<String> {
    let server = match Server::attempt(State::fresh(), vars) {
        Ok(server) => server,
        Err(said) => {
            let names = |line: &String| line.starts_with("error: ") && line.contains(name);
            assert!(host::is_native() && said.iter().any(names), "{said:?}");
            return said;
        }
    };
    let client = server.client();
    for answer in [client.send(&item("A-1")), client.get(STATUS)] {
        assert_eq!(answer.refusal(500), "internal error");
        let lines = server.log().of(answer.request_id());
        assert_eq!(lines[0]["failure"], format!("misconfigured: {name}"));
    }
    let health = client.get("/health");
    assert_eq!((health.status, &health.json["error"]["code"]), (500, &json!("internal_error")));
    let named = |line: &Value| line["event"] == "misconfigured" && line["name"] == name;
    assert!(server.log().has(named), "{name} in the log");
    server.log().lines()
}

/// The settings that production requires, and one that is optional.
fn production() -> Value {
    let mut vars = json!({
        "ENVIRONMENT": "production",
        "MAIL_FROM": "overturn@example.com",
        "PUBLIC_URL": "https://overturn.example",
        "WEBHOOKS_LOCAL": null,
    });
    if host::is_native() {
        // A server for emails that nobody calls.
        vars["SMTP_URL"] = json!("smtps://mail.overturn.example");
    }
    vars
}

#[test]
fn a_missing_secret_is_named() {
    misconfigured(&json!({ "SEALING_KEYS": null }), "SEALING_KEYS");
}

#[test]
fn a_secret_of_a_wrong_form_is_named_and_not_shown() {
    let said = misconfigured(&json!({ "SEALING_KEYS": "1:canary" }), "SEALING_KEYS");
    assert!(!said.iter().any(|line| line.contains("canary")), "{said:?}");
}

#[test]
fn limits_cannot_be_switched_off_outside_dev() {
    let mut vars = production();
    vars["LIMITS"] = json!("unlimited");
    misconfigured(&vars, "LIMITS");
}

#[test]
fn outside_dev_no_webhook_leads_to_the_machine_and_none_is_tried_at_another_pace() {
    for (name, value) in [("WEBHOOKS_LOCAL", "yes"), ("WEBHOOKS_WAITS", "1,1")] {
        let mut vars = production();
        vars[name] = json!(value);
        misconfigured(&vars, name);
    }
    misconfigured(&json!({ "WEBHOOKS_LOCAL": "no" }), "WEBHOOKS_LOCAL");
    misconfigured(&json!({ "WEBHOOKS_WAITS": "soon" }), "WEBHOOKS_WAITS");
}

#[test]
fn only_the_native_program_reaches_a_scanner_at_a_unix_socket() {
    let mut vars = production();
    vars["SCANNER_ADDRESS"] = json!("unix:/nowhere/clamd.ctl");
    if host::is_native() {
        let server = Server::start(State::fresh(), &vars);
        let health = server.client().get("/health").json;
        assert_eq!(health["scanner"], "away", "{health}");
    } else {
        misconfigured(&vars, "SCANNER_ADDRESS");
    }
}

#[test]
fn outside_dev_an_email_needs_a_sender_and_its_links_an_https_origin() {
    for (name, value) in [
        ("MAIL_FROM", Value::Null),
        ("MAIL_FROM", json!("Overturn <overturn@example.com>")),
        ("PUBLIC_URL", Value::Null),
        ("PUBLIC_URL", json!("http://overturn.example")),
        ("PUBLIC_URL", json!("https://overturn.example/")),
        ("PUBLIC_URL", json!("https://name@overturn.example")),
    ] {
        let mut vars = production();
        vars[name] = value;
        misconfigured(&vars, name);
    }
}

#[test]
fn a_setting_that_is_too_weak_is_named_and_not_shown() {
    let zeros = format!("1:{}=", "A".repeat(43));
    let one = SEALING_KEYS.strip_prefix("1:").unwrap();
    for (name, value) in [
        ("OPERATOR_TOKEN", &*"t".repeat(43)),
        ("SEALING_KEYS", &zeros),
        ("SEALING_KEYS", &format!("2:{one},1:{one}")),
        ("CLAIMS_SENDS_PER_MINUTE", "4000000000"),
        ("SAML_KEYS", r#"[{"key": "canary", "certificate": "canary"}]"#),
        ("DNS_RESOLVER", "http://dns.canary.example"),
    ] {
        let lines = misconfigured(&json!({ (name): value }), name);
        let shown = |line: &String| line.contains(value);
        assert!(!lines.iter().any(shown), "{name}");
    }
    let mut vars = production();
    vars["PUBLIC_URL"] = json!("https://localhost");
    misconfigured(&vars, "PUBLIC_URL");
}

#[test]
fn the_operator_needs_the_token_and_without_one_the_route_does_not_exist() {
    let token = "Zk3vQ0xg9Tq7bW1rLs5uYd2NcHj8MePa4oViKf6XtBn".to_owned();
    let server = Server::start(State::fresh(), &json!({ "OPERATOR_TOKEN": token, "LIMITS": "unlimited" }));
    let reseal =
        |token: &str| server.client().with("Authorization", &format!("Bearer {token}")).post("/operations/reseal", "");
    let done = reseal(&token);
    assert_eq!(
        (done.status, &done.json),
        (
            200,
            &json!({ "of": "data_keys", "resealed": 0, "intact": 0, "unreadable": 0, "tampered": 0, "after": "factors" })
        )
    );
    for wrong in ["", "t", &token.to_lowercase(), &format!("{token}t")] {
        assert_eq!(reseal(wrong).status, 401, "{wrong}");
    }
    server.client().post("/operations/reseal", "").expect(401);
    server.client().get("/operations/reseal").expect(405);
    let server = Server::start(server.stop(), &json!({ "OPERATOR_TOKEN": null, "LIMITS": "unlimited" }));
    let nobody = server.client().with("Authorization", &format!("Bearer {token}"));
    nobody.post("/operations/reseal", "").expect(404);
}

/// The per-IP limit is set in two places: where the platform counts, and where the headers are made.
#[test]
fn the_counted_limit_is_the_shown_limit() {
    only_on_workerd!("wrangler.toml says what the platform counts");
    let wrangler = std::fs::read_to_string(project::root().join("wrangler.toml")).unwrap();
    let counted: Vec<&str> = wrangler.lines().filter_map(|line| line.strip_prefix("simple = ")).collect();
    // The platform counts in steps of ten.
    let of = |limit: u32| format!("{{ limit = {}, period = 60 }}", limit / 10);
    assert_eq!(counted, [of(1000), of(500), of(1000)], "dev, staging, production");
    let app = std::fs::read_to_string(project::root().join("service/src/config.rs")).unwrap();
    for told in [
        r#""production" => (Realm::Live, 1000)"#,
        r#""staging" => (Realm::Test, 500)"#,
        r#""dev" => (Realm::Test, 1000)"#,
    ] {
        assert!(app.contains(told), "{told}");
    }
}

/// The platform's own log line would hold the URL, and so a claim number.
#[test]
fn the_platform_logs_no_url() {
    only_on_workerd!("wrangler.toml says what the platform logs");
    let wrangler = std::fs::read_to_string(project::root().join("wrangler.toml")).unwrap();
    for environment in ["staging", "production"] {
        let logs = format!("[env.{environment}.observability.logs]\nenabled = true\ninvocation_logs = false\n");
        assert!(wrangler.contains(&logs), "{environment}");
    }
    assert_eq!(wrangler.matches("observability").count(), 2, "nothing else is switched on");
}

#[test]
fn production_takes_live_keys_and_refuses_the_others() {
    let server = Server::start(State::fresh(), &production());
    let tenant = Tenant::new(&server);
    assert_eq!(tenant.client().status("none").status, 401, "a test key");
    let live = tenant.key(&Scope::ALL, Realm::Live);
    let answer = tenant.client_of(&live).status("none");
    answer.expect(404);
    assert_eq!(answer.header("x-ratelimit-limit"), Some("300"));
}

/// A sandbox has test keys in production as well, and only a sandbox has.
#[test]
fn production_takes_test_keys_and_tokens_of_sandboxes_alone() {
    let server = Server::start(State::fresh(), &production());
    let tenant = Tenant::new(&server);
    let sandbox = &format!("01a21a98-d666-74f1-a309-fe00cef1{:04x}", tenant.id.cell().0);
    let id = tenant.id.to_string();
    let database = server.database();
    database.change(
        "INSERT INTO practices (id, name, state, created_at, sandbox_of) VALUES (?1, 'Sandbox', 'active', 1, ?2)",
        &[sandbox, &id],
    );
    database.change(
        "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at)
         VALUES (?1, ?1, 'sandbox', '1', 'Sandbox', 'Sandbox', 1)",
        &[sandbox],
    );
    let own = Tenant {
        server: &server,
        id: overturn_core::base::id::PracticeId(sandbox.parse().unwrap()),
        key: tenant.key.clone(),
    };
    for (of, realm, status) in
        [(&tenant, Realm::Live, 404), (&tenant, Realm::Test, 401), (&own, Realm::Test, 404), (&own, Realm::Live, 401)]
    {
        let key = of.key(&Scope::ALL, realm);
        of.client_of(&key).status("none").expect(status);
        of.client_of(&key).send(&item("A-1")).expect(if status == 404 { 201 } else { 401 });
    }
    assert_eq!((tenant.claims(), own.claims()), (1, 1));
}
