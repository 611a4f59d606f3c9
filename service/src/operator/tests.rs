//! Tests of the operator's commands.

use super::*;
use overturn_core::base::id::ApiKeyId;
use overturn_core::base::sql::Bind;
use overturn_core::plan::Actor;
use overturn_core::testing::said;
use overturn_store::testing::Fixture;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));

fn ctx() -> Ctx {
    Ctx::new(Instant(1_800_000_000_000), [1; 32])
}

fn user(n: u128, role: Role, state: UserState) -> StoredUser {
    StoredUser {
        id: UserId(Uuid::from_u128(n)),
        practice_id: (role != Role::Staff).then_some(PRACTICE),
        role,
        state,
        epoch: 4,
        enrolled: state == UserState::Active,
    }
}

fn invited(known: &[StoredUser]) -> Invited {
    Invited { email: address("dana@cedar.example").unwrap(), known: known.into(), token: LinkToken::mint([7; 32]) }
}

/// The audit rows of a plan: the action, the trail, and the record.
fn audited(plan: &Plan<'_>) -> Vec<(&'static str, Option<PracticeId>, String)> {
    assert_eq!(plan.actor, Actor::Operator);
    let entries = plan.writes.iter().filter_map(|write| match write {
        Write::Audit(entry) => Some((entry.event.name(), entry.practice_id, entry.record.clone())),
        _ => None,
    });
    entries.collect()
}

fn links(plan: &Plan<'_>) -> Vec<(UserId, i64)> {
    let links = plan.writes.iter().filter_map(|write| match write {
        Write::Accounts(AccountsWrite::NewLink(link)) => Some((link.user_id, link.epoch)),
        _ => None,
    });
    links.collect()
}

#[test]
fn a_practice_begins_with_an_owner_who_is_invited() {
    let (id, plan) = create_practice(" Cedar Hill ", &invited(&[]), &ctx()).unwrap();
    let [
        Write::Sql(practice),
        _,
        Write::Accounts(AccountsWrite::NewUser(owner)),
        Write::Accounts(AccountsWrite::NewLink(link)),
        _,
    ] = &plan.writes[..]
    else {
        panic!("{:?}", plan.writes)
    };
    assert_eq!(practice.params[..2], [id.bind(), "Cedar Hill".bind()]);
    assert_eq!((owner.practice_id, owner.role), (Some(id), Role::Owner));
    assert_eq!((owner.state, &owner.password_hash), (UserState::Invited, &None));
    assert_eq!((link.user_id, link.epoch), (owner.id, 1));
    assert_eq!(link.hash, LinkToken::mint([7; 32]).hash());
    assert_eq!(link.expires_at, ctx().now.plus(INVITATION_MS));
    let trail = audited(&plan);
    assert_eq!(trail[0], ("practice.created", Some(id), id.0.to_string()));
    assert_eq!(trail[1], ("member.invited", Some(id), owner.id.0.to_string()));
}

#[test]
fn an_invalid_name_or_address_is_reported() {
    for (name, problem) in [(" ", "name is required"), ("a\u{7}b", "name must have printable characters only")] {
        let refused = create_practice(name, &invited(&[]), &ctx()).unwrap_err();
        assert_eq!(said(refused), [problem]);
    }
    assert!(matches!(address("dana"), Err(RequestError::Invalid(problems)) if problems[0].field == "address"));
}

#[test]
fn an_address_that_is_known_here_is_not_invited_again_as_something_else() {
    let taken = RequestError::Conflict(Reason::AlreadyExists, "the address has an account or an invitation");
    for known in [
        user(2, Role::Owner, UserState::Active),
        user(2, Role::Owner, UserState::Invited),
        user(2, Role::Staff, UserState::Invited),
    ] {
        let refused = create_practice("Cedar", &invited(&[known]), &ctx()).unwrap_err();
        assert_eq!(refused, taken);
    }
    for known in [Role::Member, Role::Admin, Role::Staff] {
        let known = user(2, known, UserState::Invited);
        let refused = invite_to(Some(PRACTICE), &invited(&[known]), &ctx()).unwrap_err();
        assert_eq!(refused, taken);
    }
    let owner = user(2, Role::Owner, UserState::Invited);
    assert_eq!(invite_to(None, &invited(&[owner]), &ctx()).unwrap_err(), taken);
}

#[test]
fn an_invited_person_gets_a_new_link_to_the_same_account() {
    for role in [Role::Owner, Role::Staff] {
        let known = user(2, role, UserState::Invited);
        let plan = invite_to(known.practice_id, &invited(std::slice::from_ref(&known)), &ctx()).unwrap();
        assert_eq!(links(&plan), [(known.id, 4)]);
        assert!(!plan.writes.iter().any(|write| matches!(write, Write::Accounts(AccountsWrite::NewUser(_)))));
        assert_eq!(audited(&plan)[0].1, known.practice_id);
    }
}

#[test]
fn staff_belong_to_no_practice() {
    let plan = invite_to(None, &invited(&[]), &ctx()).unwrap();
    let Write::Accounts(AccountsWrite::NewUser(new)) = &plan.writes[0] else { panic!("{:?}", plan.writes) };
    assert_eq!((new.practice_id, new.role), (None, Role::Staff));
    assert_eq!(audited(&plan)[0].1, None);
}

