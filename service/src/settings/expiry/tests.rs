//! The statements of warnings on SQLite with the real migrations.

use super::*;
use crate::auth::role::Role;
use crate::plan::Plan;
use crate::settings::data_jobs::letters::due as due_notices;
use crate::testing::Fixture;
use crate::testing::people::{MEMBER, OWNER, user};

const NOW: Instant = Instant(1_800_000_000_000);
const CHANGED: DatabaseError = DatabaseError::Conflict(FailedGuard::Record);

const fn days(n: i64) -> Instant {
    NOW.plus(n * DAY_MS)
}

/// A practice with an owner, a member, a key and a token of the member's. Both end at an instant and warn from another.
fn ending(end: Instant, warn_at: Instant) -> Fixture {
    let mut f = Fixture::new();
    let own = f.practice();
    let ctx = f.ctx();
    let people = vec![user(OWNER, own, Role::Owner), user(MEMBER, own, Role::Member)];
    let batch = f.lower(&Plan::of_operator(&ctx, people));
    f.run(&batch.statements).unwrap();
    let (end, warn_at, id) = (end.0, warn_at.0, ctx.id(Purpose::Record, 5));
    let rows = format!(
        "UPDATE api_keys SET expires_at = {end}, warn_at = {warn_at};
         INSERT INTO api_tokens (practice_id, id, user_id, name, hash, hint, scopes, created_at, expires_at, warn_at)
         VALUES ('{own}', '{id}', '{MEMBER}', 'Sheet', 'h', 'ovu_test_abcd', 'denials:read', 1, {end}, {warn_at});
         INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, created_at, created_by)
         VALUES ('{own}', '{id}', 'https://x', 'api_key.expiring api_token.expiring', 'active', 1, 's', 1, '{OWNER}')"
    );
    f.db.execute_batch(&rows).unwrap();
    f
}

/// Warns about all that is due at an instant, each by two sweeps at once, and returns how many there were.
fn sweep(f: &mut Fixture, now: Instant) -> usize {
    let due = f.read(&due(now));
    for key in &due {
        let mut ctx = f.ctx();
        ctx.now = now;
        let (guard, writes) = warned(key, &ctx);
        f.commit(&ctx, (vec![guard], writes)).unwrap();
        let mut again = f.ctx();
        again.now = now;
        let (guard, writes) = warned(key, &again);
        assert_eq!(f.commit(&again, (vec![guard], writes)).unwrap_err(), CHANGED);
    }
    due.len()
}

fn told(f: &Fixture) -> [i64; 3] {
    [
        "SELECT count(*) FROM notices",
        "SELECT count(*) FROM deliveries",
        "SELECT count(*) FROM audit WHERE action LIKE '%.expiring'",
    ]
    .map(|sql| f.count(sql))
}

#[test]
fn the_next_warning_is_30_7_or_1_days_before_the_end() {
    for (left, warned_before) in
        [(365, Some(30)), (31, Some(30)), (30, Some(7)), (8, Some(7)), (7, Some(1)), (2, Some(1)), (1, None)]
    {
        let expected = warned_before.map(|before| days(left - before));
        assert_eq!(next_warning(days(left), NOW), expected, "{left}");
    }
}

#[test]
fn each_warning_comes_once() {
    let mut f = ending(days(40), days(10));
    let mut counts = Vec::new();
    for day in 0..50 {
        sweep(&mut f, days(day));
        assert_eq!(sweep(&mut f, days(day)), 0, "day {day}");
        counts.push(told(&f)[0]);
    }
    let warned: Vec<usize> = (1..50).filter(|day| counts[*day] > counts[*day - 1]).collect();
    assert_eq!(warned, [10, 33, 39]);
    assert_eq!(told(&f), [6, 6, 6]);
}

#[test]
fn a_late_job_warns_once_and_then_a_day_before_the_end() {
    let mut f = ending(days(5), days(-25));
    assert_eq!(sweep(&mut f, NOW), 2);
    assert_eq!(told(&f), [2, 2, 2]);
    assert_eq!(sweep(&mut f, days(4).plus(-1)), 0);
    assert_eq!(sweep(&mut f, days(4)), 2);
    assert_eq!(told(&f), [4, 4, 4]);
    assert_eq!(sweep(&mut f, days(6)), 0);
}

#[test]
fn nobody_is_warned_about_what_does_not_work_any_more() {
    for ended in [
        "UPDATE api_keys SET revoked_at = 1; UPDATE api_tokens SET revoked_at = 1",
        "UPDATE api_keys SET expires_at = 1; UPDATE api_tokens SET replaced_by = 'x'",
        "UPDATE api_keys SET expires_at = 1; UPDATE users SET state = 'removed' WHERE role = 'member'",
        "UPDATE practices SET state = 'inactive'",
    ] {
        let mut f = ending(days(5), NOW);
        f.db.execute_batch(ended).unwrap();
        assert_eq!(sweep(&mut f, NOW), 2, "{ended}");
        assert_eq!(told(&f), [0, 0, 0], "{ended}");
        sweep(&mut f, days(4));
        assert_eq!(told(&f), [0, 0, 0], "{ended}");
    }
}

