//! `/api/v1/settings/webhooks`: the endpoints. `deliveries` tests what they receive.

use overturn_tests::prelude::*;

pub(crate) const WEBHOOKS: &str = "/api/v1/settings/webhooks";

fn body(url: &str) -> String {
    json!({ "url": url, "events": ["claim.status_changed", "report.delivered"] }).to_string()
}

pub(crate) fn make(client: &Client) -> String {
    let made = client.post(WEBHOOKS, body("https://hooks.example.com/a?b=c"));
    made.expect(201);
    format!("{WEBHOOKS}/{}", made.id())
}

/// Makes an endpoint that gets these events.
pub(crate) fn listen(client: &Client, events: &[&str]) {
    let endpoint = make(client);
    let body = json!({ "events": events }).to_string();
    client.seeing(&endpoint).patch(&endpoint, body).expect(200);
}

#[test]
fn an_endpoint_is_made_shown_changed_and_removed() {
    let tenant = Tenant::shared();
    let admin = tenant.admin();
    let made = admin.post(WEBHOOKS, body("https://hooks.example.com"));
    made.expect(201);
    let secret = made.json["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let one = format!("{WEBHOOKS}/{}", made.id());

    let shown = admin.get(&one);
    let mut expected = made.json.clone();
    expected.as_object_mut().unwrap().remove("secret");
    assert_eq!(shown.json, expected);
    assert_eq!(shown.json["url"], "https://hooks.example.com/");
    assert_eq!(shown.json["state"], "active");
    let listed = admin.get(WEBHOOKS);
    assert_eq!(listed.json["webhooks"], json!([shown.json]));
    assert_eq!(listed.json["next_cursor"], Value::Null);

    let changed = admin.seeing(&one).patch(&one, br#"{"events": ["claim.signing_changed"], "state": "disabled"}"#);
    changed.expect(200);
    assert_eq!(changed.json["events"], json!(["claim.signing_changed"]));
    assert!(changed.json["disabled_at"].is_string());
    assert_eq!(admin.get(&one).json, changed.json);
    let detail = tenant.audit("webhook.changed")[0]["detail"].clone();
    assert_eq!(detail, r#"{"fields":["events","state"]}"#);

    admin.delete(&one).expect(204);
    admin.get(&one).refused(404, "not_found");
    assert_eq!(admin.get(WEBHOOKS).json["webhooks"], json!([]));
    admin.delete(&one).expect(404);
}

#[test]
fn an_address_that_leads_into_a_network_is_refused_without_being_repeated() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let one = make(&owner);
    for (url, problem) in [
        ("http://hooks.example.com/", "url must be an https address"),
        ("https://169.254.169.254/latest", "url must name a host, not an address of numbers"),
    ] {
        let refused = owner.post(WEBHOOKS, body(url));
        assert_eq!(refused.details(), [problem], "{url}");
        let edit = json!({ "url": url }).to_string();
        let refused = owner.seeing(&one).patch(&one, &edit);
        assert_eq!(refused.details(), [problem], "{url}");
        // Only the message: a request id is random and may contain any digits.
        let said = refused.json["error"]["message"].as_str().unwrap();
        assert!(!said.contains("169"), "{said}");
    }
    owner.post(WEBHOOKS, "[").refused(400, "bad_request");
    let empty = owner.post(WEBHOOKS, "{}");
    assert_eq!(empty.details(), ["url is required", "events is required"]);
    assert_eq!(owner.get(WEBHOOKS).json["webhooks"].as_array().unwrap().len(), 1);
}

#[test]
fn an_endpoint_of_another_practice_is_none() {
    let tenant = Tenant::shared();
    let one = make(&tenant.owner());
    let other = Tenant::shared();
    let stranger = other.owner();
    let replay = format!("{one}/deliveries/{}/replay", other.id);
    for (method, target, body) in [
        ("GET", one.clone(), None),
        ("PATCH", one.clone(), Some(r#"{"state": "disabled"}"#)),
        ("DELETE", one.clone(), None),
        ("POST", format!("{one}/rotate_secret"), Some("")),
        ("GET", format!("{one}/deliveries"), None),
        ("POST", replay, Some("")),
        ("GET", format!("{WEBHOOKS}/none"), None),
        ("GET", format!("{WEBHOOKS}/none/deliveries"), None),
    ] {
        let answer = stranger.request(method, &target, body.map(str::as_bytes));
        assert_eq!(answer.nested(404).0, "not_found", "{method} {target}");
    }
    let state = tenant.rows("SELECT state FROM webhooks WHERE practice_id = ?1", &[]);
    assert_eq!(state[0]["state"], "active");
}

#[test]
fn a_practice_has_five_endpoints_at_most_however_many_are_made_at_once() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let statuses = at_once(vec![|| { owner.post(WEBHOOKS, body("https://hooks.example.com")).status }; 12]);
    let made = statuses.iter().filter(|status| **status == 201).count();
    assert!(statuses.iter().all(|s| [201, 409].contains(s)), "{statuses:?}");
    assert_eq!((made, tenant.count("webhooks")), (5, 5), "{statuses:?}");
    let sixth = owner.post(WEBHOOKS, body("https://hooks.example.com"));
    assert_eq!(sixth.nested(409), ("conflict", "a practice has at most 5 webhooks"));
    let listed = owner.get(WEBHOOKS);
    let first = listed.json["webhooks"][0]["id"].as_str().unwrap();
    let one = format!("{WEBHOOKS}/{first}");
    owner.delete(&one).expect(204);
    make(&owner);
}

#[test]
fn of_two_parallel_rotations_one_gets_a_conflict() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let one = make(&owner);
    let rotations = at_once(vec![|| { owner.seeing(&one).post(&format!("{one}/rotate_secret"), "").status }; 6]);
    assert!(rotations.iter().all(|s| [200, 409].contains(s)), "{rotations:?}");
    let done = rotations.iter().filter(|status| **status == 200).count();
    assert_eq!(tenant.audit("webhook.secret_rotated").len(), done);
    assert!(done > 0);
}

#[test]
fn a_secret_is_sealed_and_shown_once() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let once = owner.with("Idempotency-Key", "5a1c0f52-6c58-4f67-8d0c-6e7b6b7c1a05");
    let made = once.post(WEBHOOKS, body("https://hooks.example.com"));
    let secret = made.json["secret"].as_str().unwrap();
    let bare = secret.strip_prefix("whsec_").unwrap().trim_end_matches('=');
    assert_eq!(once.post(WEBHOOKS, body("https://hooks.example.com")).json["secret"], Value::Null);
    for table in ["webhooks", "audit", "answers"] {
        let rows = Server::shared().database().rows(&format!("SELECT * FROM {table}"), &[]);
        assert!(!Value::from(rows).to_string().contains(bare), "{table}");
    }
    assert!(!owner.get(WEBHOOKS).text().contains(bare));
}
