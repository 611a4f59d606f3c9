//! `/api/v1/settings/agreements`.

use overturn_tests::prelude::*;
use overturn_tests::tenant::AGREEMENT_VERSION as VERSION;

const AGREEMENTS: &str = "/api/v1/settings/agreements";
const TEXT: &str = include_str!("../../../service/src/settings/agreements/baa.md");

fn signature() -> String {
    json!({ "kind": "baa", "version": VERSION, "signer_name": "Ann Lee", "signer_title": "Managing partner" })
        .to_string()
}

fn unsigned() -> Tenant<'static> {
    let terms = Terms { signed: false, ..Terms::default() };
    Tenant::on(Server::shared(), terms)
}

#[test]
fn claims_are_taken_in_from_the_signature_on() {
    let tenant = unsigned();
    let owner = Person::of(&tenant, Role::Owner);
    let read = owner.client().get(AGREEMENTS);
    let baa = &read.json["agreements"][0];
    let expected = json!({ "kind": "baa", "version": VERSION, "text": TEXT, "signed": null, "history": [] });
    assert_eq!(baa, &expected);
    let refused = tenant.client().send(&item("A-1"));
    assert_eq!((refused.status, &refused.json["code"]), (403, &json!("baa_required")));

    let signed = owner.client().post(AGREEMENTS, signature());
    signed.expect(201);
    tenant.client().send(&item("A-1")).expect(201);

    let read = owner.client().get(AGREEMENTS);
    let baa = &read.json["agreements"][0];
    assert_eq!(baa["signed"], signed.json);
    assert_eq!(baa["history"], json!([signed.json]));
    assert_eq!(baa["signed"]["signer_name"], "Ann Lee");
    assert_eq!(baa["signed"]["signer_title"], "Managing partner");
    assert_eq!(baa["signed"]["signed_by"], owner.id.to_string());
    assert_eq!(baa["signed"]["ended_at"], Value::Null);
    let rows = tenant.audit("agreement.signed");
    assert_eq!(rows[0]["record"], signed.json["id"]);
    assert_eq!(rows[0]["detail"], format!(r#"{{"kind":"baa","version":"{VERSION}"}}"#));
}

#[test]
fn a_version_signed_before_stays_in_force_until_todays_is_signed() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let before = owner.get(AGREEMENTS);
    let before = &before.json["agreements"][0];
    assert_eq!((&before["signed"]["version"], &before["version"]), (&json!("1"), &json!(VERSION)));
    assert_eq!(before["signed"]["signed_by"], Value::Null);
    tenant.client().send(&item("A-1")).expect(201);

    owner.post(AGREEMENTS, signature()).expect(201);
    let after = owner.get(AGREEMENTS);
    let after = &after.json["agreements"][0];
    assert_eq!(after["signed"]["version"], VERSION);
    let history = after["history"].as_array().unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!(history[1]["version"], "1");
    assert_eq!(history[1]["ended_at"], history[0]["signed_at"]);
    tenant.client().send(&item("A-2")).expect(201);
}

#[test]
fn only_managers_see_the_address_of_a_signature() {
    let tenant = unsigned();
    let owner = tenant.owner();
    let owner = owner.with("CF-Connecting-IP", "192.0.2.7");
    let signed = owner.post(AGREEMENTS, signature());
    assert!(signed.json["signed_from"].is_string());
    let seen = |role| {
        let read = Person::of(&tenant, role).client().get(AGREEMENTS);
        let baa = read.json["agreements"][0].clone();
        assert_eq!(baa["signed"]["version"], VERSION);
        assert_eq!(baa["signed"]["signed_from"], baa["history"][0]["signed_from"]);
        baa["signed"]["signed_from"].clone()
    };
    assert_eq!(seen(Role::Admin), signed.json["signed_from"]);
    assert_eq!(seen(Role::Member), Value::Null);
}

#[test]
fn an_unread_agreement_is_not_signed() {
    let tenant = unsigned();
    let owner = Person::of(&tenant, Role::Owner);
    let client = owner.client();
    let other = signature().replace(VERSION, "2020-01-01");
    let refused = client.post(AGREEMENTS, other);
    assert_eq!(refused.nested(409).1, "the agreement has another version, read it again");
    let wrong = json!({ "kind": "nda", "signer_name": "\u{202e}", "signer_title": " " });
    assert_eq!(
        client.post(AGREEMENTS, wrong.to_string()).details(),
        [
            "kind must be baa",
            "version is required",
            "signer_name must have printable characters only",
            "signer_title is required",
        ]
    );
    let member = tenant.member();
    member.post(AGREEMENTS, signature()).refused(403, "not_authorized");
    let (_, stale) = owner.session(None);
    let stale = page(Server::shared(), &stale);
    stale.post(AGREEMENTS, signature()).refused(402, "two_factor_required");
    tenant.client().send(&item("A-1")).expect(403);
}

#[test]
fn of_two_managers_who_sign_in_parallel_one_succeeds() {
    let tenant = unsigned();
    let people: Vec<_> = [Role::Owner, Role::Owner, Role::Admin].map(|role| Person::of(&tenant, role)).into();
    let sign = |person: &Person<'_>| person.client().post(AGREEMENTS, signature()).status;
    let calls = people.iter().map(|person| move || sign(person)).collect();
    let mut statuses = at_once(calls);
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409]);
    assert_eq!(tenant.audit("agreement.signed").len(), 1);
    let again = people[0].client().post(AGREEMENTS, signature());
    assert_eq!(again.nested(409).1, "this version is signed already");
}
