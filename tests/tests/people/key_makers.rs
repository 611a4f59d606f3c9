//! Who made an API key, and the notice to owners when that person leaves.

use crate::invitations::MEMBERS;
use crate::members::{change, remove};
use overturn_tests::prelude::*;
use std::time::Duration;

const KEYS: &str = "/api/v1/settings/api_keys";
const SUBJECT: &str = "API keys of your practice go on working";

fn made(by: &Person<'_>) -> Value {
    let body = json!({ "name": "Billing", "scopes": ["claims:write"] });
    let made = by.client().post(KEYS, body.to_string());
    made.expect(201);
    made.json
}

#[test]
fn a_key_shows_its_maker_and_their_removal_and_owners_get_an_email() {
    let tenant = Tenant::shared();
    let [owner, second, admin] = [Role::Owner, Role::Owner, Role::Admin].map(|role| Person::of(&tenant, role));
    let mut inboxes = [&owner, &second].map(|person| Server::shared().mails_to(&person.email));
    let key = made(&admin);
    let maker = json!({ "id": admin.id, "name": "A person, admin" });
    assert_eq!((&key["created_by"], &key["maker_removed"]), (&maker, &json!(false)));
    let revoked = made(&admin);
    let one = format!("{KEYS}/{}", revoked["id"].as_str().unwrap());
    owner.client().delete(&one).expect(204);

    remove(&owner.client(), admin.id).expect(204);
    let listed = owner.client().get(KEYS).json;
    let shown = listed["api_keys"].as_array().unwrap().iter().find(|k| k["id"] == key["id"]);
    let shown = shown.unwrap();
    assert_eq!((&shown["created_by"], &shown["maker_removed"]), (&maker, &json!(true)));
    // The operator made the practice's first key.
    let first = listed["api_keys"].as_array().unwrap().last().unwrap();
    assert_eq!((&first["created_by"], &first["maker_removed"]), (&Value::Null, &json!(false)));
    for inbox in &mut inboxes {
        let letter = inbox.take();
        assert_eq!(letter.subject, SUBJECT);
        assert!(letter.text.contains("One API key that this person made goes"), "{}", letter.text);
        assert!(!letter.text.contains("http") && !letter.text.contains("A person"), "{}", letter.text);
    }
    let client = Server::shared().client();
    let key = client.with("Authorization", &format!("Bearer {}", key["key"].as_str().unwrap()));
    assert_eq!(key.send(&item("K-1")).status, 201, "it goes on working");
}

#[test]
fn owners_get_an_email_about_keys_of_a_former_maker_if_there_are_any() {
    let tenant = Tenant::shared();
    let [owner, leaving, admin, idle] =
        [Role::Owner, Role::Owner, Role::Admin, Role::Admin].map(|role| Person::of(&tenant, role));
    let mut inbox = Server::shared().mails_to(&owner.email);
    let mut gone = Server::shared().mails_to(&leaving.email);
    let _keys = [made(&admin), made(&admin), made(&leaving)];
    // An owner who becomes an admin may still make keys. A person without keys leaves none behind.
    change(&owner.client(), leaving.id, "admin").expect(200);
    remove(&owner.client(), idle.id).expect(204);
    change(&owner.client(), admin.id, "member").expect(200);
    let letter = inbox.take();
    assert!(letter.text.contains("a role now that makes no API keys"), "{}", letter.text);
    assert!(letter.text.contains("2 API keys that this person made go"), "{}", letter.text);
    assert_eq!(inbox.take_within(Duration::from_secs(1)), None);
    assert_eq!(gone.take_within(Duration::from_millis(1)), None);
    let listed = owner.client().get(MEMBERS);
    assert_eq!(listed.json["members"].as_array().unwrap().len(), 3);
    let key = &owner.client().get(KEYS).json["api_keys"][1];
    assert_eq!(key["maker_removed"], false, "the maker is still a member");
}

#[test]
fn an_owner_who_leaves_hears_nothing_and_the_others_do() {
    let tenant = Tenant::shared();
    let [stays, leaves] = [Role::Owner, Role::Owner].map(|role| Person::of(&tenant, role));
    let mut inboxes = [&stays, &leaves].map(|person| Server::shared().mails_to(&person.email));
    let _key = made(&leaves);
    remove(&leaves.client(), leaves.id).expect(204);
    assert_eq!(inboxes[0].take().subject, SUBJECT);
    assert_eq!(inboxes[1].take_within(Duration::from_secs(1)), None);
}
