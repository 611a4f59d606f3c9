//! `/api/v1/settings/audit/verify` and `…/export`: verifying and exporting the audit trail.

use data_encoding::HEXLOWER;
use overturn_tests::prelude::*;
use sha2::{Digest, Sha256};

const VERIFY: &str = "/api/v1/settings/audit/verify";
const EXPORT: &str = "/api/v1/settings/audit/export";
const STAFF: &str = "/api/v1/staff/audit";

fn lines(answer: &Answer) -> Vec<Value> {
    answer.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let text = answer.text();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The check that docs/TRAIL.md describes for practices: the digest of a line's fields, each after its length.
fn digest(line: &Value) -> String {
    let fields = [
        "trail",
        "sequence",
        "id",
        "at",
        "actor",
        "action",
        "record",
        "request_id",
        "detail",
        "address",
        "session_id",
        "mac",
        "previous",
    ];
    let mut encoded = String::from("16:overturn trail 1");
    for field in fields {
        let value = match &line[field] {
            Value::Null => {
                encoded.push('-');
                continue;
            }
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        encoded.push_str(&format!("{}:{value}", value.len()));
    }
    HEXLOWER.encode(&Sha256::digest(encoded))
}

#[test]
fn sends_at_once_leave_a_chain_without_a_gap_that_an_export_proves() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    assert_eq!(
        owner.get(VERIFY).json,
        json!({ "rows_checked": 0, "rows_without_mac": 0, "checked_to": null, "head": null, "intact": true,
            "broken": null, "next_cursor": null })
    );
    let send = |n: usize| {
        let client = tenant.client();
        move || {
            let sent = client.send(&item(&format!("T-{n}")));
            sent.expect(201);
        }
    };
    // The first of them makes the practice's data key, which adds a row.
    at_once((0..20).map(send).collect());
    // Two parallel readers link the same rows.
    let look = || owner.get(VERIFY);
    let verified = at_once(vec![look, look]);
    for found in &verified {
        found.expect(200);
        assert_eq!((&found.json["intact"], &found.json["rows_checked"]), (&json!(true), &json!(21)));
        assert_eq!(found.json["head"]["sequence"], 21);
        assert_eq!(found.json["rows_without_mac"], 0);
    }
    assert_eq!(verified[0].json, verified[1].json);

    let first = owner.get(&format!("{EXPORT}?limit=12"));
    let next = first.header("link").unwrap();
    let next = next.strip_prefix('<').unwrap().split('>').next().unwrap();
    let rest = owner.get(next);
    let mut rows = lines(&first);
    assert_eq!(rows.len(), 12);
    rows.extend(lines(&rest));
    let mut previous = "0".repeat(64);
    for (n, row) in rows.iter().enumerate() {
        assert_eq!((&row["sequence"], &row["previous"]), (&json!(n + 1), &json!(previous)));
        previous = digest(row);
        assert_eq!(row["digest"], previous);
        assert_eq!(row["trail"], tenant.id.to_string());
    }
    assert_eq!(verified[0].json["head"]["digest"], previous);

    // A reader that saved the end of the trail continues from there.
    tenant.send(&item("T-99"));
    let kept = owner.get(&format!("{VERIFY}?cursor=21_{previous}"));
    assert_eq!((&kept.json["rows_checked"], &kept.json["intact"]), (&json!(1), &json!(true)));
    let wrong = owner.get(&format!("{VERIFY}?cursor=21_{}", "0".repeat(64)));
    let broken = &wrong.json["broken"];
    assert_eq!((&broken["sequence"], &broken["reason"]), (&json!(22), &json!("changed")));
    owner.get(&format!("{VERIFY}?cursor=x")).refused(422, "validation_failed");
    owner.get(&format!("{EXPORT}?limit=1001")).refused(422, "validation_failed");
}

#[test]
fn only_leaders_and_tokens_for_it_verify_and_export_a_trail_and_only_their_own() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    tenant.send(&item("A-1"));
    for path in [VERIFY, EXPORT] {
        let member = tenant.member();
        member.get(path).refused(403, "not_authorized");
        Person::staff(Server::shared()).client().get(path).refused(403, "not_authorized");
        Server::shared().client().get(path).refused(401, "not_authenticated");
    }
    let foreign = other.owner();
    assert_eq!(lines(&foreign.get(EXPORT)), Vec::<Value>::new());
    assert_eq!(foreign.get(VERIFY).json["rows_checked"], 0);
    let reader = tenant.integration(&tenant.admin(), &["audit:read"]);
    // The rows of the data key, the send and the token.
    assert_eq!(lines(&reader.get(EXPORT)).len(), 3);
}

