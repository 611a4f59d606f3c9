//! Keys and tokens that end soon.

use crate::webhooks::WEBHOOKS;
use overturn_core::base::instant::DAY_MS;
use overturn_tests::prelude::*;
use overturn_tests::receiver::{OK, Receiver};
use overturn_tests::tenant::now;

const EXPIRING: &str = "/api/v1/settings/expiring";

fn sweep(server: &Server) {
    assert_eq!(server.client().exchange("POST", "/.tests/sweep", Some(b"")).status, 204);
}

#[test]
fn owners_webhooks_and_the_person_of_a_token_are_told_once_and_home_lists_it() {
    let server = Server::lasting(&json!({ "LIMITS": "unlimited", "WEBHOOKS_LOCAL": "yes" }));
    let tenant = Tenant::new(&server);
    let [owner, admin] = [Role::Owner, Role::Admin].map(|role| Person::of(&tenant, role));
    let receiver = Receiver::new([OK]);
    let hook = json!({ "url": receiver.url(), "events": ["api_key.expiring", "api_token.expiring"] });
    owner.client().post(WEBHOOKS, hook.to_string()).expect(201);
    tenant.integration(&admin.client(), &["denials:read"]);
    // The job sees them late: both warnings before this one are missed.
    let end = now().plus(5 * DAY_MS).0;
    for table in ["api_keys", "api_tokens"] {
        let sql = format!("UPDATE {table} SET expires_at = {end}, warn_at = 1 WHERE practice_id = ?1");
        tenant.change(&sql, &[]);
    }
    let (mut to_owner, mut to_admin) = (server.mails_to(&owner.email), server.mails_to(&admin.email));
    sweep(&server);
    sweep(&server);
    let mut subjects = [to_owner.take().subject, to_owner.take().subject];
    subjects.sort();
    assert_eq!(subjects, ["An API key of your practice ends soon", "An API token of your practice ends soon"]);
    let mail = to_admin.take();
    assert!(mail.subject.contains("API token") && mail.text.contains("\"Reader\" (ovu_test_"), "{mail:?}");
    let mut told: Vec<Value> = receiver.wait(2).iter().map(|told| serde_json::from_str(&told.body).unwrap()).collect();
    told.sort_by_key(|body| body["type"].to_string());
    assert_eq!(told[0]["data"]["api_key"]["id"], json!(tenant.key.id));
    assert_eq!(told[1]["type"], "api_token.expiring");
    sweep(&server);
    let count = |sql: &str| tenant.number(sql);
    assert_eq!(count("SELECT count(*) AS n FROM notices WHERE practice_id = ?1"), 0);
    assert_eq!(count("SELECT count(*) AS n FROM deliveries WHERE practice_id = ?1"), 2);
    assert_eq!(tenant.audit("api_key.expiring").len(), 1);

    let listed = owner.client().get(EXPIRING);
    let kinds: Vec<&str> =
        listed.json["expiring"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 2, "{}", listed.text());
    assert!(kinds.contains(&"api_key") && kinds.contains(&"api_token"));
    tenant.member().get(EXPIRING).refused(403, "not_authorized");
    let revoked = format!("/api/v1/settings/api_keys/{}", tenant.key.id);
    owner.client().delete(&revoked).expect(204);
    assert_eq!(owner.client().get(EXPIRING).json["expiring"].as_array().unwrap().len(), 1);
    let other = Tenant::new(&server);
    assert_eq!(other.owner().get(EXPIRING).json["expiring"], json!([]));
}
