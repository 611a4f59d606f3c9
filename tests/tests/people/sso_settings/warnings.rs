use super::World;
use overturn_core::base::instant::DAY_MS;
use overturn_tests::prelude::*;
use std::time::Duration;

impl World {
    /// Lets the certificates of a provider end in this many days.
    fn ends_in(&self, provider: &Value, days: i64) {
        let end = now().0 + days * DAY_MS;
        let sql = "UPDATE sso_providers SET certificates_end = CAST(?3 AS INTEGER), warn_at = CAST(?4 AS INTEGER)
                   WHERE practice_id = ?1 AND id = ?2";
        let first = end - 30 * DAY_MS;
        let params = [provider["id"].as_str().unwrap(), &end.to_string(), &first.to_string()];
        self.tenant.change(sql, &params);
    }

    fn strike(&self) {
        let raw = self.of.server.client().exchange("POST", "/.tests/sweep", Some(b""));
        raw.expect(204);
    }
}

#[test]
fn owners_and_admins_are_warned_once_before_certificates_end() {
    let world = World::new();
    let admin = Person::of(&world.tenant, Role::Admin);
    let member = Person::of(&world.tenant, Role::Member);
    let saml = world.saml();
    world.ends_in(&saml, 31);
    world.strike();
    assert!(world.tenant.audit("sso.provider_ending").is_empty());
    world.ends_in(&saml, 29);
    world.strike();
    world.strike();
    let rows = world.tenant.audit("sso.provider_ending");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["record"], saml["id"]);
    assert_eq!(rows[0]["actor"], "service");
    let added = world.of.server.mails_to(&world.owner.email).take();
    assert_eq!(added.subject, "Your practice has a new identity provider");
    for (person, earlier) in [(&world.owner, 1), (&admin, 0)] {
        let mut inbox = world.of.server.mails_to(&person.email);
        for _ in 0..earlier {
            inbox.take();
        }
        let mail = inbox.take();
        assert_eq!(mail.subject, "The certificate of your identity provider ends soon");
        assert!(mail.text.contains("with Demo."), "{}", mail.text);
        assert!(inbox.take_within(Duration::from_millis(300)).is_none());
    }
    let mut inbox = world.of.server.mails_to(&member.email);
    assert!(inbox.take_within(Duration::from_millis(300)).is_none());
    let id = saml["id"].clone();
    let logged = |line: &Value| line["event"] == "provider_ending" && line["provider_id"] == id;
    assert!(world.of.server.log().has(logged));
}
