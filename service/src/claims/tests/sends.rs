//! The rows that a send leaves in the database.

use crate::claims::send::load;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::store::{Param, Queries, Statement};
use crate::testing::{Fixture, batch, claim, keys_of};
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::base::open::Open;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::claims::intake::{self, Decision};

#[test]
fn a_send_writes_claim_submission_event_and_audit_once_even_when_its_batch_runs_twice() {
    let mut f = Fixture::new();
    let answer = f.send(&claim("A-1", "9999999999999999.99"), |_| {});
    assert_eq!(answer["claims"][0]["created"], true);
    assert_eq!(answer["claims"][0]["status"], "received");
    assert!(answer["submission_id"].is_string());
    assert_eq!(f.count("SELECT billed_cents FROM claims"), 999_999_999_999_999_999);
    assert_eq!(f.count("SELECT adjustment_codes = '[\"CO-45\",\"N130\"]' FROM claims"), 1);
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 1);
    assert_eq!(f.count("SELECT count(*) FROM claim_history WHERE kind = 'received' AND version = 1"), 1);
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE action = 'submission.received'"), 1);
}

#[test]
fn sealed_values_open_and_appear_nowhere_unencrypted() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let (practice, id, sealed): (String, String, String) = f
        .db
        .query_row("SELECT practice_id, id, sealed FROM claims", [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap();
    let [practice, id] = [practice, id].map(|id| id.parse().unwrap());
    let (practice, id) = (PracticeId(practice), ClaimId(id));
    let keys = keys_of(&f.db, &f.keys, practice);
    let place = SealedPlace::Claim { practice, id };
    let opened = keys.open(place, KeyVersion(1), &sealed).unwrap();
    assert_eq!(
        String::from_utf8(opened).unwrap(),
        r#"{"patient":{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29"},"denial_codes":["co45","N130","free text"]}"#
    );
    assert!(!sealed.contains("Jane"));
}

#[test]
fn a_correction_is_written_once_with_what_was_before_and_a_resend_without_change_writes_nothing() {
    let mut f = Fixture::new();
    let first = f.send(&claim("A-1", "10.00"), |_| {});
    let again = f.send(&claim("A-1", "10.00"), |_| panic!("nothing to write"));
    assert_eq!(again["claims"][0]["created"], false);
    assert_eq!(again["submission_id"], serde_json::Value::Null);
    let corrected = f.send(&claim("A-1", "12.50"), |_| {});
    assert_eq!(corrected["claims"][0]["id"], first["claims"][0]["id"]);
    assert_eq!(corrected["claims"][0]["created"], false);
    assert_eq!(f.count("SELECT billed_cents FROM claims"), 1250);
    assert_eq!(f.count("SELECT version FROM claims"), 2);
    let detail: String =
        f.db.query_row("SELECT detail FROM claim_events WHERE version = 2", [], |row| row.get(0)).unwrap();
    assert_eq!(
        detail,
        r#"{"before":{"payer_claim_number":"ICN-1","billed_cents":1000,"denied_cents":null},"after":{"payer_claim_number":"ICN-1","billed_cents":1250,"denied_cents":null}}"#
    );
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE action = 'claims.corrected'"), 1);
}

/// A batch that the service gave up may commit after its repetition, and after other sends.
#[test]
fn a_correction_that_runs_again_late_does_not_undo_a_later_one() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "10.00"), |_| {});
    let ctx = f.ctx();
    let body = claim("A-1", "12.50");
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let changes = f.changes(&send, &ctx);
    let batch = f.batch_of_key(&changes, &ctx);
    f.run(&batch.statements).unwrap();
    f.send(&claim("A-1", "15.00"), |_| {});
    f.run(&batch.statements).unwrap();
    assert_eq!(f.count("SELECT billed_cents FROM claims WHERE version = 3"), 1500);
    assert_eq!(f.count("SELECT count(*) FROM claim_events"), 2);
}

