//! The log line of each request.

use overturn_tests::client::{CLAIMS, STATUS, keys};
use overturn_tests::host;
use overturn_tests::prelude::*;

/// The only log line of a request, checked against the rules for all lines.
fn line(server: &Server, answer: &Answer) -> Value {
    let mut lines = server.log().of(answer.request_id());
    assert_eq!(lines.len(), 1, "one line a request");
    let line = lines.remove(0);
    let mut expected = vec![
        "api_key_id",
        "d1_round_trips",
        "duration_ms",
        "event",
        "memory_kb",
        "method",
        "practice_id",
        "request_id",
        "route",
        "rows_read",
        "rows_written",
        "status",
    ];
    // Only an isolate has a memory of its own.
    expected.retain(|name| *name != "memory_kb" || !host::is_native());
    assert_eq!(keys(&line), expected);
    assert_eq!(line["event"], "request");
    assert_eq!(line["status"], answer.status);
    assert!((0..60_000).contains(&line["duration_ms"].as_i64().unwrap()));
    line
}

fn named(line: &Value) -> (&Value, &Value) {
    (&line["practice_id"], &line["api_key_id"])
}

#[test]
fn a_line_names_the_request_the_route_and_the_caller() {
    let tenant = Tenant::shared();
    let client = tenant.client();
    for (method, route, answer) in [
        ("POST", CLAIMS, client.send(&item("A-1"))),
        ("POST", CLAIMS, client.send(&item("A-1"))),
        ("POST", CLAIMS, client.send(&json!({}))),
        ("GET", STATUS, client.status("A-1")),
        ("GET", STATUS, client.status("A-2")),
        ("GET", STATUS, client.get(STATUS)),
        ("HEAD", STATUS, client.request("HEAD", STATUS, None)),
    ] {
        let line = line(tenant.server, &answer);
        assert_eq!((&line["method"], &line["route"]), (&json!(method), &json!(route)));
        assert_eq!(named(&line), (&json!(tenant.id), &json!(tenant.key.id)));
    }
}

#[test]
fn a_caller_that_is_refused_is_named_where_its_key_is_known() {
    let tenant = Tenant::shared();
    let key = tenant.key(&[Scope::ClaimsRead], Realm::Test);
    let known = (json!(tenant.id), json!(key.id));
    let client = tenant.client_of(&key);
    let forbidden = client.send(&item("A-1"));
    assert_eq!(named(&line(tenant.server, &forbidden)), (&known.0, &known.1));
    tenant.change("UPDATE api_keys SET revoked_at = 1 WHERE practice_id = ?1", &[]);
    let revoked = client.status("A-1");
    revoked.expect(401);
    assert_eq!(named(&line(tenant.server, &revoked)), (&known.0, &known.1));
    let nobody = tenant.server.client().status("A-1");
    assert_eq!(named(&line(tenant.server, &nobody)), (&Value::Null, &Value::Null));
}

#[test]
fn a_route_is_named_by_its_pattern_and_a_path_that_is_not_one_by_nothing_of_it() {
    let client = Server::shared().client();
    for (answer, method, route) in [
        (client.get("/health"), "GET", "/health"),
        (client.get("/api/v1/openapi.json"), "GET", "/api/v1/openapi.json"),
        (client.delete(CLAIMS), "DELETE", CLAIMS),
        (client.request("PROPFIND", CLAIMS, None), "other", CLAIMS),
        (client.get("/api/v1/claims/Jane"), "GET", "unmatched"),
        (client.get("/Jane?claim_number=Jane"), "GET", "unmatched"),
    ] {
        let line = line(Server::shared(), &answer);
        assert_eq!((&line["method"], &line["route"]), (&json!(method), &json!(route)));
        assert!(!line.to_string().contains("Jane"));
    }
}

/// The first resend after a send of new claims is taken for new claims, so it takes one more. What its isolate does not know
/// takes one more as well.
#[test]
fn new_claims_a_resend_and_a_read_take_one_round_trip_and_a_refusal_none() {
    const WRITES: bool = true;
    let tenant = Tenant::shared();
    let client = tenant.client();
    let hundred = numbered((0..100).map(|n| format!("H-{n}")));
    let corrected = with(item("A-1"), "claim.billed_amount", "1.00");
    // With several databases, a refused call asks whether its practice has moved.
    let refused = 1 + i64::from(tenant.server.cells() > 1);
    for (trips, writes, answer) in [
        (2, WRITES, client.send(&item("A-1"))),
        // The first send of a practice made its data key.
        (2, WRITES, client.send(&item("A-2"))),
        (1, WRITES, client.send(&item("A-3"))),
        (1, WRITES, client.send(&hundred)),
        (2, false, client.send(&hundred)),
        (1, false, client.send(&hundred)),
        (1, false, client.send(&item("A-1"))),
        (2, WRITES, client.send(&corrected)),
        (1, false, client.send(&corrected)),
        (2, WRITES, client.send(&item("A-4"))),
        (1, WRITES, client.send(&item("A-5"))),
        (refused, false, client.send(&json!({}))),
        (1, false, client.status("A-1")),
        (refused, false, client.status("none")),
        (refused, false, client.get(STATUS)),
        (0, false, tenant.server.client().status("A-1")),
        (0, false, client.get("/")),
    ] {
        let line = line(tenant.server, &answer);
        assert_eq!(line["d1_round_trips"], trips, "{line}");
        assert_eq!(line["rows_written"].as_u64().unwrap() > 0, writes, "{line}");
        if trips == 0 {
            assert_eq!(line["rows_read"], 0);
        }
    }
}