#[test]
fn a_change_without_triggers_is_found_and_nothing_is_linked_after_it() {
    let server = Server::lasting(&json!({ "LIMITS": "unlimited" }));
    let database = server.database();
    let practices: Vec<(Tenant<'_>, Person<'_>)> = (0..3)
        .map(|_| {
            let tenant = Tenant::new(&server);
            let owner = Person::of(&tenant, Role::Owner);
            // Four, with the row of the practice's data key.
            for n in 0..3 {
                tenant.send(&item(&format!("T-{n}")));
            }
            assert_eq!(owner.client().get(VERIFY).json["head"]["sequence"], 4);
            (tenant, owner)
        })
        .collect();
    for name in ["audit_keep", "audit_stay"] {
        database.change(&format!("DROP TRIGGER {name}"), &[]);
    }
    let verify = |n: usize| practices[n].1.client().get(VERIFY).json;
    practices[0].0.change("UPDATE audit SET record = 'x', mac = NULL WHERE practice_id = ?1 AND seq = 2", &[]);
    let found = verify(0);
    assert_eq!((&found["intact"], &found["rows_checked"]), (&json!(false), &json!(2)));
    assert_eq!((&found["broken"]["sequence"], &found["broken"]["reason"]), (&json!(3), &json!("changed")));
    assert!(found["broken"]["id"].is_string() && found["next_cursor"].is_null());
    practices[1].0.change("DELETE FROM audit WHERE practice_id = ?1 AND seq = 4", &[]);
    let found = verify(1);
    assert_eq!(found["broken"], json!({ "sequence": 4, "id": null, "reason": "missing" }));
    // A forged row in place of one that is not linked yet.
    let (tenant, owner) = &practices[2];
    tenant.send(&item("T-9"));
    tenant.change("UPDATE audit SET actor = 'operator' WHERE practice_id = ?1 AND seq = 5", &[]);
    let found = verify(2);
    assert_eq!((&found["broken"]["sequence"], &found["broken"]["reason"]), (&json!(5), &json!("forged")));
    assert_eq!((&found["head"]["sequence"], &found["intact"]), (&json!(4), &json!(false)));
    assert_eq!(lines(&owner.client().get(EXPORT)).len(), 4);
    let named = |line: &Value| line["event"] == "trail_broken" && line["trail"] == tenant.id.to_string();
    assert!(server.log().has(named));
}

#[test]
fn the_scheduled_job_links_unread_trails() {
    let server = Server::lasting(&json!({ "LIMITS": "unlimited" }));
    let tenant = Tenant::new(&server);
    // Three, with the row of the practice's data key.
    for n in 0..2 {
        tenant.send(&item(&format!("T-{n}")));
    }
    let linked = "SELECT count(*) AS n FROM audit WHERE practice_id = ?1 AND previous IS NOT NULL";
    assert_eq!(tenant.number(linked), 0);
    let sweep = || server.client().exchange("POST", "/.tests/sweep", Some(b"")).status;
    assert_eq!(at_once(vec![sweep; 3]), [204; 3]);
    assert_eq!(tenant.number(linked), 3);
    assert_eq!(tenant.number("SELECT seq AS n FROM trail_heads WHERE practice_id = ?1"), 3);
    let named = |line: &Value| line["event"] == "trail_linked" && line["trail"] == tenant.id.to_string();
    assert!(server.log().has(named));
    assert_eq!(tenant.owner().get(VERIFY).json["rows_checked"], 3);
}

#[test]
fn an_auditor_reads_the_staffs_trail_and_nothing_that_the_staff_see() {
    let tenant = Tenant::shared();
    let sent = tenant.send(&item("A-1"));
    let claim = sent.claims[0].outcome.as_ref().unwrap().id.clone();
    let staff = Person::staff(Server::shared());
    let _searched = staff.client().get("/api/v1/staff/claims?claim_number=A-1");
    let auditor = Person::auditor(Server::shared());
    let client = auditor.client();
    assert_eq!(client.get("/api/v1/auth/session").json["user"]["role"], "auditor");
    let read = client.get(STAFF);
    read.expect(200);
    let rows = read.json["audit"].as_array().unwrap();
    let row = rows.iter().find(|row| row["actor"]["id"] == staff.id.to_string()).unwrap();
    assert_eq!((&row["action"], &row["session_id"]), (&json!("queue.searched"), &json!(staff.session_id)));
    assert_eq!(row["actor"]["name"], "A person, staff");
    let found = client.get(&format!("{STAFF}/verify"));
    assert_eq!(found.json["intact"], true, "{}", found.text());
    let exported = lines(&client.get(&format!("{STAFF}/export")));
    assert!(exported.iter().all(|line| line["trail"] == "staff" && line["digest"] == digest(line)));
    let practice = format!("/api/v1/staff/practices/{}", tenant.id);
    for closed in [
        "/api/v1/staff/claims".to_owned(),
        format!("{practice}/claims/{claim}"),
        format!("{practice}/claims/{claim}/signature"),
        format!("{practice}/reports"),
        format!("{practice}/cases"),
        "/api/v1/settings/audit".into(),
        "/api/v1/settings/practice".into(),
        "/api/v1/denials".into(),
    ] {
        assert_eq!(client.get(&closed).nested(403).0, "not_authorized", "{closed}");
    }
    let noted = client.post(&format!("{practice}/claims/{claim}/notes"), r#"{"text":"x"}"#);
    noted.refused(403, "not_authorized");
    for path in ["", "/verify", "/export"] {
        let path = format!("{STAFF}{path}");
        for person in [Person::staff(Server::shared()), Person::of(&tenant, Role::Owner)] {
            assert_eq!(person.client().get(&path).nested(403).0, "not_authorized", "{path}");
        }
    }
}
