use super::*;
use crate::accounts::account::account_of_caller;
use crate::accounts::tests::{self as accounts, Accounts};
use crate::auth::person::Via;
use crate::request::secret::LinkToken;
use crate::settings::members::invitation::{Invitation, Inviter, invited as invites};
use crate::testing::Fixture;
use crate::testing::decisions::{person, takes_version, written};
use crate::testing::people::{self, OWNER, SESSION, session, user};
use overturn_core::base::id::ApiTokenId;
use overturn_core::base::param::Param;
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
const OTHER: UserId = UserId(Uuid::from_u128(11));
const SEEN: Seen = Seen::Version(5);

fn ctx() -> Ctx {
    Ctx::new(Instant(1_800_000_000_000), [3; 32])
}

fn stored(id: UserId, role: Role, state: UserState) -> StoredMember {
    let view = MemberView {
        id,
        version: 5,
        name: None,
        email: "ann@a.example".into(),
        role,
        state,
        created_at: Time(Instant(0)),
        two_factor: false,
        last_seen_at: None,
        last_owner: false,
    };
    StoredMember { view, epoch: 7 }
}

fn by(role: Role) -> Person {
    person(role, Action::ManageMembers)
}

fn invitation(role: Role) -> Invitation {
    let email = EmailAddress::parse("Ann@a.example").unwrap();
    Invitation { email, role }
}

fn invited(role: Role, known: Option<StoredMember>, by: &Person) -> Result<Change, RequestError> {
    let inviter = Inviter { practice: "P".into(), name: "Bob".into() };
    let token = LinkToken::mint([7; 32]);
    invites(invitation(role), (known, Some(inviter)), token, by, &ctx())
}

/// The epochs, links and owner guards of a change.
fn marks(change: &Change) -> (Vec<i64>, Vec<i64>, bool) {
    let nth = |words: &str, n: usize| -> Vec<i64> {
        let params = written(&change.writes, words).into_iter();
        params.map(|params| if let Param::Int(epoch) = params[n] { epoch } else { panic!("{params:?}") }).collect()
    };
    let keeps_owner = change.guards.contains(&another_owner(PRACTICE, OTHER));
    (nth("SET epoch", 1), nth("INSERT INTO links", 3), keeps_owner)
}

#[test]
fn a_manager_of_a_member_must_manage_both_roles() {
    for actor in Role::OF_PRACTICE {
        for present in Role::OF_PRACTICE {
            let member = || Some(stored(OTHER, present, UserState::Active));
            for new in Role::OF_PRACTICE {
                let may = actor.may_manage(present) && actor.may_manage(new);
                let changed = changed_role((new, SEEN), (member(), None), &by(actor), &ctx());
                let names = format!("{actor:?} {present:?} {new:?}");
                assert_eq!(changed.map(drop), may.then_some(()).ok_or(NOT_YOURS), "{names}");
                let waiting = stored(OTHER, present, UserState::Invited);
                let asked = invited(new, Some(waiting), &by(actor));
                match (may, new == present) {
                    (true, true) => assert!(asked.is_ok(), "{names}"),
                    (true, false) => {
                        let refused = asked.unwrap_err().reason();
                        assert_eq!(refused, Some(Reason::AlreadyExists), "{names}");
                    }
                    (false, _) => assert_eq!(asked.map(drop), Err(NOT_YOURS), "{names}"),
                }
            }
            let may = actor.may_manage(present).then_some(()).ok_or(NOT_YOURS);
            let removed = removed(OTHER, (member(), None), &by(actor), &ctx());
            assert_eq!(removed.map(drop), may, "{actor:?} {present:?}");
            let revoked = revoked_sessions(member(), &by(actor), &ctx());
            assert_eq!(revoked.map(drop), may, "{actor:?} {present:?}");
        }
    }
}

#[test]
fn a_role_is_changed_in_the_version_that_the_person_has_seen() {
    for state in [UserState::Active, UserState::Invited] {
        let read = RecordVersion { record: EditedRecord::Member(PRACTICE, OTHER), version: 5 };
        takes_version(read, |seen| {
            let member = stored(OTHER, Role::Member, state);
            changed_role((Role::Admin, seen), (Some(member), None), &by(Role::Owner), &ctx())
        });
    }
}

#[test]
fn an_owner_who_steps_down_leaves_another_owner() {
    for (before, after, expected) in [
        (Role::Owner, Role::Admin, true),
        (Role::Owner, Role::Member, true),
        (Role::Admin, Role::Owner, false),
        (Role::Member, Role::Admin, false),
    ] {
        let member = stored(OTHER, before, UserState::Active);
        let changed = changed_role((after, SEEN), (Some(member.clone()), None), &by(Role::Owner), &ctx()).unwrap();
        assert_eq!(marks(&changed), (vec![8], vec![], expected));
        let removed = removed(OTHER, (Some(member), None), &by(Role::Owner), &ctx()).unwrap();
        assert_eq!(marks(&removed), (vec![8], vec![], before == Role::Owner));
    }
}

