//! Resends that do not match the claim of their number.

use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::{Fixture, batch, claim};
use overturn_core::claims::intake::Bounds;
use overturn_core::claims::intake::{self, Decision};
use serde_json::{Value, json};

const PATIENT: &str = "claim.claim_number is already used for a different patient";

fn wrong(number: &str) -> String {
    claim(number, "1.00").replace("1980-02-29", "1980-03-01")
}

fn both(one: &str, other: &str) -> String {
    format!(r#"{{"claims": [{one}, {other}]}}"#)
}

fn counts(f: &Fixture) -> Vec<(String, i64)> {
    let sql = "SELECT coalesce((SELECT claim_number FROM claims WHERE id = m.claim_id), ''), count FROM mismatches m ORDER BY 1";
    let mut rows = f.db.prepare(sql).unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

fn error(answer: &Value) -> &Value {
    &answer["claims"][0]["error"]
}

#[test]
fn a_mismatch_is_counted_once_and_audited_although_its_batch_runs_twice() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let other_claim = claim("A-1", "1.00").replace("2026-01-02", "2026-01-03");
    assert_eq!(error(&f.send(&wrong("A-1"), |_| {})), PATIENT);
    let refused = f.send(&both(&other_claim, &claim("NEW", "1.00")), |_| {});
    assert_eq!(error(&refused), "claim.claim_number is already used for a different claim");
    assert_eq!(refused["claims"][1]["created"], true);
    assert_eq!(counts(&f), [("".into(), 2), ("A-1".into(), 2)]);
    let audited = |patient: &str, claim: &str| {
        let detail = format!("json_object('different_claim', {claim}, 'different_patient', {patient})");
        f.count(&format!(
            "SELECT count(*) FROM audit a, claims c WHERE a.action = 'claims.mismatched' AND a.actor LIKE 'api_key:%'
               AND a.record = a.request_id AND c.claim_number = 'A-1' AND json(a.detail) = {detail}"
        ))
    };
    let (one, none) = ("json_array(c.id)", "json_array()");
    assert_eq!((audited(one, none), audited(none, one)), (1, 1));
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 2);
}

#[test]
fn of_60_parallel_wrong_guesses_exactly_the_limit_is_answered() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    // Another key of the same practice guesses, too.
    f.db.execute_batch(
        "INSERT INTO api_keys (practice_id, id, name, hash, hint, scopes, created_at, expires_at)
           SELECT practice_id, '00000000-0000-7000-8000-0000000000ff', 'Other', 'other', 'o', scopes, created_at, expires_at FROM api_keys LIMIT 1",
    )
    .unwrap();
    let keys = [f.key_hash.clone(), "other".to_owned()];
    // All of them read before any commits. Each commit sees what the others have counted.
    let (mut answered, mut refused) = (0, 0);
    fn guess_all(f: &mut Fixture, left: usize, keys: &[String; 2], answers: &mut Vec<Value>) {
        if left == 0 {
            return;
        }
        f.key_hash.clone_from(&keys[left % 2]);
        let mut inner = false;
        let answer = f.send(&wrong("A-1"), |f| {
            if !std::mem::replace(&mut inner, true) {
                guess_all(f, left - 1, keys, answers);
            }
        });
        answers.push(answer);
    }
    let mut answers = Vec::new();
    guess_all(&mut f, 60, &keys, &mut answers);
    for answer in answers {
        if error(&answer) == PATIENT {
            answered += 1;
        } else {
            assert_eq!(answer["stopped"], json!([]));
            refused += 1;
        }
    }
    assert_eq!((answered, refused), (20, 40));
    assert_eq!(counts(&f), [("".into(), 20), ("A-1".into(), 20)]);
    let letters = "SELECT count(*) FROM notices WHERE kind = 'resends_stopped'";
    assert_eq!(f.count(letters), 1, "in the batch that reached the bound");
    assert_eq!(f.alarms, 0, "and in no other");
    // Correct and wrong guesses no longer differ, and everything else works.
    for guess in [claim("A-1", "1.00"), wrong("A-1"), claim("A-1", "9.00")] {
        let stopped = f.send(&guess, |_| panic!("something was written"));
        assert_eq!(stopped["stopped"], json!([]));
    }
    assert_eq!(f.count("SELECT billed_cents FROM claims"), 100);
    let other = f.send(&claim("A-2", "1.00"), |_| {});
    assert_eq!(other["claims"][0]["created"], true);
    let named = f.send(&both(&claim("A-2", "1.00"), &claim("A-1", "1.00")), |_| {});
    assert_eq!(named["stopped"], json!([1]));
    assert_eq!((f.alarms, f.count(letters)), (0, 1));
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE action = 'claims.resends_stopped'"), 1);
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE action = 'claims.mismatched'"), 20);
}

/// Resends that all load before any of them commits. They commit in the order of the list. Returns the answers in that
/// order.
fn at_once(f: &mut Fixture, bodies: &[String]) -> Vec<Value> {
    fn next(f: &mut Fixture, bodies: &[String], answers: &mut Vec<Value>) {
        let Some((last, before)) = bodies.split_last() else {
            return;
        };
        let mut waited = false;
        let answer = f.send(last, |f| {
            if !std::mem::replace(&mut waited, true) {
                next(f, before, answers);
            }
        });
        answers.push(answer);
    }
    let mut answers = Vec::new();
    next(f, bodies, &mut answers);
    answers
}

