//! The cost of a send, and what has no rows of its own.

use crate::testing::{Fixture, batch, claim};
use overturn_core::claims::intake;

#[test]
fn new_claims_take_four_statements() {
    for claims in [1, 100] {
        let mut f = Fixture::new();
        let ctx = f.ctx();
        let body = batch(0..claims);
        let send = intake::parse(body.as_bytes(), &ctx).unwrap();
        let changes = f.changes(&send, &ctx);
        let statements = f.batch_of_key(&changes, &ctx).statements;
        assert_eq!(statements.len(), 4, "{statements:?}");
        f.run(&statements).unwrap();
    }
}

/// The platform charges one row for each B-tree entry of a claim.
#[test]
fn a_claim_has_five_b_tree_entries() {
    let f = Fixture::new();
    let indexes = "SELECT count(*) FROM pragma_index_list('claims')
        WHERE origin <> 'pk' AND name NOT IN ('claims_of_patient', 'claims_scripted')";
    assert_eq!(f.count(indexes), 4);
    let without = "SELECT wr FROM pragma_table_list WHERE name = 'claims'";
    assert_eq!(f.count(without), 1);
    // A claim that was just sent is not in the one, and only a sandbox's is in the other.
    let partial = "SELECT sum(partial) FROM pragma_index_list('claims')
        WHERE name IN ('claims_of_patient', 'claims_scripted')";
    assert_eq!(f.count(partial), 2);
}

#[test]
fn the_history_and_the_submissions_are_told_by_the_claims_and_the_trail() {
    let mut f = Fixture::new();
    f.send(&batch(0..30), |_| {});
    f.send(&claim("B-1", "11.00"), |_| {});
    f.send(&batch(29..32), |_| {});
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 2);
    assert_eq!(f.count("SELECT count(*) FROM claim_events"), 1);
    assert_eq!(f.count("SELECT count(*) FROM claim_history"), 33);
    let same = "SELECT count(*) FROM claims c JOIN submissions s ON s.id = c.submission_id
        JOIN claim_history h ON h.claim_id = c.id AND h.actor = 'api_key:' || s.api_key_id AND h.request_id = s.request_id
          AND h.at = s.received_at AND h.kind = 'received' AND h.version = 1";
    assert_eq!(f.count(same), 32);
}

#[test]
fn a_destruction_takes_the_submissions_that_the_trail_tells() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 1);
    let destroyed = |at: i64| {
        format!(
            "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, totals, trail_to)
             SELECT s.practice_id, '{at}', 'destruction', 'done', 1, 'x', '{{}}', a.seq + {at}
             FROM submissions s JOIN audit a USING (practice_id, id)"
        )
    };
    // A destruction that ended before changes nothing.
    f.db.execute_batch(&destroyed(-1)).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 1);
    f.db.execute_batch(&destroyed(0)).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 0);
}
