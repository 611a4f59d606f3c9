//! Which paths and methods answer, and in which shape.

use super::routes::routes;
use overturn_tests::client::{CLAIMS, STATUS, keys};
use overturn_tests::prelude::*;

/// Fails unless an answer has the error shape of its path.
/// The clock of a sandbox is of the claims interface.
const CLOCK: &str = "/api/v1/sandbox/clock";

fn check_error(target: &str, answer: &Answer, code: &str, message: &str) {
    let beginnings = ["/api/v1/claims/", "/api/v1/claims?", CLOCK];
    let flat = target == CLAIMS || beginnings.iter().any(|beginning| target.starts_with(beginning));
    let expected = if flat {
        json!({ "error": message })
    } else {
        json!({ "error": { "code": code, "message": message, "request_id": answer.request_id() } })
    };
    assert_eq!(answer.json, expected, "{target}");
}

#[test]
fn a_method_that_a_path_does_not_take_is_refused_in_the_shape_of_its_place() {
    let tenant = Tenant::shared();
    let body = item("A-1").to_string();
    for path in routes().keys() {
        for method in ["PUT", "OPTIONS"] {
            let answer = tenant.client().request(method, path, Some(body.as_bytes()));
            assert_eq!(answer.status, 405, "{method} {path}");
            check_error(path, &answer, "method_not_allowed", "method not allowed");
        }
    }
    assert_eq!(tenant.claims(), 0);
}

#[test]
fn a_path_that_is_not_served_is_not_found_in_the_shape_of_its_place() {
    let client = Tenant::shared().client();
    for target in [
        "/",
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v1/claim",
        "/api/v1/claimsx",
        "/api/v1/claims/",
        "/api/v1/claims/A-1",
        "/api/v1/claims/status/",
        "/api/v1/claims/status/A-1",
        "/api/v1/claims/STATUS",
        "/api/v1/Claims",
        "/api/v2/claims",
        "/api/v1/document",
        "/api/v1/auth",
        "/api/v1/settings",
        "/operations",
        "/favicon.ico",
        "/robots.txt",
        "/?claim_number=A-1",
    ] {
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
            let answer = client.request(method, target, None);
            assert_eq!(answer.status, 404, "{method} {target}");
            check_error(target, &answer, "not_found", "not found");
        }
    }
}

#[test]
fn an_odd_way_to_write_a_path_leads_nowhere_else() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    let client = tenant.client();
    let query = "?claim_number=A-1";
    for path in [
        "//api/v1/claims/status",
        "/api//v1/claims/status",
        "/api/v1/claims//status",
        "/api/v1/claims/status/.",
        "/api/v1/claims/status/x/..",
        "/api/v1/./claims/status",
        "/api/v1/claims/x/../status",
        "/api/v1/claims/%2e%2e/claims/status",
        "/../../api/v1/claims/status",
        "/api/v1/claims%2Fstatus",
        "/api/v1/%63laims/status",
        "/api/v1/claims/%73tatus",
        "/api/v1/claims/status%00",
        "/api/v1/claims/status%20",
        "/api/v1/claims/status;v=1",
        "/api/v1/claims/status%3F",
        "/api\\v1\\claims\\status\\",
        "/%",
        "/%zz",
        "/%C0%AF",
        "/\u{e9}",
        "/.%00/",
        "/:80/",
    ] {
        let answer = client.get(&format!("{path}{query}"));
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("A-1"));
    }
    let absolute = format!("http://elsewhere.example{STATUS}{query}");
    assert_eq!(client.get(&absolute).json["claim"]["claim_number"], "A-1");
}

