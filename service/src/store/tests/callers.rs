//! Batches of people: the guard of who makes one, the answer that is kept for its repetition, and one that comes late.

use super::fixture::Fixture;
use crate::auth::person::{Person, Via};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::audit::{Entry, Event};
use crate::plan::statement::{Bind as _, Statement};
use crate::plan::{Actor, Guard, Plan, Write};
use crate::request::idempotency::{IdempotencyKey, Repeatable, StoredAnswer};
use crate::store::answers::kept;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::people::{MEMBER, OWNER, SESSION, account, session, user};
use overturn_core::base::id::{ApiTokenId, PracticeId, UserId};
use overturn_core::base::instant::Instant;
use serde_json::json;
use uuid::Uuid;

const TOKEN: ApiTokenId = ApiTokenId(Uuid::from_u128(40));
const NOW: Instant = Instant(1_800_000_000_000);

/// A practice with an owner, who has a session and a token, and a member.
struct Office {
    f: Fixture,
    practice: PracticeId,
}

impl Office {
    fn new() -> Self {
        let f = Fixture::new();
        let practice = f.practice();
        let mut office = Self { f, practice };
        let people = [user(OWNER, practice, Role::Owner), user(MEMBER, practice, Role::Member)];
        let writes = people.into_iter().chain([session(SESSION, OWNER, "session")]);
        assert_eq!(office.run(Vec::new(), writes.collect()), Ok(()));
        let token = format!(
            "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
             VALUES ('{practice}', '{TOKEN}', '{OWNER}', 'Export', 'token', 'ovu_test_abcd', 'settings:read', {at}, {at} + 1000)",
            at = NOW.0
        );
        office.f.db.execute_batch(&token).unwrap();
        office
    }

    /// The owner with this credential.
    fn owner(&self, via: Via) -> Guard {
        Guard::Person(Person {
            user_id: OWNER,
            practice_id: Some(self.practice),
            role: Role::Owner,
            epoch: 1,
            via,
            action: Action::ReadPractice,
            enrolled: true,
            touch: false,
            sso: false,
            sandbox: false,
        })
    }

    fn plan(&self, guards: Vec<Guard>, writes: Vec<Write>) -> Plan {
        let ctx = self.f.ctx();
        let audit = Entry::new(&ctx, 0, Some(self.practice), Event::SignedIn, OWNER);
        let writes = [vec![Write::Audit(audit)], writes].concat();
        Plan { guards, actor: Actor::User(OWNER), at: NOW, checked_at: NOW, ..Plan::of_operator(&ctx, writes) }
    }

    fn run(&mut self, guards: Vec<Guard>, writes: Vec<Write>) -> Result<(), DatabaseError> {
        let batch = self.f.lower(&self.plan(guards, writes));
        self.f.run(&batch.statements).map(drop)
    }

    fn role(&self) -> String {
        self.f.db.query_row("SELECT role FROM users WHERE id = ?1", [MEMBER.to_string()], |row| row.get(0)).unwrap()
    }
}

/// Gives the member a role.
fn gives(role: Role) -> Write {
    Write::Sql(Statement::new("UPDATE users SET role = ?2 WHERE id = ?1", [MEMBER.bind(), role.bind()]))
}

fn request() -> Repeatable {
    let key = IdempotencyKey::parse("6f1c1f0e-58c3-4f0e-9d5c-0d6a3f6a1b11").unwrap();
    key.of("POST", "/x", b"{}")
}

fn answer() -> Write {
    Write::Answer(StoredAnswer { caller: OWNER, request: request(), status: 201, body: json!({ "id": 1 }), at: NOW })
}

#[test]
fn a_batch_that_comes_late_a_second_time_undoes_nothing_of_what_was_changed_since() {
    let mut office = Office::new();
    let plan = office.plan(Vec::new(), vec![gives(Role::Owner)]);
    let batch = office.f.lower(&plan);
    office.f.run(&batch.statements).unwrap();
    assert_eq!(office.run(Vec::new(), vec![gives(Role::Member)]), Ok(()));
    let late = office.f.run(&batch.statements).map(drop);
    assert_eq!(late, Err(DatabaseError::Conflict(FailedGuard::Done)));
    assert_eq!(office.role(), "member");
}

#[test]
fn a_credential_that_ended_aborts_all_of_a_batch() {
    let (by_session, by_token) = (Via::Session(SESSION), Via::Token(TOKEN));
    for (via, sql) in [
        (by_session, "UPDATE sessions SET revoked_at = 1"),
        (by_session, "UPDATE sessions SET ends_at = 1"),
        (by_session, "UPDATE sessions SET epoch = 2"),
        (by_token, "UPDATE api_tokens SET revoked_at = 1"),
        (by_token, "UPDATE api_tokens SET expires_at = 1"),
        (by_session, "UPDATE users SET epoch = 2"),
        (by_token, "UPDATE users SET epoch = 2"),
        (by_session, "UPDATE users SET state = 'removed'"),
        (by_token, "UPDATE users SET state = 'removed'"),
        (by_session, "UPDATE practices SET state = 'inactive'"),
        (by_token, "UPDATE practices SET state = 'inactive'"),
    ] {
        let mut office = Office::new();
        let owner = office.owner(via);
        assert_eq!(office.run(vec![owner.clone()], vec![gives(Role::Admin)]), Ok(()));
        office.f.db.execute_batch(sql).unwrap();
        let stopped = office.run(vec![owner], vec![gives(Role::Owner)]);
        assert_eq!(stopped, Err(DatabaseError::Conflict(FailedGuard::Rights)), "{sql}");
        assert_eq!(office.role(), "admin", "{sql}");
    }
}

#[test]
fn a_result_is_kept_for_the_request_that_was_first() {
    let mut office = Office::new();
    assert_eq!(office.run(Vec::new(), vec![answer()]), Ok(()));
    let second = office.run(Vec::new(), vec![gives(Role::Admin), answer()]);
    assert_eq!(second, Err(DatabaseError::Conflict(FailedGuard::Request)));
    assert_eq!(office.role(), "member");
    let kept = office.f.read(&kept("session", &request())).unwrap();
    assert_eq!((kept.status, kept.body), (201, json!({ "id": 1 })));
}

#[test]
fn an_address_has_one_account_in_use() {
    let mut office = Office::new();
    let again = || vec![account(UserId(Uuid::from_u128(99)), None, Role::Staff, "owner@a.example")];
    assert_eq!(office.run(Vec::new(), again()), Err(DatabaseError::Conflict(FailedGuard::Address)));
    office.f.db.execute_batch("UPDATE users SET state = 'removed'").unwrap();
    assert_eq!(office.run(Vec::new(), again()), Ok(()));
}