#[test]
fn leaving_takes_no_right_but_ones_own_and_is_otherwise_as_sensitive() {
    let own = person(Role::Member, Action::Leave);
    let member = stored(own.user_id, Role::Member, UserState::Active);
    assert!(removed(own.user_id, (Some(member), None), &own, &ctx()).is_ok());
    // Other people do not even learn whether there is such a member.
    assert_eq!(removed(OTHER, (None, None), &own, &ctx()).map(drop), Err(NOT_YOURS));
    assert_eq!(removed(OTHER, (None, None), &by(Role::Admin), &ctx()).map(drop), Err(UNKNOWN));
    // A removal is authorized as a departure, so that right must not be weaker.
    let (leave, manage) = (Action::Leave.right(), Action::ManageMembers.right());
    assert_eq!((leave.scope, leave.group), (manage.scope, manage.group));
    assert_eq!((leave.sensitive, leave.own), (manage.sensitive, manage.own));
}

#[test]
fn an_invitation_that_was_not_accepted_keeps_its_link_when_its_role_changes() {
    let waiting = stored(OTHER, Role::Member, UserState::Invited);
    let changed = changed_role((Role::Admin, SEEN), (Some(waiting), None), &by(Role::Owner), &ctx()).unwrap();
    assert_eq!(marks(&changed), (vec![], vec![], false));
}

#[test]
fn a_list_says_what_its_reader_may_do_with_each_member() {
    use MemberAction::{ChangeRole, Remove, RevokeSessions};
    let may =
        |reader: Role, id: UserId, role: Role| MemberFor::of(stored(id, role, UserState::Active).view, &by(reader)).may;
    let all = [ChangeRole, Remove, RevokeSessions];
    for role in Role::OF_PRACTICE {
        assert_eq!(may(Role::Owner, OTHER, role), all);
    }
    assert_eq!(may(Role::Admin, OTHER, Role::Member), all);
    assert_eq!(may(Role::Admin, OTHER, Role::Owner), []);
    assert_eq!(may(Role::Member, OTHER, Role::Member), []);
    // Everyone may leave.
    let own = by(Role::Member).user_id;
    assert_eq!(may(Role::Member, own, Role::Member), [Remove]);
    let token = Person { via: Via::Token(ApiTokenId(Uuid::nil())), ..by(Role::Owner) };
    let seen = MemberFor::of(stored(OTHER, Role::Member, UserState::Active).view, &token);
    assert_eq!(seen.may, []);
}

#[test]
fn what_a_list_allows_is_what_the_change_allows() {
    for reader in Role::OF_PRACTICE {
        for role in Role::OF_PRACTICE {
            let member = || stored(OTHER, role, UserState::Active);
            let person = by(reader);
            let may = MemberFor::of(member().view, &person).may;
            let removed = removed(OTHER, (Some(member()), None), &person, &ctx());
            assert_eq!(may.contains(&MemberAction::Remove), removed.is_ok());
            let ended = revoked_sessions(Some(member()), &person, &ctx());
            assert_eq!(may.contains(&MemberAction::RevokeSessions), ended.is_ok());
        }
    }
}

/// A practice with an owner who is signed in, and a member.
fn practice() -> (Fixture, PracticeId) {
    let mut f = Fixture::new();
    let practice = f.practice();
    let ctx = f.ctx();
    let writes = vec![
        user(OWNER, practice, Role::Owner),
        user(people::MEMBER, practice, Role::Member),
        session(SESSION, OWNER, "session"),
    ];
    f.commit(&ctx, (Vec::new(), writes)).unwrap();
    (f, practice)
}

/// The list, a person's own view and the guard of the batch agree on who is the last owner.
#[test]
fn the_last_active_owner_is_known_wherever_an_account_is_read() {
    let (mut f, _) = practice();
    let of = Page { limit: 25, cursor: None };
    let mut last = |more: &str| {
        f.db.execute_batch(more).unwrap();
        let members = f.read(&page("session", of)).unwrap();
        let listed: Vec<UserId> = members.iter().filter(|member| member.last_owner).map(|member| member.id).collect();
        let own = f.read(&account_of_caller("session")).unwrap().practice.unwrap().last_owner;
        assert_eq!(own, listed.contains(&OWNER));
        let one = f.read(&member("session", OWNER)).unwrap();
        assert_eq!(own, one.view.last_owner);
        listed
    };
    let id = people::MEMBER;
    assert_eq!(last(""), [OWNER]);
    let invited = format!("UPDATE users SET role = 'owner', state = 'invited' WHERE id = '{id}'");
    assert_eq!(last(&invited), [OWNER], "an invited owner does not count");
    let joined = format!("UPDATE users SET state = 'active' WHERE id = '{id}'");
    assert_eq!(last(&joined), [], "either may go");
}

#[test]
fn a_passkey_alone_counts_as_a_second_factor() {
    let mut a = Accounts::new();
    for (id, expected) in [(accounts::OWNER, true), (accounts::MEMBER, true), (accounts::INVITED, false)] {
        let found = a.read(&member("session", id)).unwrap();
        assert_eq!(found.view.two_factor, expected, "{id}");
    }
    a.f.db.execute("DELETE FROM passkeys", []).unwrap();
    assert!(!a.read(&member("session", accounts::MEMBER)).unwrap().view.two_factor);
}
