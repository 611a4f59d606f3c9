//! Accounts: batches that may run twice, preconditions that abort them, and the indexes that find their rows.

use super::fixture::Fixture;
use crate::Statement;
use crate::accounts::queries as account_queries;
use crate::error::{DatabaseError, FailedGuard};
use crate::testing::people::{MEMBER, OWNER, SESSION, session, user};
use overturn_core::auth::person::{PageProof, Person, StoredCredential, authorise};
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{FactorId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::totp::TotpSecret;
use overturn_core::plan::accounts::{
    LinkKind, NewContinuation, NewFactor, NewLink, NewUser, RecoveryCodes, SessionsToEnd, UserState,
};
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::{AccountsGuard, AccountsWrite, Actor, Guard, Plan, Write};
use overturn_core::request::idempotency::{IdempotencyKey, StoredAnswer};
use serde_json::json;
use uuid::Uuid;

const OTHER: SessionId = SessionId(Uuid::from_u128(21));
const FACTOR: FactorId = FactorId(Uuid::from_u128(30));
const NOW: Instant = Instant(1_800_000_000_000);

struct Accounts {
    f: Fixture,
    practice: PracticeId,
}

fn continuation(hash: &str) -> Write<'static> {
    Write::Accounts(AccountsWrite::NewContinuation(NewContinuation {
        hash: hash.into(),
        user_id: OWNER,
        epoch: 1,
        sso: false,
        session_id: Some(SESSION),
        expires_at: NOW.plus(1000),
    }))
}

fn link(hash: &str) -> Write<'static> {
    Write::Accounts(AccountsWrite::NewLink(NewLink {
        hash: hash.into(),
        kind: LinkKind::SignIn,
        user_id: OWNER,
        epoch: 1,
        expires_at: NOW.plus(1000),
    }))
}

fn answer(fingerprint: &str) -> Write<'static> {
    let key = IdempotencyKey::parse("6f1c1f0e-58c3-4f0e-9d5c-0d6a3f6a1b11").unwrap();
    Write::Answer(StoredAnswer {
        caller: OWNER,
        request: key.of("POST", "/x", fingerprint.as_bytes()),
        status: 201,
        body: json!({ "id": 1 }),
    })
}

impl Accounts {
    fn new() -> Self {
        let f = Fixture::new();
        let practice = f.db.query_row("SELECT id FROM practices", [], |row| row.get(0));
        let practice: String = practice.unwrap();
        let practice = PracticeId(practice.parse().unwrap());
        let mut accounts = Self { f, practice };
        accounts.write([
            user(OWNER, practice, Role::Owner),
            user(MEMBER, practice, Role::Member),
            session(SESSION, OWNER, "session"),
            continuation("continuation"),
            link("link"),
            Write::Accounts(AccountsWrite::NewFactor(NewFactor {
                id: FACTOR,
                user_id: OWNER,
                secret: TotpSecret::new([7; 20]),
            })),
            Write::Accounts(AccountsWrite::FactorConfirmed { user: OWNER, factor: FACTOR }),
            Write::Accounts(AccountsWrite::RecoveryCodes(RecoveryCodes {
                user_id: OWNER,
                hashes: vec!["code".into(), "spare".into()],
            })),
        ]);
        let token = format!(
            "INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at)
             VALUES ('{practice}', '{}', '{OWNER}', 'Export', 'token', 'ovu_test_abcd', 'settings:read', {at}, {at} + 1000)",
            Uuid::from_u128(40),
            at = NOW.0
        );
        accounts.f.db.execute_batch(&token).unwrap();
        accounts
    }

    fn write(&mut self, writes: impl Into<Vec<Write<'static>>>) {
        let ctx = self.f.ctx();
        let batch = self.f.lower(&Plan::of_operator(&ctx, writes.into()));
        self.f.run(&batch.statements).unwrap();
    }

    fn plan(&self, guards: Vec<Guard>, writes: Vec<Write<'static>>) -> (Ctx, Plan<'static>) {
        let ctx = self.f.ctx();
        let audit = Entry::new(&ctx, 0, Some(self.practice), Event::SignedIn, OWNER);
        let writes = [vec![Write::Audit(audit)], writes].concat();
        let plan = Plan { guards, actor: Actor::User(OWNER), at: NOW, request_id: ctx.request_id, from: None, writes };
        (ctx, plan)
    }

    fn run(&mut self, guards: Vec<Guard>, writes: Vec<Write<'static>>) -> Result<(), DatabaseError> {
        let (_, plan) = self.plan(guards, writes);
        let batch = self.f.lower(&plan);
        self.f.run(&batch.statements).map(|_| ())
    }

    fn person(&mut self, hash: &str) -> Option<Person> {
        let load = match hash {
            "token" => account_queries::api_token(hash),
            hash => account_queries::session(hash),
        };
        let standing = self.f.read(&load)?;
        let action = match standing.held {
            StoredCredential::Session(_) => Action::ManageApiKeys,
            StoredCredential::Token(_) => Action::ReadPractice,
        };
        authorise(Some(&standing), None, PageProof::Given, action, NOW).ok()
    }

