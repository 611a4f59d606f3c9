//! A practice's own claims: the index finds them, and a page scans a limited number.

use crate::claims::denials::list::listed;
use crate::claims::denials::page::page_of;
use crate::claims::denials::query::{DenialsQuery, SCAN_MAX};
use crate::claims::denials::{link, one};
use crate::request::query::ListQuery;
use crate::store::Statement;
use crate::testing::Fixture;
use overturn_core::base::id::ClaimId;
use overturn_core::base::instant::Instant;
use serde_json::Value;
use uuid::Uuid;

const PEOPLE: &str = "
    INSERT INTO users (id, practice_id, role, state, email, email_key, name, created_at)
      SELECT 'u' || rowid, id, 'member', 'active', 'a' || rowid, 'a' || rowid, 'A', 0 FROM (
        SELECT id, row_number() OVER (ORDER BY name) AS rowid FROM practices);
    INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, ends_at, seen_at, ip, agent)
      SELECT id, id, 'session ' || id, 'full', 1, 0, 0, 0, '', '' FROM users;";

/// Claims in the order of their numbers. Only the first and the last are closed.
const CLAIMS: &str = "
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO claims (practice_id, claim_number, id, submission_id, status, payer_claim_number, payer_name,
      date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at, changed, present)
    SELECT (SELECT id FROM practices), 'C-' || i, printf('00000000-0000-7000-8000-%012x', i), 's',
      iif(i IN (1, ?1), 'closed', 'received'), 'p', 'Acme', '2026-01-02', 100, '[]', 't', 1, 's', i, i, i, 0 FROM n";

fn filled(claims: usize) -> Fixture {
    let f = Fixture::new();
    f.db.execute_batch(PEOPLE).unwrap();
    f.db.pragma_update(None, "foreign_keys", false).unwrap();
    f.db.execute(CLAIMS, [i64::try_from(claims).unwrap()]).unwrap();
    f.name_payers();
    f
}

fn ask(query: &[(&str, &str)]) -> DenialsQuery {
    let query = query.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    DenialsQuery::parse(query).unwrap()
}

fn page(f: &mut Fixture, query: &DenialsQuery) -> Value {
    let found = f.read(&page_of("session u1", query)).unwrap();
    serde_json::to_value(listed(query, found, Instant(0)).unwrap()).unwrap()
}

#[test]
fn every_statement_of_denials_finds_its_rows_by_an_index() {
    let f = Fixture::new();
    let queries = [
        page_of("session u1", &ask(&[])),
        page_of("session u1", &ask(&[("status", "closed"), ("payer_name", "Acme")])),
        page_of("session u1", &ask(&[("changes_after", "start")])),
        page_of("session u1", &ask(&[("claim_number", "C-1")])),
        page_of("session u1", &ask(&[("claim_number", "C-1"), ("changes_after", "start")])),
    ];
    let by_deadline = ("order", "deadline");
    let every = [
        by_deadline,
        ("due_from", "2026-01-01"),
        ("signing_status", "needed"),
        ("denial_code", "CO-45"),
        ("cursor", "2026-01-01_00000000000070008000000000000001"),
    ];
    let due = [
        page_of("session u1", &ask(&[by_deadline])),
        page_of("session u1", &ask(&every)),
        page_of("session u1", &ask(&[by_deadline, ("claim_number", "C-1")])),
    ];
    let queries = queries.into_iter().chain(due);
    let mut statements: Vec<Statement> = queries.map(Statement::from).collect();
    statements.push(one::read("session u1", ClaimId(Uuid::nil())).into());
    statements.push(link::read("session u1", ClaimId(Uuid::nil())).into());
    for statement in statements {
        let harmless = ["VIRTUAL TABLE", "CONSTANT ROW", "SCAN p", "SCAN page"];
        f.assert_indexed(&statement, &harmless);
    }
}

