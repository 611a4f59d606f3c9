//! The search of the queue by claim number.

use crate::work::queue::{QueueQuery, page};
use overturn_core::base::instant::Instant;
use overturn_core::request::accept::ListForm;
use overturn_core::request::query::ListQuery;
use overturn_store::Statement;
use overturn_store::testing::Fixture;
use rusqlite::StatementStatus;

const NOW: Instant = Instant(1_800_000_000_000);

fn statement(filters: &[(&str, &str)]) -> Statement {
    let filters = filters.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    page("hash", &QueueQuery::parse(filters).unwrap(), NOW).statement().clone()
}

/// Three practices, each with claims numbered from 0. One in three is closed.
fn practices(claims: u32) -> Fixture {
    let mut f = Fixture::new();
    for n in 2..4 {
        let _key = f.provision(n);
    }
    let sql = "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?1)
               INSERT INTO claims (practice_id, claim_number, id, submission_id, status, payer_claim_number, payer_name,
                 date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at,
                 changed, present)
               SELECT p.id, 'N-' || n, p.id || n, 's', iif(n % 3 = 2, 'closed', 'received'), 'P', 'Acme', '2026-01-02', 1,
                 '[]', 't', 1, 'x', 1, 1, n + 1, 0 FROM n, practices p";
    f.db.execute(sql, [claims]).unwrap();
    f.count_claims();
    f
}

/// The numbers that a query finds, and how many steps of SQLite's virtual machine it takes.
fn found(f: &Fixture, statement: &Statement) -> (usize, i32) {
    let mut prepared = f.db.prepare(statement.sql).unwrap();
    let json: String = prepared.query_row(overturn_store::testing::params(statement), |row| row.get(0)).unwrap();
    let steps = prepared.get_status(StatementStatus::VmStep);
    (json.matches("\"claim_number\":").count(), steps)
}

#[test]
fn a_number_is_looked_for_once_in_each_practice_however_many_claims_there_are() {
    let by_number = statement(&[("claim_number", "N-7")]);
    let steps = [30, 3_000].map(|claims| {
        let f = practices(claims);
        f.assert_indexed(&by_number, &["VIRTUAL TABLE", "SCAN p", "CONSTANT ROW"]);
        let (count, steps) = found(&f, &by_number);
        assert_eq!(count, 3);
        steps
    });
    assert_eq!(steps[0], steps[1], "the work does not grow with the claims");

    let f = practices(30);
    let explain = format!("EXPLAIN QUERY PLAN {}", by_number.sql);
    let mut prepared = f.db.prepare(&explain).unwrap();
    let plan = prepared.query_map(overturn_store::testing::params(&by_number), |row| row.get(3));
    let plan: Vec<String> = plan.unwrap().map(Result::unwrap).collect();
    let wanted = "SEARCH c USING PRIMARY KEY (practice_id=? AND claim_number=?)";
    assert!(plan.iter().any(|step| step == wanted), "{plan:?}");
}

#[test]
fn a_search_by_number_passes_the_same_filters_as_the_queue() {
    let f = practices(30);
    let practice: String = f.db.query_row("SELECT id FROM practices LIMIT 1", [], |row| row.get(0)).unwrap();
    let count = |more: &[(&str, &str)]| {
        let number = [("claim_number", "N-8")];
        found(&f, &statement(&[&number[..], more].concat())).0
    };
    assert_eq!(count(&[]), 0, "it is closed");
    assert_eq!(count(&[("status", "closed")]), 3);
    assert_eq!(count(&[("status", "closed"), ("practice_id", &practice)]), 1);
    assert_eq!(count(&[("status", "closed"), ("payer_name", "acme")]), 3);
    assert_eq!(count(&[("status", "closed"), ("payer_name", "other")]), 0);
    assert_eq!(count(&[("status", "closed"), ("denial_code", "CO-45")]), 0);
    assert_eq!(count(&[("status", "closed"), ("max_age_days", "9")]), 0);
    assert_eq!(count(&[("status", "closed"), ("taken_by", "nobody")]), 3);
    assert_eq!(count(&[("status", "closed"), ("limit", "1")]), 2, "one more says that there is more");
    let end = "none_ffffffffffffffffffffffffffffffff";
    assert_eq!(count(&[("status", "closed"), ("cursor", end)]), 0);
}

