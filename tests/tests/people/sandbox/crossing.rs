//! A sandbox and its live practice never mix.

use overturn_tests::client::CLAIMS;
use overturn_tests::prelude::*;
use overturn_tests::sandbox::{CLOCK, SANDBOX, Sandbox};
use overturn_tests::staff;

/// What the other side has, by which a caller tries to reach it.
struct Other {
    practice: String,
    claim: String,
    case: String,
    key: String,
}

impl Other {
    fn of(tenant: &Tenant<'_>, number: &str) -> Self {
        let first = |sql: &str| {
            tenant.rows(sql, &[]).first().map_or_else(String::new, |row| row["id"].as_str().unwrap().into())
        };
        Self {
            practice: tenant.id.to_string(),
            claim: tenant.row(number)["id"].as_str().unwrap().into(),
            case: first("SELECT id FROM cases WHERE practice_id = ?1"),
            key: tenant.key.id.clone(),
        }
    }
}

/// Calls of people of the live practice about the records of its sandbox: the method, the path, the body, and the status for
/// a record of another practice.
fn of_owner(other: &Other) -> Vec<(&'static str, String, &'static str, u16)> {
    let Other { practice, claim, case, key } = other;
    let get = |path: String, status| ("GET", path, "", status);
    vec![
        get(format!("/api/v1/denials/{claim}"), 404),
        get(format!("/api/v1/denials/{claim}/signing_link"), 404),
        ("PATCH", format!("/api/v1/denials/{claim}/letter"), r#"{"plan_type":"other"}"#, 404),
        get(format!("/api/v1/appeals/{case}"), 404),
        get(format!("/api/v1/reports/{case}"), 404),
        get(format!("/api/v1/documents/{claim}"), 404),
        get(format!("/api/v1/documents/{claim}/content"), 404),
        ("DELETE", format!("/api/v1/documents/{claim}"), "", 404),
        ("DELETE", format!("/api/v1/settings/api_keys/{key}"), "", 404),
        get(format!("/api/v1/settings/webhooks/{claim}"), 404),
        get(format!("/api/v1/settings/webhooks/{claim}/deliveries"), 404),
        ("POST", format!("/api/v1/settings/webhooks/{claim}/test"), "", 404),
        get(format!("/api/v1/staff/practices/{practice}/claims/{claim}"), 403),
        get(format!("/api/v1/staff/summary?practice_id={practice}"), 403),
    ]
}

/// Calls of the staff about a sandbox.
fn of_staff(other: &Other) -> Vec<(&'static str, String, String)> {
    let Other { practice, claim, case, .. } = other;
    let of = |path: &str| format!("/api/v1/staff/practices/{practice}/{path}");
    let reads = [
        of(&format!("claims/{claim}")),
        of(&format!("claims/{claim}/related")),
        of(&format!("claims/{claim}/signature")),
        of("cases"),
        of(&format!("cases/{case}")),
        of("reports"),
        of("documents"),
    ];
    let reads = reads.into_iter().map(|path| ("GET", path, String::new()));
    let writes =
        staff::writes(claim, case).into_iter().map(|(method, path, body)| (method, of(&path), body.to_string()));
    reads.chain(writes).collect()
}

#[test]
fn sixty_attempts_to_cross_are_refused_as_for_another_practice() {
    let live = Tenant::shared();
    let owner = live.owner();
    let sandbox = Sandbox::of(&live);
    sandbox.client.send(&batch([item("RECOVER-1"), item("SIGN-1")])).expect(201);
    sandbox.advance("P10D");
    live.send(&item("LIVE-1"));
    let there = Other::of(&sandbox.practice, "RECOVER-1");
    let mut tried = 0;
    let before = (sandbox.practice.counts(), live.counts());

    // People of the live practice.
    for (method, path, body, status) in of_owner(&there) {
        let answer = owner.with("If-Match", "\"1\"").request(
            method,
            &path,
            (method != "GET" && method != "DELETE").then_some(body.as_bytes()),
        );
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
        tried += 1;
    }
    for list in [
        "denials",
        "denials/payers",
        "denials/summary",
        "appeals",
        "reports",
        "documents",
        "settings/api_keys",
        "settings/webhooks",
        "settings/members",
    ] {
        let listed = owner.get(&format!("/api/v1/{list}"));
        listed.expect(200);
        for hidden in [&there.practice, &there.claim, &there.case, &there.key] {
            assert!(!listed.text().contains(hidden.as_str()), "{list}");
        }
        tried += 1;
    }
    assert_eq!(owner.get("/api/v1/denials/summary").json["total"]["claims"], 1);

    // The staff.
    let staff = Worker::on(&live).client.with("If-Match", "\"1\"");
    for (method, path, body) in of_staff(&there) {
        let answer = staff.request(method, &path, (method != "GET").then_some(body.as_bytes()));
        assert!(matches!(answer.status, 403 | 404 | 409), "{method} {path}: {} {}", answer.status, answer.text());
        assert!(!answer.text().contains("RECOVER-1"), "{path}");
        tried += 1;
    }
    let several = json!([{ "practice_id": there.practice, "id": there.claim, "version": 1 }]);
    for (path, body) in [
        ("/api/v1/staff/claims/take", json!({ "claims": several })),
        ("/api/v1/staff/claims/signing", json!({ "decision": "needed", "claims": several })),
    ] {
        let answer = staff.post(path, body.to_string());
        answer.expect(200);
        assert_ne!(answer.json["results"][0]["status"], "done", "{}", answer.text());
        tried += 1;
    }

    // Keys: of each side, at the other's numbers and clocks.
    let key = live.client();
    for number in ["RECOVER-1", "SIGN-1"] {
        key.status(number).expect(404);
        tried += 1;
    }
    sandbox.client.status("LIVE-1").expect(404);
    key.get(CLOCK).expect(404);
    key.post(CLOCK, r#"{"advance":"P1D"}"#).expect(404);
    for client in [&key, &sandbox.client] {
        for path in [SANDBOX, "/api/v1/denials", "/api/v1/settings/practice", "/api/v1/staff/claims"] {
            client.get(path).expect(401);
            tried += 1;
        }
    }
    tried += 3;

    // Another practice's owner.
    let stranger = Tenant::shared().owner();
    assert_eq!(stranger.get(SANDBOX).json["sandbox"], Value::Null);
    stranger.post(&format!("{SANDBOX}/empty"), "").expect(404);
    stranger.post(&format!("{SANDBOX}/keys"), r#"{"name":"x","scopes":["claims:read"]}"#).expect(404);
    stranger.delete(&format!("{SANDBOX}/keys/{}", there.key)).expect(404);
    owner.delete(&format!("{SANDBOX}/keys/{}", live.key.id)).expect(404);
    tried += 5;

    assert!(tried >= 60, "{tried}");
    assert_eq!((sandbox.practice.counts(), live.counts()), before);
    // A number is each side's own.
    sandbox.client.post(CLAIMS, item("LIVE-1").to_string()).expect(201);
    assert_eq!(live.row("LIVE-1")["status"], "received");
}
