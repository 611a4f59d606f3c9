//! Invitations to a practice, by email.

use overturn_service::people::INVITATION_MS;
use overturn_service::request::secret::LinkToken;
use overturn_tests::link::accept;
use overturn_tests::mail::Mail;
use overturn_tests::prelude::*;
use overturn_tests::tenant::random;
use std::time::Duration;

/// The password of an invited person.
pub(crate) const PASSWORD: &str = "a quite new passphrase";
pub(crate) const MEMBERS: &str = "/api/v1/settings/members";

/// An unused email address.
pub(crate) fn address() -> String {
    let tag: u64 = u64::from_be_bytes(random());
    format!("new.{tag:x}@people.example")
}

pub(crate) fn invite(client: &Client, email: &str, role: &str) -> Answer {
    client.post(MEMBERS, json!({ "email": email, "role": role }).to_string())
}

pub(crate) fn token(link: &str) -> &str {
    link.split_once('#').unwrap().1
}

fn hash(link: &str) -> String {
    token(link).parse::<LinkToken>().unwrap().hash()
}

/// The account's links that still match its rights, with the milliseconds until each expires.
fn links(member: &Value) -> Vec<(String, i64)> {
    let sql = "SELECT l.hash, l.expires_at FROM links l JOIN users u ON u.id = l.user_id AND u.epoch = l.epoch
               WHERE u.id = ?1 AND l.kind = 'invitation' AND l.used_at IS NULL";
    let rows = Server::shared().database().rows(sql, &[member["id"].as_str().unwrap()]);
    let link = |row: &Value| {
        let ends = row["expires_at"].as_i64().unwrap();
        (row["hash"].as_str().unwrap().to_owned(), ends - now().0)
    };
    rows.iter().map(link).collect()
}

#[test]
fn an_invited_person_is_listed_and_gets_an_email() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let to = address();
    let mut inbox = Server::shared().mails_to(&to);
    let invited = invite(&owner.client(), &to, "member");
    invited.expect(201);
    let expected = json!({ "id": invited.json["id"], "version": 1, "name": null, "email": to, "role": "member", "state": "invited",
        "created_at": invited.json["created_at"], "two_factor": false, "last_seen_at": null });
    let mut shown = invited.json.clone();
    let may = shown.as_object_mut().unwrap().remove("may");
    assert_eq!(may, Some(json!(["change_role", "remove", "revoke_sessions"])));
    assert_eq!(shown, expected);
    let listed = owner.client().get(MEMBERS);
    assert_eq!(listed.json["members"][0], invited.json);

    let letter = inbox.take();
    assert!(letter.text.contains("Practice"), "{}", letter.text);
    assert!(letter.text.contains("A person, owner"));
    let links = links(&invited.json);
    assert_eq!(links.len(), 1);
    assert_eq!(links[0].0, hash(letter.link()));
    assert!((INVITATION_MS - links[0].1).abs() < 60_000);
    let rows = tenant.audit("member.invited");
    assert_eq!(rows[0]["record"], invited.json["id"]);
    assert_eq!(rows[0]["detail"], r#"{"role":"member"}"#);
    let token = token(letter.link());
    let stored = tenant.rows("SELECT * FROM users WHERE practice_id = ?1", &[]);
    assert!(!format!("{stored:?}{rows:?}{}", invited.text()).contains(token));
}

#[test]
fn inviting_again_sends_a_new_link_and_ends_the_one_before() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let to = address();
    let mut inbox = Server::shared().mails_to(&to);
    let first = invite(&owner, &to, "member");
    // Another role is a change of the member, which takes a version.
    let other = invite(&owner, &to, "admin");
    assert_eq!(other.json["error"]["reason"], "already_exists");
    let again = invite(&owner, &to.to_uppercase(), "member");
    assert_eq!((first.status, again.status), (201, 200), "{}", again.text());
    assert_eq!((&again.json["id"], &again.json["role"]), (&first.json["id"], &json!("member")));
    let (old, new) = (inbox.take(), {
        let mut inbox = Server::shared().mails_to(&to.to_uppercase());
        inbox.take()
    });
    let valid: Vec<String> = links(&first.json).into_iter().map(|(hash, _)| hash).collect();
    assert_eq!(valid, [hash(new.link())]);
    assert_ne!(valid, [hash(old.link())]);
    let nobody = Server::shared().client();
    let join = |letter: &Mail| accept(&nobody, token(letter.link()), "Zoë", PASSWORD).status;
    assert_eq!((join(&old), join(&new)), (401, 204));
    let listed = owner.get(MEMBERS);
    let members = listed.json["members"].as_array().unwrap();
    let joined = (&members[0]["name"], &members[0]["state"], &members[0]["role"]);
    assert_eq!(joined, (&json!("Zoë"), &json!("active"), &json!("member")));
    assert_eq!(members.len(), 2);
}