    /// All stored rows, as text.
    fn everything(&self) -> String {
        let tables = [
            "practices",
            "agreements",
            "api_keys",
            "users",
            "sessions",
            "continuations",
            "links",
            "factors",
            "recovery_codes",
            "api_tokens",
            "answers",
            "audit",
        ];
        let mut all = String::new();
        for table in tables {
            let mut prepared = self.f.db.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let columns = prepared.column_count();
            let mut rows = prepared.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                all.push_str(table);
                for n in 0..columns {
                    all.push_str(&format!(" {:?}", row.get_ref(n).unwrap()));
                }
                all.push('\n');
            }
        }
        all
    }
}

/// Every kind of write except those of claims.
fn every_write(practice: PracticeId) -> Vec<Write<'static>> {
    vec![
        Write::Accounts(AccountsWrite::UserRole { practice, user: MEMBER, role: Role::Admin }),
        Write::Accounts(AccountsWrite::Epoch { user: MEMBER, epoch: 2 }),
        Write::Accounts(AccountsWrite::UserRemoved(MEMBER)),
        Write::Accounts(AccountsWrite::PasswordOpened(OWNER)),
        session(OTHER, OWNER, "other"),
        Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::One(OWNER, OTHER))),
        Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Others(OWNER, SESSION))),
        Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::All(MEMBER))),
        Write::Accounts(AccountsWrite::SessionsEnded(SessionsToEnd::Surplus(practice, OWNER, SESSION))),
        Write::Accounts(AccountsWrite::Epoch { user: OWNER, epoch: 2 }),
        continuation("another"),
        link("another"),
        Write::Accounts(AccountsWrite::NewFactor(NewFactor {
            id: FactorId(Uuid::from_u128(31)),
            user_id: OWNER,
            secret: TotpSecret::new([8; 20]),
        })),
        Write::Accounts(AccountsWrite::FactorsRemoved(MEMBER)),
        Write::Accounts(AccountsWrite::RecoveryCodes(RecoveryCodes { user_id: MEMBER, hashes: vec!["m".into()] })),
        answer("{}"),
    ]
}

/// Every kind of precondition except that of an API key. All of them hold.
fn every_guard(practice: PracticeId, person: &Person) -> Vec<Guard> {
    vec![
        Guard::Person(person.clone()),
        Guard::Accounts(AccountsGuard::InUse { user: OWNER, epoch: 1 }),
        Guard::Accounts(AccountsGuard::Unchanged { practice: Some(practice), user: MEMBER, epoch: 1 }),
        Guard::Accounts(AccountsGuard::ProofUnspent("proof".into())),
        Guard::Accounts(AccountsGuard::AnotherOwner { practice, user: MEMBER }),
    ]
}

#[test]
fn a_batch_that_runs_twice_has_done_what_it_does_once() {
    let mut a = Accounts::new();
    let person = a.person("session").unwrap();
    let guards = every_guard(a.practice, &person);
    let (_, plan) = a.plan(guards, every_write(a.practice));
    let batch = a.f.lower(&plan);
    a.f.run(&batch.statements).unwrap();
    let once = a.everything();
    let done = Err(DatabaseError::Conflict(FailedGuard::Done));
    assert_eq!(a.f.run(&batch.statements), done);
    assert_eq!(a.everything(), once);
}

#[test]
fn a_batch_that_comes_late_a_second_time_undoes_nothing_of_what_was_changed_since() {
    let mut a = Accounts::new();
    let role =
        |a: &Accounts, role| Write::Accounts(AccountsWrite::UserRole { practice: a.practice, user: MEMBER, role });
    let (_, plan) = a.plan(Vec::new(), vec![role(&a, Role::Owner)]);
    let batch = a.f.lower(&plan);
    a.f.run(&batch.statements).unwrap();
    let taken_back = vec![role(&a, Role::Member)];
    assert_eq!(a.run(Vec::new(), taken_back), Ok(()));
    let since = a.everything();
    let _late = a.f.run(&batch.statements);
    assert_eq!(a.everything(), since);
}

