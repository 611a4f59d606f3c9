//! Tests of the operator's commands.

use super::*;
use crate::accounts::tests::{Accounts, INVITED, MEMBER, OWNER};
use crate::plan::Actor;
use crate::plan::statement::Bind as _;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::Fixture;
use crate::testing::decisions::{said, written};
use overturn_core::base::id::ApiKeyId;
use overturn_core::base::param::{Param, Plain as _};
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
fn audited(plan: &Plan) -> Vec<(&'static str, Option<PracticeId>, String)> {
    assert_eq!(plan.actor, Actor::Operator);
    let entries = plan.writes.iter().filter_map(|write| match write {
        Write::Audit(entry) => Some((entry.event.name(), entry.practice_id, entry.record.clone())),
        _ => None,
    });
    entries.collect()
}

/// The account and the epoch of each new link.
fn links(plan: &Plan) -> Vec<[Param; 2]> {
    let links = written(&plan.writes, "INSERT INTO links").into_iter();
    links.map(|link| [link[2].clone(), link[3].clone()]).collect()
}

#[test]
fn a_practice_begins_with_an_owner_who_is_invited() {
    let (id, plan) = create_practice(" Cedar Hill ", &invited(&[]), &ctx()).unwrap();
    assert_eq!(written(&plan.writes, "INSERT INTO practices")[0][..2], [id.param(), "Cedar Hill".param()]);
    let owner = &written(&plan.writes, "INSERT INTO users")[0];
    assert_eq!(owner[1..4], [id.param(), Role::Owner.param(), UserState::Invited.param()]);
    assert_eq!(owner[7], Param::Null, "a password");
    let link = &written(&plan.writes, "INSERT INTO links")[0];
    let (hash, until) = (LinkToken::mint([7; 32]).hash(), ctx().now.plus(INVITATION_MS));
    assert_eq!(link[..], [hash.param(), LinkKind::Invitation.param(), owner[0].clone(), 1_i64.param(), until.param()]);
    let trail = audited(&plan);
    assert_eq!(trail[0], ("practice.created", Some(id), id.0.to_string()));
    assert_eq!((trail[1].0, trail[1].1, trail[1].2.as_str().param()), ("member.invited", Some(id), owner[0].clone()));
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
        assert_eq!(links(&plan), [[known.id.param(), 4_i64.param()]]);
        assert!(written(&plan.writes, "INSERT INTO users").is_empty());
        assert_eq!(audited(&plan)[0].1, known.practice_id);
    }
}

#[test]
fn staff_belong_to_no_practice() {
    let plan = invite_to(None, &invited(&[]), &ctx()).unwrap();
    assert_eq!(written(&plan.writes, "INSERT INTO users")[0][1..3], [Param::Null, Role::Staff.param()]);
    assert_eq!(audited(&plan)[0].1, None);
}

/// Runs a plan whose statements find their rows by an index. Its writes do the same if they run twice.
fn run(a: &mut Accounts, ctx: &Ctx, plan: Plan) -> Result<(), DatabaseError> {
    let statements = a.f.lower(&plan).statements;
    a.f.run(&statements)?;
    for statement in &statements {
        a.f.assert_indexed(statement, &["VIRTUAL TABLE", "CONSTANT ROW", "SEARCH o USING INDEX users_of_practice"]);
    }
    let once = a.everything();
    let again = plan.writes.into_iter().filter(|write| !matches!(write, Write::Audit(_)));
    let again = a.f.lower(&Plan::of_operator(ctx, again.collect())).statements;
    a.f.run(&again)?;
    assert_eq!(a.everything(), once);
    Ok(())
}

fn known(a: &mut Accounts, id: UserId) -> StoredUser {
    the_one(a.f.read(&people(&id.to_string(), ""))).unwrap()
}

/// The rows of an account that it signs in by: passkeys, authenticator apps and recovery codes.
fn factors(a: &Accounts, id: UserId) -> String {
    a.rows(&format!(
        "SELECT (SELECT count(*) FROM passkeys WHERE user_id = '{id}'), (SELECT count(*) FROM factors WHERE user_id = '{id}'),
           (SELECT count(*) FROM recovery_codes WHERE user_id = '{id}')"
    ))
}

