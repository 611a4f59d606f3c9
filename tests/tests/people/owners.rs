//! A practice keeps an owner, even when owners leave, step down or are removed at the same time.

use crate::members::{change, remove};
use overturn_tests::prelude::*;

const KEEP: &str = "the practice must keep an owner";

fn owners(tenant: &Tenant<'_>) -> i64 {
    tenant.number("SELECT count(*) AS n FROM users WHERE practice_id = ?1 AND role = 'owner' AND state = 'active'")
}

/// Whether the person may leave the practice, by their session, and whether the list of members says that they may be
/// removed and get another role.
fn goes(person: &Person<'_>) -> (bool, bool) {
    let session = person.client().get("/api/v1/auth/session").json;
    let leaves = session["may"].as_array().unwrap().contains(&"leave".into());
    let members = person.client().get("/api/v1/settings/members").json;
    let mut members = members["members"].as_array().unwrap().iter();
    let own = members.find(|member| member["id"] == person.id.to_string());
    let may = own.unwrap()["may"].as_array().unwrap();
    let [removed, changed] = ["remove", "change_role"].map(|action| may.contains(&action.into()));
    assert_eq!(removed, changed);
    (leaves, removed)
}

#[test]
fn the_last_owner_can_neither_leave_nor_step_down() {
    let tenant = Tenant::shared();
    let owner = Person::of(&tenant, Role::Owner);
    let _admin = Person::of(&tenant, Role::Admin);
    // Owners of other practices do not count, and neither do invited ones.
    let _elsewhere = Person::of(&Tenant::shared(), Role::Owner);
    let invited = crate::invitations::invite(&owner.client(), &crate::invitations::address(), "owner");
    invited.expect(201);
    assert_eq!(goes(&owner), (false, false));
    for _ in 0..2 {
        assert_eq!(remove(&owner.client(), owner.id).nested(409), ("conflict", KEEP));
        assert_eq!(change(&owner.client(), owner.id, "admin").nested(409), ("conflict", KEEP));
    }
    assert!(tenant.audit("member.removed").is_empty() && tenant.audit("member.role_changed").is_empty());

    let other = Person::of(&tenant, Role::Owner);
    assert_eq!(goes(&owner), (true, true));
    change(&owner.client(), owner.id, "member").expect(200);
    assert_eq!(remove(&other.client(), other.id).nested(409), ("conflict", KEEP));
    assert_eq!(owners(&tenant), 1);
}

/// Two owners act on a practice at the same time, many times. One owner is always left.
fn one_is_left(act: impl Fn(&Person<'_>, &Person<'_>) -> Answer + Sync) {
    for _ in 0..6 {
        let tenant = Tenant::shared();
        let [one, other] = [(); 2].map(|()| Person::of(&tenant, Role::Owner));
        let (act, pairs) = (&act, [(&one, &other), (&other, &one)]);
        let calls = pairs.into_iter().map(|(by, of)| move || act(by, of)).collect();
        let answers = at_once(calls);
        let done = answers.iter().filter(|answer| answer.status < 300).count();
        assert_eq!((done, owners(&tenant)), (1, 1));
        let refused = answers.iter().find(|answer| answer.status >= 400).unwrap();
        assert!([401, 409].contains(&refused.status), "{}", refused.text());
    }
}

#[test]
fn of_two_owners_who_remove_each_other_one_is_left() {
    one_is_left(|by, of| remove(&by.client(), of.id));
}

#[test]
fn of_two_owners_who_leave_in_parallel_one_is_left() {
    one_is_left(|by, _| remove(&by.client(), by.id));
}

#[test]
fn of_two_owners_who_step_down_in_parallel_one_is_left() {
    one_is_left(|by, _| change(&by.client(), by.id, "admin"));
}

#[test]
fn if_one_owner_leaves_while_another_steps_down_one_is_left() {
    one_is_left(
        |by, of| {
            if by.id < of.id { remove(&by.client(), by.id) } else { change(&by.client(), by.id, "admin") }
        },
    );
}
