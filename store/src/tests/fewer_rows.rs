//! The cost of a send and a status read, and databases from before claims took fewer rows.

use super::fixture::{Fixture, batch, claim};
use super::work::ids;
use crate::claims::queries;
use crate::settings::data_jobs;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::{self, Decision};
use overturn_core::plan::claims::ClaimStatus;
use overturn_core::settings::data_jobs::export::{ExportPosition, Section};
use rusqlite::types::Value;

const MIGRATIONS: [&str; 2] = ["0013_fewer_rows.sql", "0014_told_by_the_trail.sql"];
const CLAIMS: &str = "SELECT practice_id, claim_number, id, submission_id, version, status, signing_status,
    payer_claim_number, payer_name, date_of_service, denial_date, plan_type, billed_cents, denied_cents,
    adjustment_codes, patient_tag, procedure_tag, key_version, sealed, received_at, updated_at, changed, appeal_due,
    appeal_due_from, taken_by, report_id, case_id, recovered_cents, closing_reason, present
    FROM claims ORDER BY practice_id, claim_number";
const HISTORY: &str = "SELECT practice_id, claim_id, version, at, kind, status, actor, request_id, detail
    FROM claim_history ORDER BY practice_id, claim_id, version";

fn dump(f: &Fixture, sql: &str) -> Vec<Vec<Value>> {
    let mut read = f.db.prepare(sql).unwrap();
    let columns = read.column_count();
    let rows = read.query_map([], |row| (0..columns).map(|n| row.get(n)).collect());
    rows.unwrap().map(Result::unwrap).collect()
}

/// The write of the version before for each new claim.
fn receive_as_before(f: &Fixture, submissions: &str) {
    f.db.execute_batch(&format!(
        "INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id)
         SELECT c.practice_id, c.id, 1, c.received_at, 'received', 'received', 'api_key:' || s.api_key_id, s.request_id
         FROM claims c JOIN {submissions} s ON s.practice_id = c.practice_id AND s.id = c.submission_id WHERE true
         ON CONFLICT DO NOTHING",
    ))
    .unwrap();
}

/// Sends like the version before migration 0014: a submission has its own row, and its audit row has another id.
fn send_as_before(f: &mut Fixture, body: &str) {
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    f.send(body, |_| {});
    let keep = "SELECT sql FROM sqlite_master WHERE name = 'audit_keep'";
    let keep: String = f.db.query_row(keep, [], |row| row.get(0)).unwrap();
    f.db.execute_batch(&format!(
        "INSERT INTO submissions (practice_id, id, api_key_id, request_id, received_at)
         SELECT practice_id, id, substr(actor, 9), request_id, at FROM audit WHERE action = 'submission.received' AND id = record;
         DROP TRIGGER audit_keep;
         UPDATE audit SET id = 'a' || substr(id, 2) WHERE action = 'submission.received' AND id = record;
         {keep}"
    ))
    .unwrap();
    f.db.pragma_update(None, "foreign_keys", true).unwrap();
}

fn assert_whole(f: &Fixture) {
    assert!(dump(f, "PRAGMA foreign_key_check").is_empty());
    let ok = [[Value::Text("ok".into())]];
    assert_eq!(dump(f, "PRAGMA integrity_check"), ok);
}

#[test]
fn new_claims_take_five_statements_and_a_status_read_one() {
    for claims in [1, 100] {
        let mut f = Fixture::new();
        let ctx = f.ctx();
        let body = batch(0..claims);
        let send = intake::parse(body.as_bytes(), &ctx).unwrap();
        let hash = f.key_hash.clone();
        let snapshot = f.load(&hash, &send);
        let Decision::Write(plan) = f.decide(&send, &snapshot, &ctx) else { panic!("new claims are a write") };
        let statements = f.lower(&plan).statements;
        assert_eq!(statements.len(), 5, "{statements:?}");
        f.run(&statements).unwrap();
        let (_, claim) = f.read(&queries::status(&hash, "B-0"));
        assert_eq!(claim.unwrap().status, ClaimStatus::Received);
    }
}

