//! The two orders of the queue, and the bounded count of the claims that pass its filters.

use crate::work::queue::{COUNT_MAX, COUNT_SCAN_MAX, FoundCount, FoundQueue, QueueQuery, page};
use overturn_core::base::instant::Instant;
use overturn_core::request::query::ListQuery;
use overturn_store::Statement;
use overturn_store::testing::Fixture;
use rusqlite::StatementStatus;

const NOW: Instant = Instant(1_800_000_000_000);

/// One practice with claims numbered from 0, three on each day from the first of January, and the last ten without a
/// deadline.
fn queue(claims: u32) -> Fixture {
    let mut f = Fixture::new();
    let _key = f.provision(2);
    let sql = "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?1)
               INSERT INTO claims (practice_id, claim_number, id, submission_id, status, payer_claim_number, payer_name,
                 date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at,
                 changed, present, appeal_due, appeal_due_from)
               SELECT p.id, 'N-' || n, printf('%08d-0000-7000-8000-000000000000', n), 's',
                 iif(n % 2 = 0, 'received', 'reviewing'), 'P', iif(n % 8 < 2, 'Acme', 'Best'), '2026-01-02', 1, '[]', 't', 1,
                 'x', 1, 1, n + 1, 0, iif(n < ?1 - 10, date('2026-01-01', '+' || (n / 3) || ' days'), NULL),
                 iif(n < ?1 - 10, 'rule', NULL)
               FROM n, practices p WHERE p.name = 'Practice 2'";
    f.db.execute(sql, [claims]).unwrap();
    f.count_claims();
    f
}

fn asked(filters: &[(&str, &str)]) -> Statement {
    let filters = filters.iter();
    let filters = filters.map(|(name, value)| ((*name).into(), (*value).into()));
    let query = QueueQuery::parse(filters).unwrap();
    page("hash", &query, NOW).statement().clone()
}

/// What the statement finds, and how many steps of SQLite's virtual machine it takes.
fn found(f: &Fixture, statement: &Statement) -> (FoundQueue, i32) {
    let mut prepared = f.db.prepare(statement.sql).unwrap();
    let params = overturn_store::testing::params(statement);
    let json: String = prepared.query_row(params, |row| row.get(0)).unwrap();
    let steps = prepared.get_status(StatementStatus::VmStep);
    (serde_json::from_str(&json).unwrap(), steps)
}

/// All pages of an order.
fn listed(f: &Fixture, filters: &[(&str, &str)]) -> Vec<String> {
    let mut numbers = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = [("limit", "7"), ("cursor", &cursor)];
        let (page, _) = found(f, &asked(&[filters, &page].concat()));
        let mut shown = page.claims.iter().take(7);
        numbers.extend(shown.clone().map(|claim| claim.claim_number.clone()));
        if page.claims.len() <= 7 {
            return numbers;
        }
        let last = shown.next_back().unwrap();
        let due = last.deadline.map(|due| due.date.to_string());
        let due = due.unwrap_or_else(|| "none".into());
        cursor = format!("{due}_{}", last.id.0.simple());
    }
}

#[test]
fn the_reverse_order_has_the_same_claims_the_other_way_around() {
    let f = queue(40);
    for filters in [
        &[][..],
        &[("status", "received")],
        &[("payer_name", "acme")],
        &[("due_from", "2026-01-03")],
        &[("due_to", "2026-01-05")],
        &[("due_from", "2026-01-03"), ("due_to", "2026-01-05")],
        &[("claim_number", "N-8")],
    ] {
        let mut soonest = listed(&f, filters);
        let latest = listed(&f, &[filters, &[("order", "latest_deadline")]].concat());
        assert!(!latest.is_empty(), "{filters:?}");
        soonest.reverse();
        assert_eq!(soonest, latest, "{filters:?}");
    }
    let latest = listed(&f, &[("order", "latest_deadline")]);
    assert_eq!(latest.len(), 40);
    assert_eq!(latest[0], "N-39", "without a deadline");
    assert_eq!(latest[10], "N-29", "the last day");
}