/// Claims N-0 to N-5 wait for a signature; N-2 and N-5 are closed.
#[test]
fn a_signature_is_waited_for_with_a_link_or_without_one() {
    let f = practices(9);
    // The links need no account of a person who made them.
    f.db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    f.db.execute("UPDATE claims SET signing_status = 'needed' WHERE substr(claim_number, 3) < '6'", []).unwrap();
    for (number, expires_at, revoked_at, used_at, tries) in [
        ("N-0", NOW.0 + 1, None, None, 4),
        ("N-1", NOW.0, None, None, 0),
        ("N-2", NOW.0 + 1, None, None, 0),
        ("N-3", NOW.0 + 1, Some(1), None, 0),
        ("N-4", NOW.0 + 1, None, None, 5),
        ("N-6", NOW.0 + 1, None, Some(1), 0),
    ] {
        let sql =
            "INSERT INTO signing_links (practice_id, claim_id, id, hash, key_version, sealed, created_at, created_by,
                     expires_at, revoked_at, used_at, attempts)
                   SELECT practice_id, id, id, id, 1, 'x', 1, 'u', ?2, ?3, ?4, ?5 FROM claims WHERE claim_number = ?1";
        f.db.execute(sql, (number, expires_at, revoked_at, used_at, tries)).unwrap();
    }
    let count = |filters: &[(&str, &str)]| found(&f, &statement(filters)).0;
    assert_eq!(count(&[("signature", "waiting")]), 3, "N-0 in each practice");
    assert_eq!(count(&[("signature", "link_dead")]), 9, "N-1, N-3 and N-4");
    assert_eq!(count(&[("signature", "waiting"), ("claim_number", "N-0")]), 3);
    assert_eq!(count(&[("signature", "waiting"), ("claim_number", "N-1")]), 0);
    let ended = [("signature", "waiting"), ("status", "closed")];
    assert_eq!(count(&ended), 0, "a claim that has ended waits for nothing");
}

/// The days bound the range of the index that is read.
#[test]
fn claims_due_in_some_days_are_found_without_reading_those_of_other_days() {
    let steps = [600, 12_000].map(|claims| {
        let f = practices(claims);
        f.db.execute(
            "UPDATE claims SET appeal_due = date('2026-01-01', '+' || (substr(claim_number, 3) / 3) || ' days')
             WHERE claim_number <> 'N-9'",
            [],
        )
        .unwrap();
        let count = |filters: &[(&str, &str)]| {
            let statement = statement(&[&[("limit", "100")][..], filters].concat());
            f.assert_indexed(&statement, &["VIRTUAL TABLE", "SCAN p", "CONSTANT ROW"]);
            found(&f, &statement)
        };
        let (from, to) = (("due_from", "2026-01-03"), ("due_to", "2026-01-05"));
        // Two open claims a day in each of three practices; N-9 is without a deadline.
        let (days, steps) = count(&[from, to]);
        assert_eq!(days, 15);
        assert_eq!(count(&[to]).0, 27);
        assert_eq!(count(&[from, to, ("order", "deadline"), ("claim_number", "N-6")]).0, 3);
        assert_eq!(count(&[from, to, ("claim_number", "N-3")]).0, 0);
        assert_eq!(count(&[from, to, ("claim_number", "N-9")]).0, 0, "it has no deadline");
        assert_eq!(count(&[("due_to", "2025-12-31")]).0, 0);
        let cursor = ("cursor", "2026-01-04_00000000000000000000000000000000");
        assert_eq!(count(&[from, to, cursor]).0, 9, "both days after it");
        let before = ("cursor", "2025-01-04_00000000000000000000000000000000");
        assert_eq!(count(&[from, to, before]).0, 15, "a cursor does not widen the days");
        steps
    });
    assert_eq!(steps[0], steps[1], "the work does not grow with the claims");
}

/// A value of the database has at most 2 MB. A page that would be larger is shorter, and says that there is more.
#[test]
fn a_page_that_does_not_fit_into_one_value_is_cut() {
    let f = practices(1_000);
    let paged = |limit: &str| {
        let query = QueueQuery::parse_for([("limit".into(), limit.into())], ListForm::Csv);
        let statement = page("hash", &query.unwrap(), NOW).statement().clone();
        let mut prepared = f.db.prepare(statement.sql).unwrap();
        let params = overturn_store::testing::params(&statement);
        let json: String = prepared.query_row(params, |row| row.get(0)).unwrap();
        let claims = json.matches("\"claim_number\":").count();
        (claims, json.contains("\"cut\":true"), json.len())
    };
    let (claims, cut, _) = paged("1000");
    assert_eq!((claims, cut), (1_001, false));
    let long = "\u{e9}".repeat(500);
    f.db.execute("UPDATE claims SET payer_name = ?1", [&long]).unwrap();
    let (claims, cut, size) = paged("1000");
    assert!(cut && (400..1_000).contains(&claims), "{claims}");
    assert!(size < 2_000_000, "{size}");
    let (claims, cut, _) = paged("100");
    assert_eq!((claims, cut), (101, false));
}