/// The platform charges one row for each B-tree entry of a claim.
#[test]
fn a_claim_has_five_b_tree_entries() {
    let f = Fixture::new();
    let indexes = "SELECT count(*) FROM pragma_index_list('claims')
        WHERE origin <> 'pk' AND name NOT IN ('claims_unnumbered', 'claims_of_patient')";
    assert_eq!(f.count(indexes), 4);
    let without = "SELECT wr FROM pragma_table_list WHERE name = 'claims'";
    assert_eq!(f.count(without), 1);
    // A claim that was just sent is in neither.
    let partial = "SELECT sum(partial) FROM pragma_index_list('claims')
        WHERE name IN ('claims_unnumbered', 'claims_of_patient')";
    assert_eq!(f.count(partial), 2);
}

#[test]
fn a_database_of_the_version_before_is_brought_over_without_loss() {
    let mut f = Fixture::before(MIGRATIONS[0]);
    f.key_hash = f.provision(1);
    send_as_before(&mut f, &batch(0..30));
    receive_as_before(&f, "submissions");
    f.send(&claim("B-1", "11.00"), |_| {});
    let (staff, ..) = f.enrol(1);
    f.db.execute(
        "UPDATE claims SET taken_by = ?1, status = 'reviewing', version = version + 1, appeal_due = '2027-01-02',
        appeal_due_from = 'case', recovered_cents = 5, closing_reason = 'x', report_id = 'r', case_id = 'c'
        WHERE claim_number = 'B-2'",
        [staff.to_string()],
    )
    .unwrap();
    let claims = dump(&f, CLAIMS);
    let events = dump(&f, &HISTORY.replace("claim_history", "claim_events"));
    assert_eq!((claims.len(), events.len()), (30, 31));

    for migration in MIGRATIONS {
        f.migrate(migration);
        assert_eq!(dump(&f, CLAIMS), claims);
        assert_whole(&f);
        // Each event appears once, although the claims also show that they were received.
        assert_eq!(dump(&f, HISTORY), events);
    }

    // It is read and written like any other.
    let again = f.send(&batch(3..5), |_| panic!("nothing to write"));
    assert_eq!(again["claims"][0]["created"], false);
    let corrected = f.send(&claim("B-3", "12.00"), |_| {});
    assert_eq!(corrected["claims"][0]["created"], false);
    let new = f.send(&claim("NEW", "12.00"), |_| {});
    assert_eq!(new["claims"][0]["created"], true);
    let taken = f.send(&claim("NEW", "12.00"), |_| panic!("nothing to write"));
    assert_eq!(taken["claims"][0]["id"], new["claims"][0]["id"]);
    let history = dump(&f, HISTORY);
    assert_eq!(history.len(), 33);
    assert_eq!(f.count("SELECT count(*) FROM claim_events"), 32);
    assert_eq!(
        f.count("SELECT count(*) FROM (SELECT 1 FROM claim_history GROUP BY practice_id, claim_id, version HAVING count(*) > 1)"),
        0
    );
    // The foreign keys are on again.
    let orphan = "INSERT INTO claim_events VALUES ('p', 'none', 1, 1, 'k', 's', 'a', 'r', NULL)";
    assert!(f.db.execute_batch(orphan).is_err());
}

