use super::{DOMAINS, SSO, World, delete, patch, place};
use overturn_tests::prelude::*;

const PRACTICE: &str = "/api/v1/settings/practice";
const TEXT: &str = "your practice requires single sign-on: sign out, and sign in with its identity provider";

fn require(client: &Client, on: bool) -> Answer {
    patch(client, SSO, &json!({ "required": on }))
}

impl World {
    /// Makes the session of a person one that began by single sign-on.
    fn by_sso(&self, person: &Person<'_>) {
        let sql = "UPDATE sessions SET sso = 'x' WHERE user_id = ?1";
        let database = self.of.server.database();
        database.change(sql, &[&person.id.to_string()]);
    }

    /// Adds a verified domain and the provider of the installation.
    fn served(&self) -> serde_json::Value {
        let domain = self.domain(&self.fresh_domain());
        let id = domain["id"].as_str().unwrap();
        self.of.server.database().change("UPDATE practice_domains SET verified_at = 1 WHERE id = ?1", &[id]);
        self.oidc()
    }

    /// The same, with a member who has signed in by the provider.
    fn proven(&self) -> serde_json::Value {
        let oidc = self.served();
        self.by_sso(&Person::of(&self.tenant, Role::Member));
        oidc
    }

    fn sweep(&self) {
        let raw = self.of.server.client().exchange("POST", "/.tests/sweep", Some(b""));
        raw.expect(204);
    }
}

#[test]
fn a_running_session_of_a_member_is_refused_at_once_and_that_of_an_owner_is_not() {
    let world = World::new();
    let owner = world.owner.client();
    let member = Person::of(&world.tenant, Role::Member);
    let by_sso = Person::of(&world.tenant, Role::Member);
    world.by_sso(&by_sso);
    let bearer = world.tenant.integration(&owner, &["settings:read"]);
    let sessions = [&owner, &member.client(), &by_sso.client(), &bearer].map(|client| client.get(PRACTICE).status);
    assert_eq!(sessions, [200; 4]);
    let _oidc = world.served();
    assert_eq!(require(&owner, true).json["required"], true);
    assert_eq!(member.client().get(PRACTICE).nested(403), ("not_authorized", TEXT));
    for client in [&owner, &by_sso.client(), &bearer] {
        client.get(PRACTICE).expect(200);
    }
    // A member can still see who they are and sign out.
    member.client().get("/api/v1/auth/session").expect(200);
    assert_eq!(require(&owner, false).json["required"], false);
    member.client().get(PRACTICE).expect(200);
}

#[test]
fn every_owner_gets_an_email_that_says_who_did_it_and_that_owners_keep_their_password() {
    let world = World::new();
    let second = Person::of(&world.tenant, Role::Owner);
    let _oidc = world.proven();
    let owner = world.owner.client();
    require(&owner, true).expect(200);
    assert_eq!(require(&owner, true).status, 200, "nothing changes");
    world.sweep();
    for person in [&world.owner, &second] {
        let mut inbox = world.of.server.mails_to(&person.email);
        let added = inbox.take();
        assert_eq!(added.subject, "Your practice has a new identity provider");
        assert!(added.text.contains("A person, owner added"), "{}", added.text);
        let mail = inbox.take();
        assert_eq!(mail.subject, "Your practice now requires single sign-on");
        assert!(mail.text.contains("A person, owner turned on"), "{}", mail.text);
        assert!(mail.text.contains("password and your second factor"), "{}", mail.text);
        assert!(!mail.text.contains("http"), "no link");
    }
    require(&owner, false).expect(200);
    world.sweep();
    let mut inbox = world.of.server.mails_to(&second.email);
    let subjects = [inbox.take(), inbox.take(), inbox.take()].map(|mail| mail.subject);
    assert_eq!(subjects[2], "Your practice no longer requires single sign-on");
    let rows = world.tenant.audit("sso.required_changed");
    let details: Vec<_> = rows.iter().map(|row| row["detail"].as_str().unwrap()).collect();
    assert_eq!(details, [r#"{"required":true}"#, r#"{"required":false}"#]);
    assert_eq!(rows[0]["actor"], format!("user:{}", world.owner.id));
}

#[test]
fn of_several_equal_changes_at_once_one_is_audited() {
    let world = World::new();
    let _oidc = world.proven();
    let client = world.owner.client();
    let statuses = at_once((0..4).map(|_| || require(&client, true).status).collect());
    assert!(statuses.iter().all(|status| matches!(status, 200 | 409)), "{statuses:?}");
    assert_eq!(world.tenant.audit("sso.required_changed").len(), 1);
    let notices = "SELECT count(*) AS n FROM notices WHERE practice_id = ?1 AND kind = 'sso_required'";
    assert!(world.tenant.number(notices) <= 1);
}

#[test]
fn a_practice_keeps_the_last_domain_of_a_provider_that_needs_one() {
    let world = World::new();
    let _oidc = world.proven();
    let client = world.owner.client();
    let domain = place(DOMAINS, &world.shown()["domains"][0]);
    require(&client, true).expect(200);
    let refused = delete(&client, &domain);
    refused.expect(409);
    assert_eq!(refused.json["error"]["reason"], "last_provider");
    require(&client, false).expect(200);
    delete(&client, &domain).expect(204);
    let refused = require(&client, true);
    refused.expect(409);
    assert_eq!(refused.json["error"]["reason"], "provider_missing");
}