#[test]
fn a_right_guess_among_many_at_once_is_answered_only_before_the_bound() {
    for (place, is_answered) in [(0, true), (19, true), (20, false), (58, false)] {
        let mut f = Fixture::new();
        f.send(&claim("A-1", "1.00"), |_| {});
        // The caller sees only this key's sends, and not that the first one was correct.
        let mut guesses = vec![wrong("A-1"); 59];
        guesses.insert(place, claim("A-1", "1.00"));
        let answers = at_once(&mut f, &guesses);
        let right = &answers[place];
        let learned = right["claims"][0]["status"] == "received";
        assert_eq!(learned, is_answered, "{place}: {right}");
        let wrong = answers.iter().filter(|answer| error(answer) == PATIENT);
        assert_eq!(wrong.count(), 20);
        assert_eq!(counts(&f), [("".into(), 20), ("A-1".into(), 20)]);
    }
}

#[test]
fn the_mismatch_that_reaches_a_limit_notifies_the_owners_and_a_refusal_does_not() {
    let mut f = Fixture::new();
    f.bounds = Bounds { claim: 3, practice: 5 };
    f.send(&batch(0..4), |_| {});
    let told = |f: &Fixture| {
        let of = |sql: &str| f.count(sql);
        assert_eq!(f.alarms, 0);
        (
            of("SELECT count(*) FROM notices WHERE kind = 'resends_stopped'"),
            of("SELECT count(*) FROM audit WHERE action = 'claims.resends_stopped' AND detail LIKE '%claim%'"),
            of("SELECT count(*) FROM audit WHERE action = 'claims.resends_stopped' AND detail LIKE '%practice%'"),
        )
    };
    for expected in [(0, 0, 0), (0, 0, 0), (1, 1, 0), (1, 1, 0)] {
        f.send(&wrong("B-0"), |_| {});
        assert_eq!(told(&f), expected);
    }
    // Two that do not fit use up the rest of the practice's limit.
    let three = format!(r#"{{"claims": [{}, {}, {}]}}"#, wrong("B-1"), wrong("B-2"), wrong("B-3"));
    f.send(&three, |_| {});
    assert_eq!(told(&f), (2, 1, 1));
    f.send(&wrong("B-1"), |_| panic!("something was written"));
    assert_eq!(told(&f), (2, 1, 1));
}

#[test]
fn the_bound_of_a_practice_stops_every_resend_of_it_and_of_no_other() {
    let mut f = Fixture::new();
    f.bounds = Bounds { claim: 20, practice: 5 };
    f.send(&batch(0..9), |_| {});
    let mine = f.key_hash.clone();
    for n in 0..4 {
        assert_eq!(error(&f.send(&wrong(&format!("B-{n}")), |_| {})), PATIENT);
    }
    // Two more do not fit: neither is answered, nothing is saved, and a part of them cannot be tried for free.
    let new = claim("NEW", "1.00");
    let two = format!(r#"{{"claims": [{}, {}, {new}]}}"#, wrong("B-5"), wrong("B-6"));
    assert_eq!(f.send(&two, |_| {})["stopped"], json!([0, 1]));
    assert_eq!(f.count("SELECT count(*) FROM claims"), 9);
    for guess in [wrong("B-5"), claim("B-5", "10.00"), claim("B-8", "10.00")] {
        assert_eq!(f.send(&guess, |_| panic!("written"))["stopped"], json!([]));
    }
    assert_eq!(f.send(&new, |_| {})["claims"][0]["created"], true);
    let letters = "SELECT count(*) FROM notices WHERE kind = 'resends_stopped'";
    assert_eq!((f.alarms, f.count(letters)), (0, 1));
    f.key_hash = f.provision(2);
    f.send(&claim("B-1", "1.00"), |_| {});
    assert_eq!(error(&f.send(&wrong("B-1"), |_| {})), PATIENT);
    // The next day starts at 0.
    f.key_hash = mine;
    f.db.execute_batch("UPDATE mismatches SET day = '2000-01-01'").unwrap();
    assert_eq!(error(&f.send(&wrong("B-1"), |_| {})), PATIENT);
}

#[test]
fn an_honest_sender_pays_for_no_statement() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    f.send(&batch(0..3), |_| panic!("something was written"));
    assert_eq!(f.count("SELECT count(*) FROM mismatches"), 0);
    let ctx = f.ctx();
    let body = both(&claim("B-1", "9.00"), &claim("NEW", "9.00"));
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let hash = f.key_hash.clone();
    let snapshot = f.load(&hash, &send);
    let Decision::Write(changes) = f.decide(&send, &snapshot, &ctx) else {
        panic!("nothing to write");
    };
    let statements = f.batch_of_key(&changes, &ctx).statements;
    assert!(statements.iter().all(|statement| !statement.sql.contains("mismatches")));
}

#[test]
fn every_statement_about_mismatches_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    f.bounds.practice = 2;
    f.send(&batch(0..3), |_| {});
    for guess in [wrong("B-0"), both(&wrong("B-1"), &wrong("B-2"))] {
        let ctx = f.ctx();
        let send = intake::parse(guess.as_bytes(), &ctx).unwrap();
        let hash = f.key_hash.clone();
        let mut snapshot = f.load(&hash, &send);
        for _ in 0..2 {
            let Decision::Write(changes) = f.decide(&send, &snapshot, &ctx) else { break };
            let statements = f.batch_of_key(&changes, &ctx).statements;
            for statement in &statements {
                f.assert_indexed(statement, &["VIRTUAL TABLE", "CONSTANT ROW"]);
            }
            f.run(&statements).unwrap();
            let again = f.run(&statements);
            if changes.compared.as_ref().is_none_or(|compared| compared.found.is_empty()) {
                assert!(again.is_ok(), "confirming writes nothing");
            } else {
                assert_eq!(again, Err(DatabaseError::Conflict(FailedGuard::Done)));
            }
            snapshot.learn(&changes, intake::CommitResult::default()).unwrap();
        }
    }
}