#[test]
fn submissions_with_a_row_and_those_told_by_the_trail_stand_side_by_side() {
    const SUBMISSIONS: &str =
        "SELECT practice_id, id, received_at, api_key_id, request_id FROM all_submissions ORDER BY id";
    let mut f = Fixture::before(MIGRATIONS[1]);
    f.key_hash = f.provision(1);
    send_as_before(&mut f, &batch(0..30));
    let submissions = dump(&f, &SUBMISSIONS.replace("all_submissions", "submissions"));
    let (claims, history) = (dump(&f, CLAIMS), dump(&f, HISTORY));
    assert_eq!((submissions.len(), claims.len(), history.len()), (1, 30, 30));

    f.migrate(MIGRATIONS[1]);
    assert_whole(&f);
    assert_eq!(dump(&f, SUBMISSIONS), submissions);
    assert_eq!(dump(&f, CLAIMS), claims);
    assert_eq!(dump(&f, HISTORY), history);

    let new = f.send(&batch(29..32), |_| {});
    let told = dump(&f, SUBMISSIONS);
    assert_eq!((told.len(), f.count("SELECT count(*) FROM submissions")), (2, 1));
    let id = Value::Text(new["submission_id"].as_str().unwrap().into());
    let added = told.iter().find(|row| row.get(1) == Some(&id)).unwrap();
    // The practice and the key are those of the send from before.
    assert_eq!((&added[0], &added[3]), (&submissions[0][0], &submissions[0][3]));
    assert_eq!(dump(&f, HISTORY).len(), 32);
    let same = "SELECT count(*) FROM claims c JOIN all_submissions s ON s.id = c.submission_id
        JOIN claim_history h ON h.claim_id = c.id AND h.actor = 'api_key:' || s.api_key_id AND h.request_id = s.request_id
          AND h.at = s.received_at AND h.kind = 'received'";
    assert_eq!(f.count(same), 32);

    // The old Worker still runs while the next one is deployed.
    send_as_before(&mut f, &claim("LATE", "1.00"));
    assert_eq!(f.count("SELECT count(*) FROM all_submissions"), 3);
    assert_eq!(f.count("SELECT count(*) FROM submissions"), 3);
}

#[test]
fn a_destruction_takes_the_submissions_that_the_trail_tells() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    assert_eq!(f.count("SELECT count(*) FROM all_submissions"), 1);
    let destroyed = |at: i64| {
        format!(
            "INSERT INTO data_jobs (practice_id, id, kind, state, requested_at, requested_by, totals, finished_at)
             SELECT practice_id, '{at}', 'destruction', 'done', 1, 'x', '{{}}', received_at + {at} FROM all_submissions"
        )
    };
    // A destruction that ended before changes nothing.
    f.db.execute_batch(&destroyed(-1)).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM all_submissions"), 1);
    f.db.execute_batch(&destroyed(1)).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM all_submissions"), 0);
}

#[test]
fn what_a_claim_tells_of_its_arrival_is_what_its_row_said() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let told = "SELECT * FROM claim_history ORDER BY practice_id, claim_id, version";
    let derived = dump(&f, told);
    assert_eq!(derived.len(), 3);
    assert_eq!(f.count("SELECT count(*) FROM claim_events"), 0);
    // The old Worker still runs while the next one is deployed.
    receive_as_before(&f, "all_submissions");
    assert_eq!(f.count("SELECT count(*) FROM claim_events"), 3);
    assert_eq!(dump(&f, told), derived);
}

#[test]
fn the_worker_from_before_still_finds_the_row_that_it_changes() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let changed = f.db.execute(
        "WITH f AS MATERIALIZED (SELECT c.rowid AS row FROM claims c WHERE c.claim_number = 'B-1')
         UPDATE claims SET version = version + 1 FROM f WHERE claims.rowid = f.row AND +claims.practice_id <> ''",
        [],
    );
    assert_eq!(changed, Ok(1));
    assert_eq!(f.count("SELECT count(*) FROM claims WHERE claim_number = 'B-1' AND version = 2"), 1);
}

#[test]
fn the_history_of_an_export_finds_its_rows_by_an_index() {
    let mut f = Fixture::new();
    f.send(&batch(0..3), |_| {});
    let (practice, _) = ids(&f);
    let export = data_jobs::page(practice, &ExportPosition::of(Section::ClaimEvent), 2, Instant(0));
    let steps = f.plan(export.statement());
    let scans = ["SCAN c ", "SCAN e ", "SCAN claim_events", "SCAN claims"];
    let scanned = |step: &String| scans.iter().any(|scan| step.starts_with(scan));
    assert!(!steps.iter().any(scanned), "{steps:?}");
}
