//! The statements of the job on SQLite with the real migrations.

use super::*;
use crate::auth::role::Role;
use crate::sandbox::idle;
use crate::testing::Fixture;
use crate::testing::people::{MEMBER, user};

const NOW: Instant = Instant(1_800_000_000_000);
const AHEAD: i64 = 1_000_000;
const DAY: i64 = 86_400_000;

/// A number of sandboxes, all ahead by [`AHEAD`], whose ids end in their numbers.
fn several(count: u8) -> Fixture {
    let f = Fixture::new();
    for n in 1..=count {
        let sql = format!(
            "INSERT INTO practices (id, name, state, created_at, sandbox_of, clock_ms, idle_at)
               VALUES ('{id}', 'Live', 'active', 1, NULL, 0, NULL);
             INSERT INTO practices (id, name, state, created_at, sandbox_of, clock_ms, idle_at)
               VALUES ('{}', 'Sandbox', 'active', 1, '{id}', {AHEAD}, {})",
            of(n),
            NOW.0,
            id = of(100 + n)
        );
        f.db.execute_batch(&sql).unwrap();
    }
    f
}

fn of(n: u8) -> PracticeId {
    PracticeId(uuid::Uuid::from_u128(n.into()))
}

/// A key of a sandbox whose next warning is at an instant of its clock, and which was last used at another.
fn key(f: &Fixture, n: u8, warn_at: i64, last_used_at: i64) {
    let sql = "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at, warn_at, last_used_at)
       VALUES (?1, ?1, 'k', ?1, 'ovt_test_abcd', 'claims:read', 1, ?2 + 1, ?2, ?3)";
    f.db.execute(sql, (of(n).to_string(), warn_at, last_used_at)).unwrap();
}

#[test]
fn the_sandbox_that_waited_longest_comes_first() {
    let mut f = several(3);
    // The clock of each has just passed a warning. The last one has nothing due.
    key(&f, 1, NOW.0 + AHEAD, 1);
    key(&f, 2, NOW.0 + AHEAD, 1);
    key(&f, 3, NOW.0 + AHEAD + 1, 1);
    let mut turns = Vec::new();
    for minute in 0..4 {
        let found = f.read(&sandboxes(NOW));
        let ctx = f.ctx();
        let (first, at, is_on) = found[0];
        assert_eq!((found.len(), at, is_on), (2, NOW.plus(AHEAD), true));
        f.commit(&ctx, (Vec::new(), vec![swept(first, NOW.plus(minute))])).unwrap();
        turns.push(first);
    }
    assert_eq!(turns, [of(1), of(2), of(1), of(2)]);
    f.db.execute_batch("UPDATE practices SET state = 'inactive'").unwrap();
    assert_eq!(f.read(&sandboxes(NOW)), []);
}

#[test]
fn the_job_finds_a_sandbox_by_what_is_due_there_along_indexes() {
    let f = several(1);
    let steps = f.plan(sandboxes(NOW).statement()).join("\n");
    for index in [
        "practice_sandbox_once",
        "claims_scripted",
        "deliveries_of_sandbox",
        "api_keys_ending_there",
        "api_tokens_ending_there",
    ] {
        assert!(steps.contains(index), "{steps}");
    }
    assert!(f.plan(idle::due(NOW).statement()).join("\n").contains("INDEX practices_idle (idle_at<?)"));
}

#[test]
fn a_sandbox_is_looked_at_90_days_after_its_last_call_and_not_before() {
    let mut f = several(2);
    // By the real clock: one was called ten days ago, and one a hundred.
    key(&f, 1, i64::MAX - 1, NOW.0 + AHEAD - 10 * DAY);
    key(&f, 2, i64::MAX - 1, NOW.0 + AHEAD - 100 * DAY);
    for n in [1, 2] {
        let sql = "INSERT INTO claims (practice_id, claim_number, id, submission_id, received_at, updated_at, payer_claim_number,
             payer_name, date_of_service, billed_cents, adjustment_codes, present, sealed, key_version, patient_tag, changed, sandbox)
           VALUES (?1, 'N-1', ?1, ?1, 1, 1, 'P', 'P', '2026-01-01', 1, '[]', 0, 's', 1, 't', 1, 1)";
        f.db.execute(sql, [of(n).to_string()]).unwrap();
    }
    f.name_payers();
    let looked = f.read(&idle::due(NOW));
    assert_eq!(looked.len(), 2);
    for sandbox in &looked {
        let ctx = f.ctx();
        f.commit(&ctx, (Vec::new(), idle::looked(sandbox, &ctx))).unwrap();
    }
    assert_eq!(f.read(&idle::due(NOW)).len(), 0);
    let next = |f: &Fixture, n: u8| f.count(&format!("SELECT idle_at FROM practices WHERE id = '{}'", of(n)));
    assert_eq!((next(&f, 1), next(&f, 2)), (NOW.0 + 80 * DAY, NOW.0 + 90 * DAY));
    assert_eq!(f.count("SELECT count(*) FROM data_jobs"), 1);
    assert_eq!(f.count(&format!("SELECT count(*) FROM data_jobs WHERE practice_id = '{}'", of(2))), 1);
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE action = 'sandbox.emptied'"), 1);
}

#[test]
fn a_step_is_due_at_its_instant() {
    let mut f = Fixture::filled(1, 1, ["'received'", "'Acme'", "'t'", "NULL"]);
    let practice = f.practice();
    let ctx = f.ctx();
    f.commit(&ctx, (Vec::new(), vec![user(MEMBER, practice, Role::Member)])).unwrap();
    f.db.execute("UPDATE claims SET script_step = 0, script_at = ?1", [NOW.0]).unwrap();
    for (until, steps) in [(NOW.plus(-1), 0), (NOW, 1)] {
        assert_eq!(f.read(&moves::due(practice, until)).len(), steps);
        assert_eq!(f.read(&moves::waiting(practice, until)), steps);
    }
}
