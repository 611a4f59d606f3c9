//! What a practice believes of a provider: for whom it speaks, and until when.

use overturn_tests::account::{Account, SESSION, cookie, show};
use overturn_tests::prelude::*;
use overturn_tests::providers::ProviderPerson;
use overturn_tests::sso::{DEMO, Practice, World, browser, code, is_signed_in, member, waits, world};
use std::slice::from_ref;

const PROVIDERS: &str = "/api/v1/settings/sso/providers";
const DOMAINS: &str = "/api/v1/settings/sso/domains";
/// What a member reads.
const DENIALS: &str = "/api/v1/denials";

/// An account whose address is in the practice's domain, and its person at the provider, who shows two factors there.
fn connected<'w>(world: &'w World, practice: &Practice<'w>, role: Role) -> (Account<'w>, ProviderPerson) {
    let account = Account::of(&practice.tenant, role);
    let page = Person::signed_in(&world.server, account.id, &account.email, Some(now()));
    let person = world.strong_person(&practice.moved(page.id));
    let connected = world.connect(&world.sign_in(&person), &page);
    connected.expect(201);
    (account, person)
}

/// How many sessions of an account count as sessions of a provider that its practice trusts.
fn trusted_sessions(world: &World, account: &Account<'_>) -> i64 {
    let count = "SELECT count(*) AS n FROM sessions WHERE user_id = ?1 AND sso IS NOT NULL";
    let id = account.id.to_string();
    world.server.database().number(count, &[&id])
}

#[test]
fn a_personal_account_with_an_address_of_the_domain_is_not_the_practices() {
    let world = world();
    let practice = world.practice();
    let mut person = world.strong_person(&practice.address());
    person.personal = true;
    world.providers.add(from_ref(&person));
    let waiting = world.sign_in(&person);
    assert!(waits(&waiting));
    assert_eq!(member(&world, &person.email), None);
    assert_eq!(cookie(&waiting, "__Host-session"), None);
    // A connected one signs in, but the practice's context and single sign-on are not its own.
    let (account, mut person) = connected(&world, &practice, Role::Member);
    assert!(is_signed_in(&world.sign_in(&person)));
    assert_eq!(trusted_sessions(&world, &account), 1);
    person.personal = true;
    world.providers.add(from_ref(&person));
    let asked = world.sign_in(&person);
    code(&world.client(), &asked, &account).expect(200);
    assert_eq!(trusted_sessions(&world, &account), 1);
}

#[test]
fn a_removed_person_does_not_return_with_another_address() {
    let world = world();
    let practice = world.practice();
    let owner = Person::of(&practice.tenant, Role::Owner);
    let mut person = world.strong_person(&practice.address());
    let done = world.sign_in(&person);
    let page = browser(&world.client(), &done);
    let session = page.get(SESSION).json;
    let id = session["user"]["id"].as_str().unwrap();
    let path = format!("/api/v1/settings/members/{id}");
    let gone = owner.client().delete(&path);
    gone.expect(204);
    person.email = practice.address();
    world.providers.add(from_ref(&person));
    world.assert_refused(&world.sign_in(&person), "removed");
    assert_eq!(member(&world, &person.email), None);
}

/// The practice's owner removes its only provider.
fn remove_provider(practice: &Practice<'_>) {
    let provider = "SELECT id FROM sso_providers WHERE practice_id = ?1";
    let rows = practice.tenant.rows(provider, &[]);
    let id = rows[0]["id"].as_str().unwrap();
    let removed = Person::of(&practice.tenant, Role::Owner).client().delete(&format!("{PROVIDERS}/{id}"));
    removed.expect(204);
}

#[test]
fn who_came_by_the_word_of_a_provider_alone_goes_with_it() {
    let world = world();
    let practice = world.practice();
    let person = world.strong_person(&practice.address());
    let done = world.sign_in(&person);
    let page = browser(&world.client(), &done);
    page.get(DENIALS).expect(200);
    remove_provider(&practice);
    page.get(SESSION).expect(401);
    world.assert_refused(&world.sign_in(&person), "practice");
}

