use std::fs;

use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use overturn_service::plan::Plan;
use overturn_service::store::keyring::Keyring;
use rusqlite::Connection;
use serde_json::json;

use super::{Practice, fill};
use crate::demo::people::People;
use crate::demo::practices::Practices;
use crate::demo::{Draft, receiving};
use crate::service;

const NOW: Instant = Instant(1_795_363_200_000);
const MIGRATIONS: &str = "../../edge/migrations";

/// A database with the demo data and its history.
fn filled() -> Connection {
    let db = Connection::open_in_memory().unwrap();
    let mut migrations: Vec<_> = fs::read_dir(MIGRATIONS)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "sql"))
        .collect();
    migrations.sort();
    for path in migrations {
        db.execute_batch(&fs::read_to_string(path).unwrap()).unwrap();
    }
    let random = || {
        let mut bytes = [0; 24];
        getrandom::fill(&mut bytes).unwrap();
        Ok(bytes)
    };
    let keys = Keyring::parse("1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=").unwrap();
    let ctx = Ctx::new(NOW, [3; 32]);
    let mut draft = Draft::new(&ctx);
    let practices = Practices::made(&mut draft, &|_| true, &random).unwrap().keys;
    let users = People::made(&mut draft, &practices, &|_| true, &random).unwrap().users;
    let sql = service::sql(&Plan::of_operator(&ctx, draft.writes), &keys, &random).unwrap();
    db.execute_batch(&sql).unwrap();
    let staff = ["staff", "second_staff"].map(|label| users[label]["email"].as_str().unwrap());
    let demo = json!({ "practices": practices });
    let practice = |label, prefix| -> Practice { receiving(&demo, label, prefix).unwrap() };
    let (first, second) = (practice("active", "CH"), practice("other", "LO"));
    // `fill` keeps its connection, so it gets a file.
    let path = std::env::temp_dir().join(format!("overturn-history-{}-{:p}", std::process::id(), &db));
    db.execute("VACUUM INTO ?1", [path.to_str().unwrap()]).unwrap();
    let filling = Connection::open(&path).unwrap();
    fill(filling, (&first, Some(&second)), &staff, NOW, (&keys, &random)).unwrap();
    let db = Connection::open(&path).unwrap();
    fs::remove_file(path).unwrap();
    db
}

fn rows(db: &Connection, sql: &str) -> Vec<String> {
    let mut read = db.prepare(sql).unwrap();
    let rows = read.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn count(db: &Connection, sql: &str) -> i64 {
    db.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn the_history_has_every_state_of_the_work_and_nothing_of_the_future() {
    let db = filled();
    let statuses = rows(&db, "SELECT DISTINCT status FROM claims ORDER BY 1");
    assert_eq!(statuses, ["closed", "in_appeal", "in_report", "received", "recovered", "reviewing"]);
    let many = [
        (200, "SELECT count(*) FROM claims c JOIN practices p ON p.id = c.practice_id WHERE p.name LIKE 'Cedar%'"),
        (20, "SELECT count(*) FROM claims c JOIN practices p ON p.id = c.practice_id WHERE p.name LIKE 'Lake%'"),
        (10, "SELECT count(DISTINCT payer_name) FROM claims"),
        (7, "SELECT count(DISTINCT plan_type) FROM claims"),
        (10, "SELECT count(*) FROM claims WHERE status NOT IN ('recovered', 'closed') AND appeal_due < '2026-11-22'"),
        (10, "SELECT count(*) FROM claims WHERE appeal_due BETWEEN '2026-11-22' AND '2026-11-29'"),
        (5, "SELECT count(*) FROM claims WHERE appeal_due > '2027-01-15'"),
        (10, "SELECT count(*) FROM claims WHERE status = 'received' AND appeal_due IS NULL"),
        (2, "SELECT count(DISTINCT taken_by) FROM claims"),
        (20, "SELECT count(*) FROM claim_notes"),
        (20, "SELECT count(*) FROM signatures"),
        (10, "SELECT count(*) FROM claims WHERE signing_status = 'needed'"),
        (5, "SELECT count(*) FROM reports"),
        (10, "SELECT count(*) FROM cases"),
        (5, "SELECT count(*) FROM case_levels WHERE level = 2 AND filed_on IS NULL"),
        (2, "SELECT count(*) FROM case_levels WHERE level = 2 AND filed_on IS NOT NULL"),
        (10, "SELECT count(*) FROM case_levels WHERE decided_on IS NOT NULL"),
        (2, "SELECT count(*) FROM cases WHERE is_open = 1 AND ask_on < '2026-11-22'"),
        (2, "SELECT count(*) FROM cases WHERE is_open = 1 AND ask_on BETWEEN '2026-11-22' AND '2027-12-31'"),
        (3, "SELECT count(*) FROM claims WHERE recovered_cents < denied_cents"),
    ];
    for (least, sql) in many {
        assert!(count(&db, sql) >= least, "{} {sql}", count(&db, sql));
    }
    for last in ["SELECT max(updated_at) FROM claims", "SELECT max(at) FROM claim_events", "SELECT max(at) FROM audit"]
    {
        assert!(count(&db, last) <= NOW.0, "{last}");
    }
    let wrong = "SELECT count(*) FROM (SELECT status, count(*) AS n FROM claims GROUP BY 1) c
        WHERE c.n <> (SELECT sum(claims) FROM claim_figures WHERE scope <> 'all' AND status = c.status)";
    assert_eq!(count(&db, wrong), 0);
}
