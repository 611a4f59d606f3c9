//! Passkeys and spent proofs: what is read back, what a batch requires, and batches that run twice.

use super::accounts::{MEMBER, OWNER, SESSION, session, user};
use super::fixture::Fixture;
use crate::Queries;
use crate::Statement;
use crate::accounts::queries;
use crate::error::{DatabaseError, FailedGuard};
use overturn_core::auth::role::Role;
use overturn_core::auth::session::SessionKind;
use overturn_core::base::id::{FactorId, PasskeyId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::totp::TotpSecret;
use overturn_core::identity::passkeys::{AssertedCredential, NewCredential};
use overturn_core::plan::accounts::{NewContinuation, NewFactor, NewPasskey, SessionTurn, SpentProof};
use overturn_core::plan::audit::{Entry, Event};
use overturn_core::plan::{AccountsGuard, AccountsWrite, Actor, Guard, Plan, Write};
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
const FIRST: PasskeyId = PasskeyId(Uuid::from_u128(30));
const SECOND: PasskeyId = PasskeyId(Uuid::from_u128(31));
const OF_MEMBER: PasskeyId = PasskeyId(Uuid::from_u128(32));
const FACTOR: FactorId = FactorId(Uuid::from_u128(40));

fn credential(id: PasskeyId) -> NewCredential {
    NewCredential {
        id: format!("credential-{id}"),
        public_key: "key".into(),
        sign_count: 5,
        backup_eligible: true,
        backed_up: false,
        transports: vec!["internal".into(), "hybrid".into()],
    }
}

fn passkey(id: PasskeyId, user_id: UserId) -> AccountsWrite {
    AccountsWrite::NewPasskey(NewPasskey { id, user_id, name: "Front desk".into(), credential: credential(id) })
}

fn used(sign_count: u32) -> AccountsWrite {
    AccountsWrite::PasskeyUsed {
        user: OWNER,
        passkey: FIRST,
        asserted: AssertedCredential { sign_count, backed_up: true },
    }
}

fn spent(hash: &str, expires_at: Instant) -> AccountsWrite {
    AccountsWrite::ProofSpent(SpentProof { hash: hash.into(), expires_at })
}

fn factor() -> [AccountsWrite; 2] {
    let new = NewFactor { id: FACTOR, user_id: OWNER, secret: TotpSecret::new([7; 20]) };
    let (user, factor) = (OWNER, FACTOR);
    [AccountsWrite::NewFactor(new), AccountsWrite::FactorConfirmed { user, factor }]
}

/// An owner with a session, a continuation and two passkeys, and a member with one.
fn enrolled() -> Fixture {
    let mut f = Fixture::new();
    let practice = practice(&f);
    let ctx = f.ctx();
    let continuation = NewContinuation {
        hash: "continuation".into(),
        user_id: OWNER,
        epoch: 1,
        sso: false,
        session_id: None,
        expires_at: NOW.plus(1000),
    };
    let writes = [
        user(OWNER, practice, Role::Owner),
        user(MEMBER, practice, Role::Member),
        session(SESSION, OWNER, "session"),
        session(SessionId(Uuid::from_u128(21)), MEMBER, "other"),
        Write::Accounts(AccountsWrite::NewContinuation(continuation)),
        Write::Accounts(passkey(SECOND, OWNER)),
        Write::Accounts(passkey(FIRST, OWNER)),
        Write::Accounts(passkey(OF_MEMBER, MEMBER)),
    ];
    let batch = f.lower(&Plan::of_operator(&ctx, writes.into()));
    f.run(&batch.statements).unwrap();
    f
}

fn practice(f: &Fixture) -> PracticeId {
    let id: String = f.db.query_row("SELECT id FROM practices", [], |row| row.get(0)).unwrap();
    PracticeId(id.parse().unwrap())
}

/// The statements of a batch with an audit row, as every change has one.
fn statements(
    f: &mut Fixture,
    guards: Vec<AccountsGuard>,
    writes: impl IntoIterator<Item = AccountsWrite>,
) -> Vec<Statement> {
    let ctx = f.ctx();
    let audit = Entry::new(&ctx, 0, Some(practice(f)), Event::SignedIn, OWNER);
    let audit = std::iter::once(Write::Audit(audit));
    let plan = Plan {
        guards: guards.into_iter().map(Guard::Accounts).collect(),
        actor: Actor::User(OWNER),
        at: NOW,
        request_id: ctx.request_id,
        from: None,
        writes: audit.chain(writes.into_iter().map(Write::Accounts)).collect(),
    };
    f.lower(&plan).statements
}

fn run(
    f: &mut Fixture,
    guards: Vec<AccountsGuard>,
    writes: impl IntoIterator<Item = AccountsWrite>,
) -> Result<(), DatabaseError> {
    let statements = statements(f, guards, writes);
    f.run(&statements).map(drop)
}

/// The rows of passkeys and spent proofs, as text.
fn rows(f: &Fixture) -> String {
    let sql = "SELECT coalesce(group_concat(line, char(10)), '') FROM (
       SELECT concat_ws(' ', id, sign_count, backed_up, name, last_used_at) AS line FROM passkeys
       UNION ALL SELECT concat_ws(' ', hash, expires_at) FROM spent_proofs)";
    f.db.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_passkey_is_read_back_as_it_was_written_and_used() {
    let mut f = enrolled();
    let listed = f.read(&queries::passkeys("session"));
    let ids = |listed: &[overturn_core::accounts::passkeys::StoredPasskey]| {
        listed.iter().map(|passkey| passkey.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&listed), [FIRST, SECOND]);
    assert_eq!(listed[0].credential, credential(FIRST));
    assert_eq!((listed[0].user_id, listed[0].last_used_at), (OWNER, None));
    let of_continuation = f.read(&queries::passkeys_of_continuation("continuation"));
    assert_eq!(of_continuation, listed);
    assert!(f.read(&queries::passkeys_of_continuation("none")).is_empty());
    assert!(f.read(&queries::passkeys("none")).is_empty());

    let named = AccountsWrite::PasskeyNamed { user: OWNER, passkey: FIRST, name: "Ünïcode".into() };
    run(&mut f, vec![], [used(6), named]).unwrap();
    let credential = credential(FIRST).id;
    let found = f.read(&queries::passkey_of_credential(&credential)).unwrap();
    assert_eq!((found.account.user_id, found.account.enrolled), (OWNER, true));
    assert_eq!(found.passkey.name, "Ünïcode");
    assert_eq!(found.passkey.last_used_at.map(|at| at.0), Some(NOW));
    let now = found.passkey.credential;
    assert_eq!((now.sign_count, now.backed_up), (6, true));
}

#[test]
fn a_passkey_of_a_removed_account_signs_nobody_in() {
    let mut f = enrolled();
    let credential = credential(OF_MEMBER).id;
    let found = |f: &mut Fixture| f.read(&queries::passkey_of_credential(&credential));
    assert!(found(&mut f).is_some());
    f.db.execute_batch("UPDATE users SET state = 'invited' WHERE role = 'member'").unwrap();
    assert!(found(&mut f).is_none());
    f.db.execute_batch("UPDATE users SET state = 'active'").unwrap();
    run(&mut f, vec![], [AccountsWrite::UserRemoved(MEMBER)]).unwrap();
    assert!(found(&mut f).is_none());
    assert!(f.read(&queries::passkeys("other")).is_empty());
}

#[test]
fn the_last_second_factor_is_known() {
    let mut f = enrolled();
    let own = |f: &mut Fixture, id| f.read(&queries::own_passkey("session", id));
    assert!(!own(&mut f, FIRST).unwrap().is_last);
    assert!(own(&mut f, OF_MEMBER).is_none());
    let (user, passkey) = (OWNER, SECOND);
    run(
        &mut f,
        vec![AccountsGuard::AnotherFactor { user, passkey }],
        [AccountsWrite::PasskeyRemoved { user, passkey }],
    )
    .unwrap();
    let last = own(&mut f, FIRST).unwrap();
    assert_eq!((last.passkey.id, last.is_last), (FIRST, true));
    let [begun, confirmed] = factor();
    run(&mut f, vec![], [begun]).unwrap();
    assert!(own(&mut f, FIRST).unwrap().is_last, "it is not confirmed yet");
    run(&mut f, vec![], [confirmed]).unwrap();
    assert!(!own(&mut f, FIRST).unwrap().is_last);
}

#[test]
fn a_proof_is_spent_once_and_forgotten_after_its_end() {
    let mut f = enrolled();
    let unspent = || vec![AccountsGuard::ProofUnspent("proof".into())];
    assert!(!f.read(&queries::proof_is_spent("proof")));
    run(&mut f, unspent(), [spent("proof", NOW.plus(1)), used(6)]).unwrap();
    assert!(f.read(&queries::proof_is_spent("proof")));
    let before = rows(&f);
    let second = run(&mut f, unspent(), [spent("proof", NOW.plus(1)), used(7)]);
    assert_eq!(second, Err(DatabaseError::Conflict(FailedGuard::Secret)));
    assert_eq!(rows(&f), before);
    // Twelve have ended. Two batches forget them, ten rows in each.
    let ended = (0..12).map(|n| spent(&format!("ended {n}"), NOW.plus(-n)));
    for write in ended {
        let (hash, expires_at) = match write {
            AccountsWrite::ProofSpent(SpentProof { hash, expires_at }) => (hash, expires_at),
            other => panic!("{other:?}"),
        };
        f.db.execute("INSERT INTO spent_proofs VALUES (?1, ?2)", (hash, expires_at.0)).unwrap();
    }
    for left in [4, 3] {
        let hash = format!("proof {left}");
        run(&mut f, vec![], [spent(&hash, NOW.plus(1))]).unwrap();
        let kept = f.count("SELECT count(*) FROM spent_proofs");
        // The two kept before, the new one, and what has ended and is left.
        assert_eq!(kept, left);
    }
}

#[test]
fn each_precondition_of_a_passkey_aborts_all_of_a_batch() {
    let (user, passkey) = (OWNER, FIRST);
    let guard = AccountsGuard::Passkey { user, passkey, sign_count: 5 };
    let free = AccountsGuard::CredentialFree("credential-new".into());
    let another = AccountsGuard::AnotherFactor { user, passkey };
    let below = AccountsGuard::PasskeysBelow { user, bound: 3 };
    let unspent = AccountsGuard::ProofUnspent("proof".into());
    let broken = [
        (&guard, "UPDATE passkeys SET sign_count = 6", FailedGuard::Secret),
        (&guard, "DELETE FROM passkeys", FailedGuard::Secret),
        (
            &free,
            "UPDATE passkeys SET credential_id = 'credential-new' WHERE user_id LIKE '%b'",
            FailedGuard::Record,
        ),
        (
            &another,
            "DELETE FROM passkeys WHERE id LIKE '%1f'",
            FailedGuard::Record,
        ),
        (
            &below,
            "INSERT INTO passkeys SELECT user_id, 'x', 'y', public_key, sign_count, backup_eligible, backed_up, transports,
               name, created_at, NULL FROM passkeys WHERE id LIKE '%1f'",
            FailedGuard::Record,
        ),
        (
            &unspent,
            "INSERT INTO spent_proofs VALUES ('proof', 1900000000000)",
            FailedGuard::Secret,
        ),
    ];
    for (guard, sql, failed) in broken {
        let mut f = enrolled();
        let write = AccountsWrite::Password { user: OWNER, hash: "changed".into() };
        assert_eq!(run(&mut f, vec![guard.clone()], [write]), Ok(()), "{sql}");
        f.db.execute_batch(sql).unwrap();
        let before = rows(&f);
        let aborted = run(&mut f, vec![guard.clone()], [spent("other", NOW.plus(1))]);
        assert_eq!(aborted, Err(DatabaseError::Conflict(failed)), "{sql}");
        assert_eq!(rows(&f), before);
    }
}

/// Every write about passkeys, and every guard, which holds before.
fn everything() -> (Vec<AccountsGuard>, Vec<AccountsWrite>) {
    let (user, passkey_id) = (OWNER, FIRST);
    let new = PasskeyId(Uuid::from_u128(33));
    let guards = vec![
        AccountsGuard::ProofUnspent("proof".into()),
        AccountsGuard::CredentialFree(credential(new).id),
        AccountsGuard::Passkey { user, passkey: FIRST, sign_count: 5 },
        AccountsGuard::AnotherFactor { user, passkey: FIRST },
        AccountsGuard::PasskeysBelow { user, bound: 20 },
    ];
    let turned = SessionTurn {
        user_id: OWNER,
        id: SESSION,
        hash: "turned".into(),
        kind: SessionKind::Full,
        epoch: 2,
        verified_at: Some(NOW),
    };
    let writes = vec![
        spent("proof", NOW.plus(1)),
        passkey(new, OWNER),
        used(6),
        AccountsWrite::PasskeyNamed { user, passkey: SECOND, name: "Laptop".into() },
        AccountsWrite::PasskeyRemoved { user, passkey: passkey_id },
        AccountsWrite::SessionTurned(turned),
    ];
    (guards, writes)
}

#[test]
fn a_batch_about_passkeys_that_runs_twice_has_done_what_it_does_once() {
    let mut f = enrolled();
    let (guards, writes) = everything();
    let statements = statements(&mut f, guards, writes);
    f.run(&statements).unwrap();
    let once = rows(&f);
    let done = Err(DatabaseError::Conflict(FailedGuard::Done));
    assert_eq!(f.run(&statements), done);
    assert_eq!(rows(&f), once);
}

#[test]
fn every_statement_of_passkeys_finds_its_rows_by_an_index() {
    let mut f = enrolled();
    let (guards, writes) = everything();
    let mut seen = statements(&mut f, guards, writes);
    (
        queries::passkeys("session"),
        queries::passkeys_of_continuation("continuation"),
        queries::passkey_of_credential("credential"),
        queries::own_passkey("session", FIRST),
    )
        .add_to(&mut seen);
    queries::proof_is_spent("proof").add_to(&mut seen);
    for statement in seen {
        f.assert_indexed(
            &statement,
            &["VIRTUAL TABLE", "CONSTANT ROW", "SEARCH users USING", "SEARCH o USING INDEX users_of_practice"],
        );
    }
}
