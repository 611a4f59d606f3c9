use super::{DOMAINS, World, delete, place};
use overturn_tests::prelude::*;
use overturn_tests::resolver::Found;
use std::time::Duration;

impl World {
    /// Sets what the resolver finds for a domain of the practice.
    fn publish(&self, domain: &Value, found: Found) {
        let name = domain["txt_name"].as_str().unwrap();
        self.of.resolver.set(name, found);
    }

    fn verify(&self, domain: &Value) -> Answer {
        let target = format!("{}/verify", place(DOMAINS, domain));
        self.owner.client().post(&target, "")
    }
}

fn quoted(domain: &Value) -> String {
    format!("\"{}\"", domain["txt_value"].as_str().unwrap())
}

#[test]
fn a_domain_says_what_to_publish_and_is_verified_when_it_is_published() {
    let world = World::new();
    let name = world.fresh_domain();
    let domain = world.domain(&name.to_uppercase());
    assert_eq!(domain["domain"], name);
    assert_eq!(domain["txt_name"], format!("_overturn.{name}"));
    assert_eq!(domain["verified_at"], Value::Null);
    let missing = world.verify(&domain);
    let text = format!(
        "this cannot be done now: a TXT record of _overturn.{name} must be {}",
        domain["txt_value"].as_str().unwrap()
    );
    assert_eq!(missing.nested(409).1, text);
    world.publish(&domain, Found::Texts(vec!["\"v=spf1 -all\"".into(), quoted(&domain)]));
    let verified = world.verify(&domain);
    verified.expect(200);
    assert!(verified.json["verified_at"].is_string());
    let asked = world.of.resolver.asked(&format!("_overturn.{name}"));
    assert_eq!(asked, ["application/dns-json", "application/dns-json"]);
    // A second time, nobody is asked and nothing is written.
    assert_eq!(world.verify(&domain).json, verified.json);
    assert_eq!(world.of.resolver.asked(&format!("_overturn.{name}")).len(), 2);
    assert_eq!(world.tenant.audit("sso.domain_verified").len(), 1);
    assert_eq!(world.shown()["domains"], json!([verified.json]));
}

#[test]
fn a_resolver_that_is_slow_or_broken_proves_nothing_and_a_retry_may_succeed() {
    let world = World::new();
    let domain = world.domain(&world.fresh_domain());
    let right = json!({ "Status": 0, "Answer": [{ "type": 16, "data": quoted(&domain) }] });
    let mut large = right.clone();
    large["Comment"] = json!("x".repeat(65 * 1024));
    world.of.resolver.set("elsewhere", Found::Raw(200, right.to_string()));
    let elsewhere = format!("{}?name=elsewhere&type=TXT", world.of.resolver.url());
    for found in [
        Found::Raw(200, json!({ "Status": 2 }).to_string()),
        Found::Raw(200, "<html>".into()),
        Found::Raw(500, right.to_string()),
        Found::Raw(200, large.to_string()),
        Found::Redirect(elsewhere),
        Found::Hang(Duration::from_secs(8)),
        Found::Endless,
    ] {
        let said = format!("{found:.60?}");
        world.publish(&domain, found);
        let answer = world.verify(&domain);
        assert_eq!(answer.status, 503, "{said}: {}", answer.text());
        assert!(answer.header("retry-after").is_some());
    }
    assert!(world.of.resolver.asked("elsewhere").is_empty(), "no redirect is followed");
    world.publish(&domain, Found::Raw(200, right.to_string()));
    world.verify(&domain).expect(200);
}

#[test]
fn two_practices_may_claim_a_domain_and_one_has_it() {
    let (world, other) = (World::new(), World::new());
    let name = world.fresh_domain();
    let (own, theirs) = (world.domain(&name), other.domain(&name));
    assert_ne!(own["txt_value"], theirs["txt_value"]);
    world.publish(&own, Found::Texts(vec![quoted(&own), quoted(&theirs)]));
    world.verify(&own).expect(200);
    let text = "another practice has verified this domain; if it is yours, tell us";
    assert_eq!(other.verify(&theirs).nested(409).1, text);
    let removed = delete(&world.owner.client(), &place(DOMAINS, &own));
    removed.expect(204);
    // A practice of another database waits for two minutes: a batch may be under way.
    let later = "UPDATE domains SET reserved_at = reserved_at - 120000 WHERE domain = ?1";
    world.owner.server.database().change_directory(later, &[&name]);
    other.verify(&theirs).expect(200);
    delete(&world.owner.client(), &place(DOMAINS, &own)).expect(404);
}