#[test]
fn an_account_that_goes_ends_all_that_is_signed_in_and_leaves_an_owner() {
    let owner = user(2, Role::Owner, UserState::Active);
    let plan = remove(&owner, &ctx());
    let id = owner.id;
    assert_eq!(plan.guards, [Guard::Accounts(AccountsGuard::AnotherOwner { practice: PRACTICE, user: id })]);
    let [
        Write::Accounts(AccountsWrite::Epoch { user: _, epoch: 5 }),
        Write::Accounts(AccountsWrite::SessionsEnded(ended)),
        _,
        Write::Accounts(AccountsWrite::UserRemoved(removed)),
    ] = &plan.writes[..]
    else {
        panic!("{:?}", plan.writes)
    };
    assert_eq!((*ended, *removed), (SessionsToEnd::All(id), id));
    assert_eq!(audited(&plan), [("member.removed", Some(PRACTICE), id.0.to_string())]);
    for other in [
        user(2, Role::Owner, UserState::Invited),
        user(2, Role::Admin, UserState::Active),
        user(2, Role::Staff, UserState::Active),
    ] {
        assert!(remove(&other, &ctx()).guards.is_empty(), "{other:?}");
    }
}

#[test]
fn a_factor_that_is_lost_goes_with_all_that_is_signed_in() {
    let member = user(2, Role::Member, UserState::Active);
    let plan = reset_factor(&member, &ctx()).unwrap();
    assert_eq!(plan.guards, [Guard::Accounts(AccountsGuard::InUse { user: member.id, epoch: 4 })]);
    let [
        Write::Accounts(AccountsWrite::Epoch { user: _, epoch: 5 }),
        Write::Accounts(AccountsWrite::SessionsEnded(_)),
        _,
        Write::Accounts(AccountsWrite::FactorsRemoved(id)),
    ] = &plan.writes[..]
    else {
        panic!("{:?}", plan.writes)
    };
    assert_eq!(*id, member.id);
    assert_eq!(audited(&plan)[0].0, "factor.reset");
    let none = StoredUser { enrolled: false, ..member };
    assert!(matches!(reset_factor(&none, &ctx()), Err(RequestError::Conflict(..))));
}

#[test]
fn an_address_means_the_active_account_or_the_only_one() {
    let invitation = |n| user(n, Role::Member, UserState::Invited);
    let active = user(3, Role::Member, UserState::Active);
    let found = the_one([invitation(2), active.clone(), invitation(4)].into());
    assert_eq!(found, Ok(active));
    assert_eq!(the_one([invitation(2)].into()), Ok(invitation(2)));
    assert!(matches!(the_one([invitation(2), invitation(4)].into()), Err(RequestError::Conflict(..))));
    assert_eq!(the_one(Vec::new()), Err(RequestError::NotFound("no such account")));
}

#[test]
fn a_practice_and_a_key_are_switched_off_in_their_own_trail() {
    let off = switch(PRACTICE, PracticeState::Inactive, &ctx());
    let [Write::Sql(write), _] = &off.writes[..] else { panic!("{:?}", off.writes) };
    assert_eq!(write.params, [PRACTICE.bind(), PracticeState::Inactive.bind()]);
    assert_eq!(audited(&off)[0].0, "practice.state_changed");
    let key = StoredKey { practice_id: PRACTICE, id: ApiKeyId(Uuid::from_u128(9)) };
    let revoked = revoke_key(key, &ctx());
    let [Write::Sql(write), _] = &revoked.writes[..] else { panic!("{:?}", revoked.writes) };
    assert_eq!(write.params, [PRACTICE.bind(), key.id.bind(), ctx().now.bind()]);
    assert_eq!(audited(&revoked)[0], ("api_key.revoked", Some(PRACTICE), key.id.0.to_string()));
}

#[test]
fn commands_change_what_the_lookups_find() {
    let mut f = Fixture::new();
    let run = |f: &mut Fixture, plan: Plan<'_>| {
        let batch = f.lower(&plan);
        f.run(&batch.statements).unwrap();
    };
    let (id, plan) = create_practice("Cedar Hill", &invited(&[]), &f.ctx()).unwrap();
    run(&mut f, plan);
    let owner = f.read(&people("", &address("dana@cedar.example").unwrap().key()));
    assert_eq!(the_one(owner).map(|owner| (owner.practice_id, owner.role)), Ok((Some(id), Role::Owner)));
    assert_eq!(f.read(&practice_of_id(id)), Some(id));
    let plan = switch(id, PracticeState::Inactive, &f.ctx());
    run(&mut f, plan);
    let found = f.read(&practices());
    assert!(found.iter().all(|row| (row.id == id) == (row.state == "inactive")), "{found:?}");

    let hint: String = f.db.query_row("SELECT hint FROM api_keys", [], |row| row.get(0)).unwrap();
    let [key] = f.read(&keys(&hint))[..] else { panic!("there is one key") };
    let plan = revoke_key(key, &f.ctx());
    run(&mut f, plan);
    assert_eq!(f.count("SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL"), 1);
    let signed = f.read(&in_force(key.practice_id));
    let plan = end_agreement(key.practice_id, signed, &f.ctx()).unwrap();
    run(&mut f, plan);
    assert_eq!(f.read(&in_force(key.practice_id)), None);
    assert_eq!(f.count("SELECT count(*) FROM notices"), 1);
}