#[test]
fn a_practice_that_was_inactive_for_a_while_gets_the_warnings_after_that() {
    let mut f = ending(days(5), NOW);
    f.db.execute_batch("UPDATE practices SET state = 'inactive'").unwrap();
    assert_eq!(sweep(&mut f, NOW), 2);
    f.db.execute_batch("UPDATE practices SET state = 'active'").unwrap();
    assert_eq!(sweep(&mut f, days(4)), 2);
    assert_eq!(told(&f), [2, 2, 2]);
}

#[test]
fn a_key_that_is_revoked_while_the_job_runs_gives_no_warning() {
    let mut f = ending(days(5), NOW);
    let due = f.read(&due(NOW));
    f.db.execute_batch("UPDATE api_keys SET revoked_at = 1; UPDATE api_tokens SET revoked_at = 1").unwrap();
    for key in &due {
        let ctx = f.ctx();
        let (guard, writes) = warned(key, &ctx);
        assert_eq!(f.commit(&ctx, (vec![guard], writes)).unwrap_err(), CHANGED);
    }
    assert_eq!(told(&f), [0, 0, 0]);
}

#[test]
fn owners_get_the_email_and_the_person_of_a_token_as_well() {
    let mut f = ending(days(5), NOW);
    sweep(&mut f, NOW);
    let mut letters = f.read(&due_notices(NOW));
    letters.sort_by_key(|letter| letter.kind.name());
    let to: Vec<_> = letters.iter().map(|letter| (letter.kind, letter.to.len())).collect();
    assert_eq!(to, [(NoticeKind::KeyExpiring, 1), (NoticeKind::TokenExpiring, 2)]);
    let named = letters[1].detail.as_ref().unwrap();
    let text = crate::mail::notices::expiring("a@b.example", "API token", Some(named), letters[1].due_at.unwrap()).text;
    assert!(text.contains("The API token \"Sheet\" (ovu_test_abcd…)"), "{text}");
    assert!(!text.contains("  "), "{text}");
}

#[test]
fn the_job_reads_what_is_due_and_nothing_else() {
    let f = ending(days(5), NOW);
    let steps = f.plan(due(NOW).statement()).join("\n");
    for index in ["INDEX api_keys_ending (warn_at<?)", "INDEX api_tokens_ending (warn_at<?)"] {
        assert!(steps.contains(index), "{steps}");
    }
}

/// A sandbox whose key and token end, as its clock says.
fn in_sandbox(end: Instant, warn_at: Instant) -> (Fixture, PracticeId) {
    let f = ending(end, warn_at);
    f.db.execute_batch("UPDATE practices SET sandbox_of = id").unwrap();
    let practice = f.practice();
    (f, practice)
}

#[test]
fn warnings_in_a_sandbox_follow_its_clock_alone() {
    let (mut f, sandbox) = in_sandbox(days(40), days(10));
    assert_eq!(sweep(&mut f, days(50)), 0, "the real clock");
    let mut warned_at = Vec::new();
    // Its clock jumps behind all of them.
    while let [key, ..] = &f.read(&due_in(sandbox, days(50)))[..] {
        let ctx = f.ctx().at(key.since);
        let (guard, writes) = warned(key, &ctx);
        f.commit(&ctx, (vec![guard], writes)).unwrap();
        warned_at.push(key.since);
    }
    assert_eq!(warned_at, [10, 10, 33, 33, 39, 39].map(days));
    // An email would speak of a day that is none.
    assert_eq!(told(&f), [0, 6, 6]);
    assert_eq!(f.count(&format!("SELECT count(DISTINCT next_at) FROM deliveries WHERE next_at <= {}", days(39).0)), 3);
}

#[test]
fn a_key_that_was_revoked_in_a_sandbox_is_left_out_when_its_clock_comes_there() {
    let (mut f, sandbox) = in_sandbox(days(40), days(10));
    f.db.execute_batch("UPDATE api_keys SET revoked_at = 1; UPDATE api_tokens SET replaced_by = 'x'").unwrap();
    for key in &f.read(&due_in(sandbox, days(50))) {
        let ctx = f.ctx().at(key.since);
        let (guard, writes) = warned(key, &ctx);
        f.commit(&ctx, (vec![guard], writes)).unwrap();
    }
    assert_eq!((told(&f), f.read(&due_in(sandbox, days(50))).len()), ([0, 0, 0], 0));
}
