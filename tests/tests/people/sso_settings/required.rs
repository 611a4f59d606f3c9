use super::{PROVIDERS, SSO, World, delete, patch, place};
use overturn_core::auth::role::Role;
use overturn_tests::client::{Answer, Client};
use overturn_tests::person::Person;
use overturn_tests::race::at_once;
use serde_json::json;

const PRACTICE: &str = "/api/v1/settings/practice";
const TEXT: &str = "your practice requires single sign-on: sign out, and sign in with its identity provider";

fn require(client: &Client, on: bool) -> Answer {
    patch(client, SSO, &json!({ "required": on }))
}

impl World {
    /// Makes the session of a person one that began by single sign-on.
    fn by_sso(&self, person: &Person<'_>) {
        let sql = "UPDATE sessions SET sso = 1 WHERE user_id = ?1";
        let database = self.of.server.database();
        database.change(sql, &[&person.id.to_string()]);
    }

    /// Adds the provider of the installation, and a member who has signed in by it.
    fn proven(&self) -> serde_json::Value {
        let oidc = self.oidc();
        self.by_sso(&Person::of(&self.tenant, Role::Member));
        oidc
    }

    fn sweep(&self) {
        let raw = self.of.server.client().exchange("POST", "/.tests/sweep", Some(b""));
        assert_eq!(raw.status, 204);
    }
}

#[test]
fn a_running_session_of_a_member_is_refused_at_once_and_that_of_an_owner_is_not() {
    let world = World::new();
    let owner = world.owner.client();
    let member = Person::of(&world.tenant, Role::Member);
    let by_sso = Person::of(&world.tenant, Role::Member);
    world.by_sso(&by_sso);
    let body = json!({ "name": "x", "scopes": ["settings:read"], "expires_in_days": 9 });
    let made = owner.post("/api/v1/settings/api_tokens", body.to_string());
    let bearer = format!("Bearer {}", made.json["token"].as_str().unwrap());
    let bearer = world.of.server.client().with("Authorization", &bearer);
    let sessions = [&owner, &member.client(), &by_sso.client(), &bearer].map(|client| client.get(PRACTICE).status);
    assert_eq!(sessions, [200; 4]);
    let _oidc = world.oidc();
    assert_eq!(require(&owner, true).json["required"], true);
    assert_eq!(member.client().get(PRACTICE).nested(403), ("not_authorized", TEXT));
    for client in [&owner, &by_sso.client(), &bearer] {
        assert_eq!(client.get(PRACTICE).status, 200);
    }
    // A member can still see who they are and sign out.
    assert_eq!(member.client().get("/api/v1/auth/session").status, 200);
    assert_eq!(require(&owner, false).json["required"], false);
    assert_eq!(member.client().get(PRACTICE).status, 200);
}

#[test]
fn single_sign_on_needs_a_provider_and_keeps_the_last_one() {
    let world = World::new();
    let owner = world.owner.client();
    assert_eq!(require(&owner, true).nested(409).1, "add an identity provider first");
    let oidc = world.oidc();
    let untried = require(&owner, true);
    let (_, text) = untried.nested(409);
    assert!(text.starts_with("single sign-on has not worked"), "{text}");
    world.by_sso(&Person::of(&world.tenant, Role::Member));
    assert_eq!(require(&owner, true).status, 200);
    let last = "the practice requires single sign-on, and this is its last identity provider that works";
    assert_eq!(delete(&owner, &place(PROVIDERS, &oidc)).nested(409).1, last);
    let saml = world.saml();
    assert_eq!(delete(&owner, &place(PROVIDERS, &oidc)).status, 204);
    assert_eq!(delete(&owner, &place(PROVIDERS, &saml)).nested(409).1, last);
    assert_eq!(require(&owner, false).status, 200);
    assert_eq!(delete(&owner, &place(PROVIDERS, &saml)).status, 204);
}

#[test]
fn every_owner_gets_an_email_that_says_who_did_it_and_that_owners_keep_their_password() {
    let world = World::new();
    let second = Person::of(&world.tenant, Role::Owner);
    let _oidc = world.proven();
    let owner = world.owner.client();
    assert_eq!(require(&owner, true).status, 200);
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
    assert_eq!(require(&owner, false).status, 200);
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