/// Another send corrects the claim between the commit and what is read after a lost answer.
#[test]
fn what_another_send_corrects_after_a_correction_stays() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "10.00"), |_| {});
    let ctx = f.ctx();
    let body = claim("A-1", "12.50");
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let hash = f.key_hash.clone();
    let mut snapshot = f.load(&hash, &send);
    let changes = f.changes(&send, &ctx);
    let batch = f.batch_of_key(&changes, &ctx);
    f.run(&batch.statements).unwrap();
    f.send(&claim("A-1", "15.00"), |_| {});
    snapshot.learn(&changes, f.read(&batch.outcome.unwrap().query)).unwrap();
    let decided = f.decide(&send, &snapshot, &ctx);
    assert!(matches!(decided, Decision::Answer(_)), "{decided:?}");
    assert_eq!(f.count("SELECT billed_cents FROM claims"), 1500);
}

#[test]
fn every_change_of_a_practice_has_the_next_number_and_each_claim_that_of_its_last() {
    let mut f = Fixture::new();
    let numbers = |f: &Fixture, practice: &str| -> Vec<(String, i64)> {
        let sql = "SELECT claim_number, changed FROM claims c JOIN practices p ON p.id = c.practice_id
                   WHERE p.name = ?1 ORDER BY changed";
        let mut rows = f.db.prepare(sql).unwrap();
        let rows = rows.query_map([practice], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().map(Result::unwrap).collect()
    };
    f.send(&batch(0..3), |_| {});
    let other = f.provision(2);
    let first = std::mem::replace(&mut f.key_hash, other);
    f.send(&batch(0..2), |_| {});
    f.key_hash = first;
    f.send(&claim("B-1", "11.00"), |_| {});
    f.send(&batch(2..4), |_| {});
    f.send(&batch(0..4), |_| {});
    let named = |expected: &[(&str, i64)]| -> Vec<(String, i64)> {
        expected.iter().map(|(name, n)| ((*name).into(), *n)).collect()
    };
    // `B-1` changed to 11.00 and back to 10.00. Claims that were sent again without a change keep their change numbers.
    let one = named(&[("B-0", 1), ("B-2", 3), ("B-3", 5), ("B-1", 6)]);
    assert_eq!(numbers(&f, "Practice 1"), one);
    let two = named(&[("B-0", 1), ("B-1", 2)]);
    assert_eq!(numbers(&f, "Practice 2"), two);
}

#[test]
fn a_claim_is_stored_with_the_day_by_which_its_appeal_is_due_as_far_as_a_rule_says() {
    let mut f = Fixture::new();
    let known = r#""plan_type": "erisa", "denial_date": "2026-01-05", "date_of_service""#;
    f.send(&claim("A-1", "1.00").replace(r#""date_of_service""#, known), |_| {});
    let unknown = known.replace("erisa", "commercial");
    f.send(&claim("A-2", "1.00").replace(r#""date_of_service""#, &unknown), |_| {});
    let due = "SELECT count(*) FROM claims WHERE claim_number = 'A-1' AND appeal_due = '2026-07-04' AND appeal_due_from = 'rule'";
    assert_eq!(f.count(due), 1);
    let none =
        "SELECT count(*) FROM claims WHERE claim_number = 'A-2' AND appeal_due IS NULL AND appeal_due_from IS NULL";
    assert_eq!(f.count(none), 1);
}

#[test]
fn overlapping_senders_create_each_claim_once_and_each_answer_is_true() {
    let mut f = Fixture::new();
    let mut inner = None;
    let outer = f.send(&batch(0..60), |f| {
        if inner.is_none() {
            inner = Some(f.send(&batch(40..100), |_| {}));
        }
    });
    let inner = inner.unwrap();
    let created = |answer: &serde_json::Value| {
        answer["claims"].as_array().unwrap().iter().filter(|item| item["created"] == true).count()
    };
    assert_eq!((created(&inner), created(&outer)), (60, 40));
    assert_eq!(outer["claims"][45]["id"], inner["claims"][5]["id"]);
    assert_eq!(f.count("SELECT count(*) FROM claims"), 100);
    assert_eq!(f.count("SELECT count(*) FROM claim_history"), 100);
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 2);
}

#[test]
fn a_sender_that_loses_every_claim_leaves_no_submission_and_its_corrections_still_count() {
    let mut f = Fixture::new();
    let mut inner = None;
    let outer = f.send(&claim("A-1", "20.00"), |f| {
        if inner.is_none() {
            inner = Some(f.send(&claim("A-1", "10.00"), |_| {}));
        }
    });
    assert_eq!(outer["claims"][0]["created"], false);
    assert_eq!(outer["submission_id"], serde_json::Value::Null);
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 1);
    assert_eq!(f.count("SELECT billed_cents FROM claims"), 2000);
}

#[test]
fn a_key_withdrawn_between_load_and_commit_writes_nothing() {
    for withdraw in [
        "UPDATE api_keys SET revoked_at = 1",
        "UPDATE api_keys SET expires_at = 1800000000000",
        "UPDATE api_keys SET scopes = 'claims:read'",
        "UPDATE practices SET state = 'inactive'",
        "UPDATE agreements SET ended_at = 1",
    ] {
        let mut f = Fixture::new();
        let ctx = f.ctx();
        let body = claim("A-1", "1.00");
        let send = intake::parse(body.as_bytes(), &ctx).unwrap();
        let changes = f.changes(&send, &ctx);
        let batch = f.batch_of_key(&changes, &ctx);
        f.db.execute_batch(withdraw).unwrap();
        assert_eq!(f.run(&batch.statements), Err(DatabaseError::Conflict(FailedGuard::Credential)), "{withdraw}");
        for table in ["claims", "audit WHERE action = 'submission.received'", "claim_history", "guards"] {
            assert_eq!(f.count(&format!("SELECT count(*) FROM {table}")), 0, "{withdraw} {table}");
        }
    }
}

#[test]
fn history_and_audit_cannot_be_changed() {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    f.send(&claim("A-1", "2.00"), |_| {});
    for table in ["claim_events", "audit"] {
        for change in [format!("UPDATE {table} SET at = 0"), format!("DELETE FROM {table}")] {
            let error = f.db.execute_batch(&change).unwrap_err().to_string();
            assert!(error.contains("append only"), "{error}");
        }
    }
}

/// A statement of a request reads only the rows that it names, however many there are.
#[test]
fn every_statement_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let ctx = f.ctx();
    let mut seen: Vec<Statement> = Vec::new();
    let send = load::of_key(&f.key_hash, &["B-1"], ctx.today());
    send.add_to(&mut seen);
    let body = format!(r#"{{"claims": [{}, {}]}}"#, claim("B-1", "9.00"), claim("NEW", "9.00"));
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let changes = f.changes(&send, &ctx);
    seen.extend(f.batch_of_key(&changes, &ctx).statements);
    for statement in seen {
        f.assert_indexed(&statement, &["VIRTUAL TABLE", "CONSTANT ROW", "SCAN f"]);
    }
}

#[test]
fn a_batch_of_large_claims_travels_in_parameters_that_d1_takes() {
    let mut f = Fixture::new();
    let reason = "é".repeat(2000);
    let items: Vec<String> = (0..100)
        .map(|n| {
            let codes: Vec<String> = (0..100).map(|_| format!("\"{}\"", "ü".repeat(90))).collect();
            claim(&format!("L-{n}"), "1.00").replace(
                "\"billed_amount\"",
                &format!(
                    "\"denial_reason\": \"{reason}\", \"diagnosis_codes\": [{}], \"billed_amount\"",
                    codes.join(",")
                ),
            )
        })
        .collect();
    let body = format!(r#"{{"claims": [{}]}}"#, items.join(","));
    let mut largest = 0;
    let ctx = f.ctx();
    let send = intake::parse(body.as_bytes(), &ctx).unwrap();
    let changes = f.changes(&send, &ctx);
    let batch = f.batch_of_key(&changes, &ctx);
    for param in batch.statements.iter().flat_map(|statement| &statement.params) {
        if let Param::Text(text) = param {
            largest = largest.max(text.len());
        }
    }
    assert!((1_000_000..=1_900_000).contains(&largest), "{largest}");
    f.run(&batch.statements).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM claims"), 100);
}