#[test]
fn a_page_of_either_order_reads_no_more_of_a_longer_queue() {
    for order in ["deadline", "latest_deadline"] {
        let steps = [300, 6_000].map(|claims| {
            let f = queue(claims);
            let page = asked(&[("order", order), ("limit", "20")]);
            f.assert_indexed(&page, &["VIRTUAL TABLE", "CONSTANT ROW"]);
            found(&f, &page).1
        });
        assert_eq!(steps[0], steps[1], "{order}");
    }
}

#[test]
fn a_page_in_the_middle_of_either_order_starts_at_its_place() {
    let middle = |claims: u32| {
        let day = (claims / 6).to_string();
        let sql = "SELECT date('2026-01-01', '+' || ?1 || ' days')";
        let f = queue(claims);
        let day: String = f.db.query_row(sql, [day], |row| row.get(0)).unwrap();
        let cursor = format!("{day}_{:08}000000007000800000000000", claims / 2);
        (f, day, cursor)
    };
    for (order, from) in [("deadline", "due_from"), ("latest_deadline", "due_to")] {
        let steps = [300, 6_000].map(|claims| {
            let (f, day, cursor) = middle(claims);
            [("cursor", &*cursor), (from, &*day)].map(|start| {
                let page = asked(&[("order", order), ("limit", "20"), start]);
                f.assert_indexed(&page, &["VIRTUAL TABLE", "CONSTANT ROW"]);
                let explain = format!("EXPLAIN QUERY PLAN {}", page.sql);
                let mut plan = f.db.prepare(&explain).unwrap();
                let params = overturn_store::testing::params(&page);
                let lines = plan.query_map(params, |row| row.get::<_, String>(3));
                let lines: Vec<_> = lines.unwrap().map(Result::unwrap).collect();
                let seek = "(status=? AND <expr>>? AND <expr><?)";
                assert!(lines.iter().any(|line| line.contains(seek)), "{lines:#?}");
                found(&f, &page).1
            })
        });
        for (few, many) in steps[0].iter().zip(&steps[1]) {
            assert!(many < &(few * 2), "{order}: {few} and {many} steps");
        }
    }
}

#[test]
fn the_claims_that_pass_are_counted_up_to_a_bound() {
    let f = queue(400);
    let count = |filters: &[(&str, &str)]| {
        let filters = [&[("count", "true"), ("limit", "1")], filters].concat();
        let statement = asked(&filters);
        f.assert_indexed(&statement, &["VIRTUAL TABLE", "CONSTANT ROW"]);
        found(&f, &statement).0.count
    };
    let is = |passed, scanned| Some(FoundCount { passed, scanned });
    for order in ["deadline", "latest_deadline"] {
        let order = ("order", order);
        assert_eq!(count(&[order]), is(400, 400));
        assert_eq!(count(&[order, ("status", "received")]), is(200, 200));
        assert_eq!(count(&[order, ("payer_name", "ACME")]), is(100, 400));
        assert_eq!(count(&[order, ("taken_by", "me")]), is(0, 400));
        let days = [("due_from", "2026-01-03"), ("due_to", "2026-01-05")];
        assert_eq!(count(&[order, days[0], days[1]]), is(9, 9));
    }
    assert_eq!(count(&[("count", "false")][..0]), is(400, 400));
    let uncounted = asked(&[("payer_name", "Acme")]);
    assert_eq!(found(&f, &uncounted).0.count, None);
    f.db.execute("UPDATE practices SET state = 'inactive'", []).unwrap();
    assert_eq!(count(&[]), is(0, 400), "claims that the queue does not show");
}

#[test]
fn a_count_ends_however_many_claims_there_are() {
    let steps = [COUNT_SCAN_MAX + 1_000, COUNT_SCAN_MAX * 3].map(|claims| {
        let f = queue(claims.try_into().unwrap());
        let rare = [("count", "true"), ("limit", "1"), ("payer_name", "Acme")];
        let (all, _) = found(&f, &asked(&rare[..2]));
        assert_eq!(all.count.unwrap().passed, COUNT_MAX + 1);
        let none = [&rare[..2], &[("max_age_days", "1")]].concat();
        let (none, _) = found(&f, &asked(&none));
        assert_eq!(none.count.unwrap().scanned, COUNT_SCAN_MAX);
        found(&f, &asked(&rare)).1
    });
    assert!(steps[0].abs_diff(steps[1]) < 100, "{steps:?}");
}
