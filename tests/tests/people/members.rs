//! `/api/v1/settings/members`: roles, removal, and other people's sessions.

use crate::invitations::{MEMBERS, PASSWORD, address, invite, token};
use overturn_tests::link::accept;
use overturn_tests::prelude::*;

const PRACTICE: &str = "/api/v1/settings/practice";

pub(crate) fn one(id: impl ToString) -> String {
    format!("{MEMBERS}/{}", id.to_string())
}

pub(crate) fn change(client: &Client, id: impl ToString, role: &str) -> Answer {
    let body = json!({ "role": role }).to_string();
    let target = one(id);
    let client = client.seeing(&target);
    client.patch(&target, &body)
}

pub(crate) fn remove(client: &Client, id: impl ToString) -> Answer {
    client.delete(&one(id))
}

fn revoke(client: &Client, id: impl ToString) -> Answer {
    client.delete(&format!("{}/sessions", one(id)))
}

fn is_signed_in(person: &Person<'_>) -> bool {
    person.client().get(PRACTICE).status == 200
}

fn not_allowed(answer: &Answer) {
    answer.refused(403, "not_authorized");
}

#[test]
fn leaders_see_who_belongs_to_the_practice_and_members_do_not() {
    let tenant = Tenant::shared();
    let [owner, admin, member] = Role::OF_PRACTICE.map(|role| Person::of(&tenant, role));
    not_allowed(&member.client().get(MEMBERS));
    let sql =
        "INSERT INTO factors (user_id, id, key_version, sealed, created_at, confirmed_at) VALUES (?1, ?1, 1, '', 1, 1)";
    Server::shared().database().change(sql, &[&member.id.to_string()]);
    for person in [&owner, &admin] {
        let listed = person.client().get(MEMBERS);
        listed.expect(200);
        let members = listed.json["members"].as_array().unwrap();
        let ids: Vec<&str> = members.iter().map(|m| m["id"].as_str().unwrap()).collect();
        assert_eq!(ids, [&member, &admin, &owner].map(|person| person.id.to_string()));
        let shown = &members[0];
        assert_eq!((&shown["role"], &shown["state"]), (&json!("member"), &json!("active")));
        assert_eq!((&shown["email"], &shown["name"]), (&json!(member.email), &json!("A person, member")));
        assert_eq!((&shown["two_factor"], &members[1]["two_factor"]), (&json!(true), &json!(false)));
        assert!(shown["last_seen_at"].is_string() && shown["created_at"].is_string());
        assert!(shown.get("epoch").is_none());
    }
}