#[test]
fn a_query_of_any_length_is_answered() {
    let tenant = Tenant::shared();
    tenant.send(&item("A-1"));
    for length in [1_000, 10_000, 60_000] {
        let padded = format!("{STATUS}?x={}&claim_number=A-1", "x".repeat(length));
        tenant.client().get(&padded).expect(200);
        let many = format!("{STATUS}?{}claim_number=A-1", "&a=b".repeat(length / 4) + "&");
        tenant.client().get(&many).expect(200);
        let long = format!("{STATUS}?claim_number={}", "x".repeat(length));
        assert_eq!(tenant.client().get(&long).problems().len(), 1);
    }
    // The platform refuses longer ones itself, without calling the Worker.
    let longer = format!("{STATUS}?claim_number={}", "x".repeat(70_000));
    let turned_away = tenant.client().exchange("GET", &longer, None);
    turned_away.expect(414);
    tenant.client().status("A-1").expect(200);
}

#[test]
fn a_browser_on_another_origin_is_given_no_leave() {
    let tenant = Tenant::shared();
    let foreign = tenant.client().with("Origin", "https://elsewhere.example");
    for path in routes().keys() {
        let preflight = foreign
            .with("Access-Control-Request-Method", "POST")
            .with("Access-Control-Request-Headers", "authorization, content-type")
            .request("OPTIONS", path, None);
        // On session routes, requests from another site are refused first.
        let refused = if path.starts_with(CLAIMS) || path == CLOCK { 405 } else { 403 };
        assert_eq!(preflight.status, refused, "{path}");
    }
    // The test client checks that no answer has a CORS header.
    foreign.send(&item("A-1")).expect(201);
    foreign.status("A-1").expect(200);
    foreign.status("A-2").expect(404);
}

#[test]
fn other_headers_change_nothing() {
    let tenant = Tenant::shared();
    let mut client = tenant.client();
    for (name, value) in [
        ("Accept", "text/html"),
        ("Accept-Encoding", "br, zstd"),
        ("Content-Type", "text/plain; charset=utf-16"),
        ("Cookie", "session=1; csrf_token=2"),
        ("Idempotency-Key", "1"),
        ("If-None-Match", "*"),
        ("If-Match", "\"x\""),
        ("Range", "bytes=0-1"),
        ("X-HTTP-Method-Override", "DELETE"),
        ("X-Forwarded-For", "1.2.3.4"),
        ("X-Forwarded-Host", "elsewhere.example"),
        ("X-Request-Id", "mine"),
        ("X-Original-URL", "/health"),
        ("Upgrade", "h2c"),
    ] {
        client = client.with(name, value);
    }
    client.send(&item("A-1")).expect(201);
    let (plain, dressed) = (tenant.client().status("A-1"), client.status("A-1"));
    assert_eq!((dressed.status, dressed.json), (200, plain.json));
}

#[test]
fn health_says_that_the_service_works_to_anybody() {
    let client = Server::shared().client();
    let answer = client.get("/health");
    assert_eq!((answer.status, answer.json), (200, json!({ "status": "ok", "identity": "ok" })));
    let head = client.request("HEAD", "/health", None);
    assert_eq!((head.status, head.json), (200, Value::Null));
}

#[test]
fn the_descriptions_of_the_interfaces_are_served_to_anybody() {
    let client = Server::shared().client();
    let claims = client.get("/api/v1/openapi.json");
    claims.expect(200);
    assert_eq!(claims.json["info"]["version"], "1.0");
    let paths = &claims.json["paths"];
    assert_eq!(keys(paths), [CLAIMS, STATUS, CLOCK]);
    assert_eq!(keys(&paths[CLAIMS]), ["post"]);
    assert_eq!(keys(&paths[STATUS]), ["get"]);
    let accounts = client.get("/api/v1/openapi/accounts.json");
    accounts.expect(200);
    assert_eq!(accounts.json["info"]["version"], "1.0");
}

#[test]
fn nothing_answers_to_an_operator_without_a_token_of_his() {
    let tenant = Tenant::shared();
    for client in [Server::shared().client(), tenant.client()] {
        let answer = client.post("/operations/reseal", "");
        assert!([401, 404].contains(&answer.status));
        assert_eq!(keys(&answer.json["error"]), ["code", "message", "request_id"]);
    }
}