#[test]
fn a_factor_that_only_the_provider_saw_is_shown_again() {
    let world = world();
    let practice = world.practice();
    let (account, person) = connected(&world, &practice, Role::Admin);
    let page = browser(&world.client(), &world.sign_in(&person));
    let webhook = json!({ "url": "https://hooks.example/x", "events": ["claim.status_changed"] }).to_string();
    let sensitive = || page.post("/api/v1/settings/webhooks", &*webhook);
    assert_ne!(sensitive().status, 402);
    remove_provider(&practice);
    let asked = sensitive();
    asked.expect(402);
    let token = asked.json["continuation_token"].as_str().unwrap();
    show(&page, token, &account.code(0)).expect(204);
}

#[test]
fn the_end_of_a_trust_ends_what_came_of_it() {
    let world = world();
    let practice = world.practice();
    let (account, person) = connected(&world, &practice, Role::Member);
    let done = world.sign_in(&person);
    assert!(is_signed_in(&done));
    let page = browser(&world.client(), &done);
    assert_eq!(trusted_sessions(&world, &account), 1);
    practice.require();
    page.get(DENIALS).expect(200);
    // The practice gives up the requirement and the provider, and requires single sign-on again by another one.
    let database = world.server.database();
    let practice_id = practice.tenant.id.to_string();
    let lift = "UPDATE practices SET sso_required = 0 WHERE id = ?1";
    database.change(lift, &[&practice_id]);
    remove_provider(&practice);
    assert_eq!(trusted_sessions(&world, &account), 0);
    let _saml = practice.saml(false);
    practice.require();
    let refused = page.get(DENIALS);
    refused.expect(403);
    // The identity still signs in, as one of a provider that the practice does not trust.
    let asked = world.sign_in(&person);
    code(&world.client(), &asked, &account).expect(200);
    assert_eq!(trusted_sessions(&world, &account), 0);
    let listed = page.get("/api/v1/auth/identities").json;
    assert_eq!(listed["identities"][0]["provider"], DEMO);
}

/// A provider of the installation speaks only for the practice's domains.
#[test]
fn the_end_of_a_domain_ends_what_a_provider_said_of_its_people() {
    let world = world();
    let practice = world.practice();
    let (account, person) = connected(&world, &practice, Role::Admin);
    assert!(is_signed_in(&world.sign_in(&person)));
    let newcomer = world.strong_person(&practice.address());
    let page = browser(&world.client(), &world.sign_in(&newcomer));
    page.get(DENIALS).expect(200);
    let owner = Person::of(&practice.tenant, Role::Owner).client();
    let remove = |domain: &Value| owner.delete(&format!("{DOMAINS}/{}", domain.as_str().unwrap())).expect(204);
    let other = owner.post(DOMAINS, r#"{"domain": "other.example"}"#);
    other.expect(201);
    let of_practice = "SELECT id FROM practice_domains WHERE practice_id = ?1 AND verified_at IS NOT NULL";
    let verified = practice.tenant.rows(of_practice, &[])[0]["id"].clone();
    // Nobody was trusted by one that was never verified, or by one that nobody has an address of.
    remove(&other.json["id"]);
    let unused = "INSERT INTO practice_domains (practice_id, id, domain, token, created_at, verified_at)
        VALUES (?1, '019aa307-3b5e-7c80-8e0e-0f5a3f0f1d20', ?2, 'x', 1, 1)";
    practice.tenant.change(unused, &[&format!("x{}.example", practice.tenant.id)]);
    remove(&json!("019aa307-3b5e-7c80-8e0e-0f5a3f0f1d20"));
    assert_eq!(trusted_sessions(&world, &account), 1);
    page.get(DENIALS).expect(200);
    remove(&verified);
    assert_eq!(trusted_sessions(&world, &account), 0);
    page.get(SESSION).expect(401);
}