#[test]
fn a_change_of_role_takes_a_new_sign_in() {
    let tenant = Tenant::shared();
    let (owner, member) = (Person::of(&tenant, Role::Owner), Person::of(&tenant, Role::Member));
    let changed = change(&owner.client(), member.id, "admin");
    assert_eq!((changed.status, &changed.json["role"]), (200, &json!("admin")), "{}", changed.text());
    assert!(!is_signed_in(&member));
    let epoch = || tenant.rows("SELECT epoch FROM users WHERE practice_id = ?1 AND id = ?2", &[&member.id.to_string()]);
    assert_eq!(epoch()[0]["epoch"], 2);
    let rows = tenant.audit("member.role_changed");
    assert_eq!(rows[0]["detail"], r#"{"from":"member","to":"admin"}"#);
    assert_eq!(rows[0]["record"], member.id.to_string());

    // A change to the current role changes nothing, also from another manager.
    let again = change(&owner.client(), member.id, "admin");
    assert_eq!((again.status, &again.json["role"]), (200, &json!("admin")));
    assert_eq!(epoch()[0]["epoch"], 2);
    assert_eq!(tenant.audit("member.role_changed").len(), 1);
}

#[test]
fn a_person_cannot_raise_themselves_or_manage_higher_roles() {
    let tenant = Tenant::shared();
    let [owner, admin, member] = Role::OF_PRACTICE.map(|role| Person::of(&tenant, role));
    let other = Person::of(&tenant, Role::Member);
    not_allowed(&change(&member.client(), member.id, "admin"));
    not_allowed(&change(&admin.client(), admin.id, "owner"));
    for (by, of) in [(&member, &other), (&admin, &owner)] {
        not_allowed(&remove(&by.client(), of.id));
        not_allowed(&revoke(&by.client(), of.id));
    }
    let wrong = ["role must be owner, admin or member"];
    for role in ["staff", "Owner", "root"] {
        assert_eq!(change(&owner.client(), member.id, role).details(), wrong);
    }
    for person in [&owner, &admin, &member, &other] {
        assert!(is_signed_in(person));
    }
    assert!(tenant.audit("member.role_changed").is_empty());

    change(&admin.client(), other.id, "admin").expect(200);
    let down = change(&admin.client(), admin.id, "member");
    down.expect(200);
    assert!(down.headers.iter().any(|(name, value)| name == "set-cookie" && value.starts_with("__Host-session=;")));
    assert!(!is_signed_in(&admin));
}

#[test]
fn a_removed_member_is_out_at_once_with_every_session_and_token() {
    let tenant = Tenant::shared();
    let (owner, admin) = (Person::of(&tenant, Role::Owner), Person::of(&tenant, Role::Admin));
    let (_, second) = admin.session(None);
    let token = tenant.integration(&admin.client(), &["settings:read"]);
    token.get(PRACTICE).expect(200);

    remove(&owner.client(), admin.id).expect(204);
    assert!(!is_signed_in(&admin));
    page(Server::shared(), &second).get(PRACTICE).expect(401);
    token.get(PRACTICE).expect(401);
    let listed = owner.client().get(MEMBERS);
    assert_eq!(listed.json["members"].as_array().unwrap().len(), 1);
    for answer in [
        remove(&owner.client(), admin.id),
        change(&owner.client(), admin.id, "member"),
        revoke(&owner.client(), admin.id),
    ] {
        assert_eq!(answer.nested(404), ("not_found", "no such member"));
    }
    assert_eq!(tenant.audit("member.removed").len(), 1);
}

#[test]
fn everybody_may_leave() {
    let tenant = Tenant::shared();
    let _owner = Person::of(&tenant, Role::Owner);
    for role in Role::OF_PRACTICE {
        let person = Person::of(&tenant, role);
        // A lost answer does not undo a person's own departure.
        let client = person.client().losing_commit();
        let left = remove(&client, person.id);
        left.expect(204);
        assert!(left.headers.iter().any(|(name, value)| name == "set-cookie" && value.starts_with("__Host-session=;")));
        assert!(!is_signed_in(&person));
    }
    assert_eq!(tenant.audit("member.removed").len(), 3);
}

#[test]
fn a_member_who_changes_before_the_commit_is_to_be_read_again() {
    let tenant = Tenant::shared();
    let (owner, member) = (Person::of(&tenant, Role::Owner), Person::of(&tenant, Role::Member));
    let meanwhile = "UPDATE users SET epoch = epoch + 1 WHERE id = ?1";
    let client = owner.client().overtaken_by(meanwhile, &[&member.id.to_string()]);
    for answer in [change(&client, member.id, "admin"), remove(&client, member.id), revoke(&client, member.id)] {
        let message = "the record has changed, read it again";
        assert_eq!(answer.nested(409), ("conflict", message));
    }
    assert_eq!(owner.client().get(MEMBERS).json["members"][0]["role"], "member");
}

#[test]
fn the_sessions_of_a_member_end_and_the_member_stays() {
    let tenant = Tenant::shared();
    let (admin, member) = (Person::of(&tenant, Role::Admin), Person::of(&tenant, Role::Member));
    let (_, second) = member.session(None);
    let revoked = revoke(&admin.client(), member.id);
    revoked.expect(204);
    assert!(!is_signed_in(&member));
    page(Server::shared(), &second).get(PRACTICE).expect(401);
    assert!(is_signed_in(&admin));
    let listed = admin.client().get(MEMBERS);
    assert_eq!(listed.json["members"][0]["state"], "active");
    let rows = tenant.audit("member.sessions_revoked");
    assert_eq!(rows[0]["record"], member.id.to_string());
    assert_eq!(rows[0]["actor"], format!("user:{}", admin.id));
}

#[test]
fn an_invitation_outlasts_a_change_of_its_role_and_not_its_removal() {
    let tenant = Tenant::shared();
    let owner = tenant.owner();
    let invited = || {
        let to = address();
        let made = invite(&owner, &to, "member");
        let letter = Server::shared().mails_to(&to).take();
        let id = made.id().to_owned();
        (id, token(letter.link()).to_owned())
    };
    let nobody = Server::shared().client();
    let (id, link) = invited();
    let changed = change(&owner, &id, "admin");
    let shown = (&changed.json["role"], &changed.json["state"]);
    assert_eq!(shown, (&json!("admin"), &json!("invited")));
    revoke(&owner, &id).expect(204);
    accept(&nobody, &link, "Zoë", PASSWORD).expect(204);
    assert_eq!(owner.get(MEMBERS).json["members"][0]["role"], "admin");

    let (id, link) = invited();
    remove(&owner, &id).expect(204);
    accept(&nobody, &link, "Eve", PASSWORD).expect(401);
    let members = owner.get(MEMBERS).json["members"].clone();
    assert_eq!(members.as_array().unwrap().len(), 2);
}
