//! ETags: every readable route answers `304` to a caller that has the current version.

use crate::invitations::address;
use overturn_tests::prelude::*;
use std::collections::BTreeMap;

const DESCRIPTION: &str = "/api/v1/openapi/accounts.json";

/// The identity that waits after a sign-in at a provider. Other people have none.
const WAITING: &str = "/api/v1/auth/identities/waiting";

/// Every route that members read, except those for single records.
fn reads() -> Vec<String> {
    let description = Server::shared().client().get(DESCRIPTION);
    let paths = description.json["paths"].as_object().unwrap().iter();
    let reads = paths.filter(|(path, operations)| {
        operations["get"].is_object() && !path.contains('{') && !path.contains("/staff/") && *path != WAITING
    });
    let reads: Vec<_> = reads.map(|(path, _)| path.clone()).collect();
    assert!(reads.len() > 9, "{reads:?}");
    reads
}

/// The ETags of every readable route and of one claim.
fn tags(client: &Client, claim: &str) -> BTreeMap<String, String> {
    let tag = |path: String| {
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{path} {}", answer.text());
        let tag = answer.header("etag").expect(&path).to_owned();
        (path, tag)
    };
    let one = format!("/api/v1/denials/{claim}");
    reads().into_iter().chain([one]).map(tag).collect()
}

#[test]
fn a_read_that_changed_nothing_is_not_sent_again() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let sent = tenant.send(&item("A-1"));
    for (path, tag) in tags(&owner, sent.id(0)) {
        let known = [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".into()];
        for known in known {
            let same = owner.with("If-None-Match", &known).get(&path);
            assert_eq!((same.status, &same.json), (304, &Value::Null), "{known} {path}");
            assert_eq!(same.header("etag"), Some(&*tag), "{known} {path}");
        }
        for other in ["\"x\"", &tag[1..], "W/*", ""] {
            let sent = owner.with("If-None-Match", other).get(&path);
            assert_eq!(sent.status, 200, "{other} {path}");
            assert!(!sent.text().is_empty(), "{other} {path}");
        }
    }
}

#[test]
fn a_tag_changes_with_its_parts() {
    let tenant = Tenant::shared();
    let person = Person::of(&tenant, Role::Owner);
    let owner = person.client();
    let sent = tenant.send(&item("A-1"));
    let before = tags(&owner, sent.id(0));
    tenant.send(&with(item("A-1"), "claim.billed_amount", "1.00"));
    let _payer = tenant.send(&with(item("A-2"), "claim.payer_name", "Another payer"));
    let _second = person.session(None);
    tenant.change(
        "INSERT INTO agreements (practice_id, id, kind, version, signer_name, signer_title, signed_at, ended_at)
         VALUES (?1, '00000000-0000-7000-8000-000000000001', 'baa', 'earlier', 'Ann Lee', 'Owner', 1, 2)",
        &[],
    );
    let account = person.id.to_string();
    for row in [
        "INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
         VALUES (?2, '00000000-0000-7000-8000-000000000001', 'demo', 'https://idp.example', ?1, 'a@b.example', 1)",
        "INSERT INTO recovery_codes (user_id, hash) SELECT ?2, ?1",
        "INSERT INTO passkeys (user_id, id, credential_id, public_key, sign_count, backup_eligible, backed_up, transports, name, created_at)
         VALUES (?2, '00000000-0000-7000-8000-000000000001', ?1, '{}', 0, 0, 0, '[]', 'Key', 1)",
    ] {
        tenant.change(row, &[&account]);
    }
    for (method, noun, body) in [
        ("PATCH", "practice", json!({ "name": "Harbour Clinic" })),
        ("POST", "members", json!({ "email": address(), "role": "member" })),
        ("POST", "api_keys", json!({ "name": "x", "scopes": ["claims:read"] })),
        ("POST", "api_tokens", json!({ "name": "x", "scopes": ["audit:read"], "expires_in_days": 1 })),
        ("POST", "data_jobs", json!({ "kind": "return" })),
        ("PATCH", "documents", json!({ "retention_days": 3650 })),
        ("POST", "webhooks", json!({ "url": "https://hooks.example.com/", "events": ["report.delivered"] })),
        ("POST", "sso/domains", json!({ "domain": "clinic.example" })),
        ("POST", "sandbox", json!({})),
    ] {
        let body = body.to_string();
        let target = format!("/api/v1/settings/{noun}");
        let changed = owner.seeing(&target).request(method, &target, Some(body.as_bytes()));
        assert!([200, 201].contains(&changed.status), "{}", changed.text());
    }
    let worker = Worker::on(&tenant);
    let ids = worker.reviewed(&["R-1"]);
    worker.report(&ids).expect(201);
    worker.open(&ids, None).expect(201);
    let form = FormData::default().file("file", "a.txt", b"A letter.");
    let sender = owner.with("Content-Type", FormData::CONTENT_TYPE);
    sender.post("/api/v1/documents", form.end()).expect(201);
    let after = tags(&owner, sent.id(0));
    for (path, tag) in before {
        // Only a new version or configuration of the Worker changes these.
        let constant = path.contains("openapi") || path.ends_with("/auth/providers");
        assert_eq!(after[&path] == tag, constant, "{path}");
    }
}