#[test]
fn an_address_is_invited_alike_whether_it_has_an_account_elsewhere() {
    let (tenant, other) = (Tenant::shared(), Tenant::shared());
    let elsewhere = Person::of(&other, Role::Owner);
    let here = Person::of(&tenant, Role::Owner);
    let client = here.client();
    let (known, unknown) = (invite(&client, &elsewhere.email, "member"), invite(&client, &address(), "member"));
    assert_eq!((known.status, unknown.status), (201, 201));
    let shape = |answer: &Answer| {
        let mut json = answer.json.clone();
        for name in ["id", "email", "created_at"] {
            json[name] = Value::Null;
        }
        json
    };
    assert_eq!(shape(&known), shape(&unknown));
    assert_eq!(elsewhere.client().get(MEMBERS).status, 200, "nothing happened there");
    let refused = invite(&client, &here.email, "member");
    assert_eq!(refused.nested(409).1, "the address has an account here");
}

#[test]
fn a_key_maker_cannot_give_more_than_they_have() {
    let tenant = Tenant::shared();
    let client = |role| Person::of(&tenant, role).client();
    let (owner, admin, member) = (client(Role::Owner), client(Role::Admin), client(Role::Member));
    for role in ["owner", "admin", "member"] {
        invite(&member, &address(), role).refused(403, "not_authorized");
    }
    invite(&admin, &address(), "owner").refused(403, "not_authorized");
    invite(&admin, &address(), "admin").expect(201);
    let to = address();
    invite(&owner, &to, "owner").expect(201);
    // An admin cannot renew an owner's invitation, either.
    invite(&admin, &to, "member").refused(403, "not_authorized");
    assert_eq!(tenant.audit("member.invited").len(), 2);
}

#[test]
fn of_parallel_invitations_of_an_address_one_makes_the_member() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let to = address();
    let calls = (0..4).map(|_| || invite(&owner.client(), &to, "member")).collect();
    let answers = at_once(calls);
    let made: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(made.len(), 1);
    assert!(answers.iter().all(|answer| [200, 201, 409].contains(&answer.status)));
    let count = "SELECT count(*) AS n FROM users WHERE practice_id = ?1 AND state = 'invited'";
    assert_eq!(tenant.number(count), 1);
    assert_eq!(links(&made[0].json).len(), 1);
}

#[test]
fn a_removed_address_is_invited_to_a_new_account() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let gone = Person::of(&tenant, Role::Member);
    let target = format!("{MEMBERS}/{}", gone.id);
    owner.delete(&target).expect(204);
    let invited = invite(&owner, &gone.email, "member");
    invited.expect(201);
    assert_ne!(invited.json["id"], gone.id.to_string());
}

#[test]
fn emails_to_one_address_are_limited_before_anything_is_written() {
    let server = Server::start(overturn_tests::state::State::fresh(), &json!({}));
    let tenant = Tenant::new(&server);
    let (owner, member) = (Person::of(&tenant, Role::Owner), Person::of(&tenant, Role::Member));
    let to = address();
    let mut inbox = server.mails_to(&to);
    // A person who may not invite does not use up the limit.
    for _ in 0..4 {
        invite(&member.client(), &to, "member").expect(403);
    }
    let statuses: Vec<u16> = (0..3).map(|_| invite(&owner.client(), &to, "member").status).collect();
    assert_eq!(statuses, [201, 200, 200]);
    let refused = invite(&owner.client(), &to.to_uppercase(), "member");
    refused.refused(429, "rate_limited");
    let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=300).contains(&wait));
    assert_eq!(tenant.audit("member.invited").len(), 3);
    assert_eq!(owner.client().get(MEMBERS).json["members"][0]["role"], "member");
    invite(&owner.client(), &address(), "member").expect(201);
    for _ in 0..3 {
        let _letter = inbox.take();
    }
    assert_eq!(inbox.take_within(Duration::from_millis(200)), None);
}

#[test]
fn a_practice_invites_so_often_a_day_resends_included_however_many_ask_at_once() {
    let vars = json!({ "INVITATIONS_PER_DAY": "5", "MAIL_PER_5_MINUTES": "100" });
    let server = Server::lasting(&vars);
    let (tenant, other) = (Tenant::new(&server), Tenant::new(&server));
    let owner = tenant.owner();
    let again = address();
    let calls = (0..9).map(|n| {
        let (owner, to) = (&owner, if n < 3 { again.clone() } else { address() });
        move || invite(owner, &to, "member")
    });
    let answers = at_once(calls.collect());
    let count = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    // Among parallel invitations to one address, one may find the account already made, and reports that.
    assert_eq!(count(429), 4, "{:?}", answers.iter().map(|a| a.status).collect::<Vec<_>>());
    assert_eq!(count(200) + count(201) + count(409), 5);
    let late = invite(&owner, &again, "member");
    late.refused(429, "rate_limited");
    let wait: i64 = late.header("retry-after").unwrap().parse().unwrap();
    assert!((86_000..=86_400).contains(&wait), "{wait}");
    // Neither refused requests nor other practices count.
    owner.post(MEMBERS, "{}").expect(422);
    let elsewhere = other.owner();
    invite(&elsewhere, &address(), "member").expect(201);
}