#[test]
fn an_account_that_goes_ends_all_that_is_signed_in_and_leaves_an_owner() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let owner = known(&mut a, OWNER);
    let stopped = run(&mut a, &ctx, remove(&owner, &ctx));
    assert_eq!(stopped, Err(DatabaseError::Conflict(FailedGuard::Owner)));
    a.f.db.execute_batch("UPDATE users SET role = 'owner' WHERE state = 'active'").unwrap();
    let filters = format!("INSERT INTO queue_filters VALUES ('{OWNER}', 'f', 'a', 'b'), ('{MEMBER}', 'f', 'a', 'b')");
    a.f.db.execute_batch(&filters).unwrap();
    let plan = remove(&owner, &ctx);
    assert_eq!(audited(&plan), [("member.removed", Some(a.practice), OWNER.to_string())]);
    assert_eq!(run(&mut a, &ctx, plan), Ok(()));
    assert_eq!(a.rows(&format!("SELECT state, epoch FROM users WHERE id = '{OWNER}'")), "removed 2");
    assert_eq!(a.sessions(), "member");
    assert_eq!((factors(&a, OWNER), factors(&a, MEMBER)), ("0 1 2".into(), "1 0 0".into()));
    assert_eq!(a.rows("SELECT group_concat(user_id) FROM queue_filters"), MEMBER.to_string());
    a.f.db.execute_batch("UPDATE users SET role = 'owner'").unwrap();
    let invited = known(&mut a, INVITED);
    assert!(remove(&invited, &ctx).guards.is_empty(), "who has not joined is no owner yet");
    let staff = user(2, Role::Staff, UserState::Active);
    assert!(remove(&staff, &ctx).guards.is_empty());
}

#[test]
fn a_factor_that_is_lost_goes_with_all_that_is_signed_in() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let owner = known(&mut a, OWNER);
    let plan = reset_factor(&owner, &ctx).unwrap();
    assert_eq!(audited(&plan)[0].0, "factor.reset");
    a.f.db.execute_batch("UPDATE users SET epoch = 2").unwrap();
    assert_eq!(run(&mut a, &ctx, plan.clone()), Err(DatabaseError::Conflict(FailedGuard::Rights)));
    a.f.db.execute_batch("UPDATE users SET epoch = 1").unwrap();
    assert_eq!(run(&mut a, &ctx, plan), Ok(()));
    assert_eq!(a.rows(&format!("SELECT state, epoch FROM users WHERE id = '{OWNER}'")), "active 2");
    assert_eq!(a.sessions(), "member");
    assert_eq!((factors(&a, OWNER), factors(&a, MEMBER)), ("0 0 0".into(), "1 0 0".into()));
    let none = StoredUser { enrolled: false, ..owner };
    assert!(matches!(reset_factor(&none, &ctx), Err(RequestError::Conflict(..))));
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
    let run = |f: &mut Fixture, plan: Plan| {
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
    f.db.execute("UPDATE practices SET sandbox_of = ?1 WHERE id <> ?1", [id.to_string()]).unwrap();
    let found = f.read(&practices());
    assert!(found.iter().all(|row| (row.id == id) == (row.sandbox_of.is_none())), "{found:?}");

    f.db.execute_batch("UPDATE practices SET sandbox_of = NULL").unwrap();

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

#[test]
fn a_passkey_alone_is_a_factor_that_can_be_lost() {
    let mut a = Accounts::new();
    let ctx = a.f.ctx();
    let member = known(&mut a, MEMBER);
    let plan = reset_factor(&member, &ctx).unwrap();
    assert_eq!(run(&mut a, &ctx, plan), Ok(()));
    assert_eq!(factors(&a, MEMBER), "0 0 0");
    for id in [MEMBER, INVITED] {
        assert!(!known(&mut a, id).enrolled);
    }
}
