//! People who become members by signing in at a provider, and practices that require it.

use overturn_tests::account::SESSION;
use overturn_tests::prelude::*;
use overturn_tests::sso::{browser, is_signed_in, member, world};

const MEMBERS: &str = "/api/v1/settings/members";

#[test]
fn a_person_of_a_verified_domain_becomes_a_member_once() {
    let world = world();
    let practice = world.practice();
    let email = practice.address();
    let person = world.strong_person(&email);
    let done = world.sign_in(&person);
    assert!(is_signed_in(&done));
    assert_eq!(member(&world, &email), Some((practice.tenant.id, "member".into())));
    let page = browser(&world.client(), &done);
    let session = page.get(SESSION);
    assert_eq!(session.json["user"]["name"], person.name);
    assert_eq!(session.json["session"]["kind"], "full");
    let joined = practice.tenant.audit("member.joined");
    assert_eq!(joined.len(), 1);
    assert!(joined[0]["detail"].as_str().unwrap().contains("\"sso\""));
    // Again: the same account.
    let again = world.sign_in(&person);
    assert!(is_signed_in(&again));
    assert_eq!(practice.tenant.audit("member.joined").len(), 1);
    // Without the context, a new member may only enroll a second factor.
    let weak = world.person(&practice.address());
    let begun = world.sign_in(&weak);
    let page = browser(&world.client(), &begun);
    assert_eq!(page.get(SESSION).json["session"]["kind"], "enrolment");
}

#[test]
fn two_sign_ins_of_a_new_member_at_the_same_time_make_one_account() {
    let world = world();
    let practice = world.practice();
    let email = practice.address();
    let person = world.strong_person(&email);
    let client = world.client();
    let both = [world.at_oidc(&client, &person), world.at_oidc(&client, &person)];
    let world = &*world;
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let signing = both
            .iter()
            .map(|(cookie, callback)| scope.spawn(move || world.client().with("Cookie", cookie).get(callback)));
        let signing: Vec<_> = signing.collect();
        signing.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(answers.iter().all(is_signed_in));
    assert_eq!(practice.tenant.audit("member.joined").len(), 1);
    let accounts = "SELECT count(*) AS n FROM users WHERE email_key = ?1";
    assert_eq!(world.server.database().number(accounts, &[&email]), 1);
}

#[test]
fn a_removed_member_is_not_made_again() {
    let world = world();
    let practice = world.practice();
    let owner = Person::of(&practice.tenant, Role::Owner);
    let person = world.strong_person(&practice.address());
    let done = world.sign_in(&person);
    let page = browser(&world.client(), &done);
    let id = page.get(SESSION).json["user"]["id"].as_str().unwrap().to_owned();
    let gone = owner.client().delete(&format!("{MEMBERS}/{id}"));
    gone.expect(204);
    world.assert_refused(&world.sign_in(&person), "removed");
    page.get(SESSION).expect(401);
}

#[test]
fn a_practice_that_requires_a_provider_leaves_owners_their_password() {
    let world = world();
    let practice = world.practice();
    practice.require();
    let owner = Person::of(&practice.tenant, Role::Owner);
    let admin = Person::of(&practice.tenant, Role::Admin);
    owner.client().get(MEMBERS).expect(200);
    let refused = admin.client().get(MEMBERS);
    refused.expect(403);
    assert!(refused.text().contains("single sign-on"));
    // What is their own still works, so that they can connect.
    admin.client().get(SESSION).expect(200);
    let person = world.strong_person(&practice.moved(admin.id));
    let connected = world.connect(&world.sign_in(&person), &admin);
    connected.expect(201);
    let done = world.sign_in(&person);
    let page = browser(&world.client(), &done);
    page.get(MEMBERS).expect(200);
}