#[test]
fn each_precondition_aborts_all_of_a_batch_once_it_does_not_hold() {
    let practice = Accounts::new().practice;
    let broken: [(&str, usize, FailedGuard); 8] = [
        ("UPDATE sessions SET revoked_at = 1", 0, FailedGuard::Rights),
        ("UPDATE users SET epoch = 2", 0, FailedGuard::Rights),
        ("UPDATE users SET state = 'removed'", 0, FailedGuard::Rights),
        ("UPDATE practices SET state = 'inactive'", 0, FailedGuard::Rights),
        ("UPDATE users SET epoch = 2", 1, FailedGuard::Rights),
        ("UPDATE users SET epoch = 2", 2, FailedGuard::Record),
        ("INSERT INTO spent_proofs VALUES ('proof', 1900000000000)", 3, FailedGuard::Secret),
        ("UPDATE users SET role = 'admin'", 4, FailedGuard::Owner),
    ];
    for (sql, nth, failed) in broken {
        let mut a = Accounts::new();
        let person = a.person("session").unwrap();
        let guard = every_guard(practice, &person).remove(nth);
        let guard = match guard {
            // Each database has its own practice.
            Guard::Accounts(AccountsGuard::Unchanged { practice: _, user, epoch }) => {
                Guard::Accounts(AccountsGuard::Unchanged { practice: Some(a.practice), user, epoch })
            }
            Guard::Accounts(AccountsGuard::AnotherOwner { practice: _, user }) => {
                Guard::Accounts(AccountsGuard::AnotherOwner { practice: a.practice, user })
            }
            other => other,
        };
        let write = Write::Accounts(AccountsWrite::UserRole { practice: a.practice, user: MEMBER, role: Role::Admin });
        assert_eq!(a.run(vec![guard.clone()], vec![write.clone()]), Ok(()), "{nth}");
        a.f.db.execute_batch(sql).unwrap();
        let before = a.everything();
        assert_eq!(a.run(vec![guard], vec![write]), Err(DatabaseError::Conflict(failed)), "{sql} {nth}");
        assert_eq!(a.everything(), before);
    }
}

#[test]
fn a_result_is_kept_for_the_request_that_was_first() {
    let mut a = Accounts::new();
    assert_eq!(a.run(Vec::new(), vec![answer("{}")]), Ok(()));
    let before = a.everything();
    let second = a.run(Vec::new(), vec![answer("{}")]);
    assert_eq!(second, Err(DatabaseError::Conflict(FailedGuard::Request)));
    assert_eq!(a.everything(), before);
}

#[test]
fn an_address_has_one_account_in_use() {
    let mut a = Accounts::new();
    let again = NewUser {
        id: UserId(Uuid::from_u128(99)),
        practice_id: None,
        role: Role::Staff,
        state: UserState::Active,
        email: "owner@a.example".into(),
        email_key: "owner@a.example".into(),
        name: String::new(),
        password_hash: None,
        created_at: NOW,
    };
    let made = a.run(Vec::new(), vec![Write::Accounts(AccountsWrite::NewUser(again.clone()))]);
    assert_eq!(made, Err(DatabaseError::Conflict(FailedGuard::Address)));
    assert_eq!(a.run(Vec::new(), vec![Write::Accounts(AccountsWrite::UserRemoved(OWNER))]), Ok(()));
    assert_eq!(a.run(Vec::new(), vec![Write::Accounts(AccountsWrite::NewUser(again))]), Ok(()));
}

#[test]
fn one_session_at_a_time_is_the_latest() {
    let mut a = Accounts::new();
    a.f.db.execute_batch("UPDATE practices SET single_session = 1").unwrap();
    a.write([session(OTHER, OWNER, "other")]);
    assert!(a.person("session").is_none());
    assert!(a.person("other").is_some());
}

#[test]
fn a_token_stops_with_its_person_and_its_practice() {
    for sql in [
        "UPDATE users SET state = 'removed'",
        "UPDATE practices SET state = 'inactive'",
        "UPDATE api_tokens SET revoked_at = 1",
        "UPDATE api_tokens SET expires_at = 1",
    ] {
        let mut a = Accounts::new();
        assert!(a.person("token").is_some());
        a.f.db.execute_batch(sql).unwrap();
        assert!(a.person("token").is_none(), "{sql}");
    }
}

#[test]
fn every_statement_of_accounts_finds_its_rows_by_an_index() {
    let mut a = Accounts::new();
    let by_token = a.person("token").unwrap();
    let person = a.person("session").unwrap();
    let key = IdempotencyKey::parse("6f1c1f0e-58c3-4f0e-9d5c-0d6a3f6a1b11").unwrap();
    let mut seen: Vec<Statement> = vec![
        account_queries::session("session").into(),
        account_queries::api_token("token").into(),
        account_queries::kept("session", &key.of("POST", "/x", b"")).into(),
        account_queries::account_of_caller("session").into(),
    ];
    let mut guards = every_guard(a.practice, &person);
    guards.push(Guard::Person(by_token));
    let (_, plan) = a.plan(guards, every_write(a.practice));
    seen.extend(a.f.lower(&plan).statements);
    for statement in seen {
        // A practice has few people, keys, tokens and agreements, and the caller is one row of two tables.
        let harmless = [
            "VIRTUAL TABLE",
            "CONSTANT ROW",
            "SEARCH agreements",
            "SEARCH k USING PRIMARY KEY (practice_id=?)",
            "SEARCH users USING",
            "SEARCH o USING INDEX users_of_practice",
        ];
        a.f.assert_indexed(&statement, &harmless);
    }
}