#[test]
fn a_filter_that_few_claims_pass_goes_through_so_many_a_page_and_finds_them_all() {
    let claims = SCAN_MAX * 2 + 10;
    let mut f = filled(claims);
    for (start, name, cursor, order) in [
        (("limit", "25"), "cursor", "next_cursor", [claims, 1]),
        (("changes_after", "start"), "changes_after", "changes_cursor", [1, claims]),
    ] {
        let (mut seen, mut pages) = (Vec::new(), 0);
        let mut from = (start.0, start.1.to_owned());
        loop {
            let shown = page(&mut f, &ask(&[("status", "closed"), (from.0, &from.1)]));
            pages += 1;
            let claims = shown["denials"].as_array().unwrap().iter();
            seen.extend(claims.map(|claim| claim["claim_number"].as_str().unwrap().to_owned()));
            if shown["more"] == false {
                break;
            }
            from = (name, shown[cursor].as_str().unwrap().to_owned());
        }
        assert_eq!(seen, order.map(|n| format!("C-{n}")), "{cursor}");
        assert_eq!(pages, 3, "{cursor}");
    }
}

#[test]
fn one_claim_is_found_by_its_number_and_looks_at_no_other() {
    let mut f = filled(60);
    let numbered = |f: &mut Fixture, more: &[(&str, &str)]| {
        let query = [&[("claim_number", "C-7")], more].concat();
        let page = page(f, &ask(&query));
        let claims = page["denials"].as_array().unwrap().iter();
        assert_eq!((&page["next_cursor"], &page["more"]), (&Value::Null, &false.into()));
        claims.map(|claim| claim["claim_number"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(numbered(&mut f, &[]), ["C-7"]);
    assert_eq!(numbered(&mut f, &[("changes_after", "start")]), ["C-7"]);
    assert_eq!(numbered(&mut f, &[("status", "received")]), ["C-7"]);
    assert_eq!(numbered(&mut f, &[("status", "closed")]), [""; 0]);
    for other in ["c-7", "C-", "C-7 ", "C-77", "%", "\u{e9}"] {
        let none = page(&mut f, &ask(&[("claim_number", other)]));
        assert_eq!(none["denials"], serde_json::json!([]), "{other}");
    }
    for query in [ask(&[("claim_number", "C-7")]), ask(&[("claim_number", "C-7"), ("changes_after", "start")])] {
        let plan = f.plan(page_of("session u1", &query).statement());
        let of_claims = plan.iter().filter(|step| step.contains("claim_number=?"));
        assert_eq!(of_claims.count(), 2, "{plan:?}");
        let others = plan.iter().filter(|step| {
            step.contains("claim_id_once") || step.contains("changed>? AND") || step.contains("SCAN claims")
        });
        assert_eq!(others.count(), 0, "{plan:?}");
    }
}

#[test]
fn a_list_runs_from_the_newest_claim_and_changes_from_the_first() {
    let mut f = filled(60);
    let first = page(&mut f, &ask(&[]));
    let numbers: Vec<&str> =
        first["denials"].as_array().unwrap().iter().map(|c| c["claim_number"].as_str().unwrap()).collect();
    let expected: Vec<String> = (36..=60).rev().map(|n| format!("C-{n}")).collect();
    assert_eq!(numbers, expected);
    assert_eq!(first["more"], true);
    let followed = page(&mut f, &ask(&[("changes_after", "start"), ("limit", "2")]));
    assert_eq!(followed["denials"][1]["claim_number"], "C-2");
    let head = page(&mut f, &ask(&[("limit", "1")]))["changes_cursor"].clone();
    let after = head.as_str().unwrap();
    let none = page(&mut f, &ask(&[("changes_after", after)]));
    assert_eq!(none, serde_json::json!({ "denials": [], "next_cursor": null, "changes_cursor": after, "more": false }));
}

/// Sets deadlines: claim `i` is due on day `i % 7`, and every fifth claim has none.
fn with_deadlines(f: &Fixture) {
    f.db.execute_batch(
        "UPDATE claims SET appeal_due_from = iif(changed % 5 = 0, NULL, 'rule'),
           appeal_due = iif(changed % 5 = 0, NULL, '2026-03-' || printf('%02d', 1 + changed % 7))",
    )
    .unwrap();
}

/// All pages by deadline: the numbers of the claims, and how many pages there were.
fn by_deadline(f: &mut Fixture, query: &[(&str, &str)]) -> (Vec<i64>, usize) {
    let (mut seen, mut pages, mut cursor) = (Vec::new(), 0, String::new());
    loop {
        let query = [query, &[("order", "deadline"), ("cursor", &cursor)]].concat();
        let shown = page(f, &ask(&query));
        let claims = shown["denials"].as_array().unwrap().iter();
        seen.extend(claims.map(|claim| {
            let number = claim["claim_number"].as_str().unwrap();
            number.strip_prefix("C-").unwrap().parse::<i64>().unwrap()
        }));
        pages += 1;
        match shown["next_cursor"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => return (seen, pages),
        }
    }
}

#[test]
fn the_order_by_deadline_has_every_open_claim_once_and_ties_by_age() {
    const CLAIMS: i64 = 300;
    let mut f = filled(usize::try_from(CLAIMS).unwrap());
    with_deadlines(&f);
    let due = |i: i64| if i % 5 == 0 { 99 } else { i % 7 };
    let mut expected: Vec<i64> = (2..CLAIMS).collect();
    expected.sort_by_key(|i| (due(*i), *i));
    for limit in ["7", "100"] {
        let found = by_deadline(&mut f, &[("limit", limit)]).0;
        assert_eq!(found, expected, "{limit}");
    }
    let days = by_deadline(&mut f, &[("due_from", "2026-03-02"), ("due_to", "2026-03-03")]).0;
    let within = |i: &i64| (1..=2).contains(&due(*i));
    let inside: Vec<i64> = expected.iter().copied().filter(within).collect();
    assert_eq!(days, inside);
}

#[test]
fn a_filter_on_the_order_by_deadline_goes_through_so_many_claims_a_page() {
    let mut f = filled(SCAN_MAX * 2 + 10);
    with_deadlines(&f);
    f.db.execute_batch("UPDATE claims SET signing_status = 'needed' WHERE changed IN (5, 7, 4000)").unwrap();
    let (found, pages) = by_deadline(&mut f, &[("signing_status", "needed")]);
    assert_eq!(found, [7, 5, 4000]);
    assert_eq!(pages, 3);
}

#[test]
fn claims_that_change_between_pages_are_neither_lost_nor_repeated_where_they_stay() {
    let mut f = filled(60);
    with_deadlines(&f);
    let all = by_deadline(&mut f, &[("limit", "10")]).0;
    let first = page(&mut f, &ask(&[("order", "deadline"), ("limit", "10")]));
    let cursor = first["next_cursor"].as_str().unwrap().to_owned();
    // The last claim of the page is closed, and a claim of a later page gets an earlier deadline.
    let (closed, moved) = (all[9], all[20]);
    f.db.execute("UPDATE claims SET status = 'closed' WHERE changed = ?1", [closed]).unwrap();
    f.db.execute("UPDATE claims SET appeal_due = '2025-01-01' WHERE changed = ?1", [moved]).unwrap();
    let next = page(&mut f, &ask(&[("order", "deadline"), ("limit", "100"), ("cursor", &cursor)]));
    let numbers = next["denials"].as_array().unwrap().iter();
    let numbers: Vec<String> = numbers.map(|claim| claim["claim_number"].as_str().unwrap().to_owned()).collect();
    let rest = all.iter().skip(10).filter(|i| **i != moved);
    let expected: Vec<String> = rest.map(|i| format!("C-{i}")).collect();
    assert_eq!(numbers, expected);
}
