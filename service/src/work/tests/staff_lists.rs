//! The staff's lists read a bounded number of rows: the cases of all practices, and the claims of a patient.

use crate::work::cases::all::{CasesQuery, of_all};
use crate::work::cases::list::{CasesOfPractice, of_practice};
use crate::work::related::related;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::request::query::ListQuery;
use overturn_store::Statement;
use overturn_store::testing::Fixture;
use rusqlite::StatementStatus;
use uuid::Uuid;

pub(super) fn cases(filters: &[(&str, &str)]) -> Statement {
    let filters = filters.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    of_all(&CasesQuery::parse(filters).unwrap()).into()
}

/// How many records a query finds, by the name of a field, and how many steps of SQLite's virtual machine it takes.
pub(super) fn found(f: &Fixture, statement: &Statement, field: &str) -> (usize, i32) {
    let mut prepared = f.db.prepare(statement.sql).unwrap();
    let json: String = prepared.query_row(overturn_store::testing::params(statement), |row| row.get(0)).unwrap();
    let steps = prepared.get_status(StatementStatus::VmStep);
    (json.matches(&format!("\"{field}\":")).count(), steps)
}

#[test]
fn a_page_of_cases_takes_as_much_work_however_many_cases_there_are() {
    let few = Fixture::with_cases(60);
    let many = Fixture::with_cases(6_000);
    let practice: String = few.db.query_row("SELECT id FROM practices LIMIT 1", [], |row| row.get(0)).unwrap();
    for filters in [
        &[][..],
        &[("open", "true")],
        &[("open", "false"), ("due_before", "2030-01-01")],
        &[("practice_id", &practice)],
        &[("practice_id", &practice), ("open", "true"), ("due_before", "2026-02-01")],
        &[("cursor", "2026-01-05_00000000000000000000000000000000")],
    ] {
        let statement = cases(&[filters, &[("limit", "5")]].concat());
        many.assert_indexed(&statement, &["VIRTUAL TABLE", "CONSTANT ROW"]);
        let [(first, one), (second, other)] = [&few, &many].map(|f| found(f, &statement, "payer_name"));
        assert_eq!((first, second), (6, 6), "{filters:?}");
        assert!(other < one * 2, "{one} and {other} steps for {filters:?}");
    }
}

#[test]
fn each_filter_of_the_cases_narrows_the_list_and_a_closed_practice_is_not_in_it() {
    let f = Fixture::with_cases(60);
    let count = |filters: &[(&str, &str)]| {
        let statement = cases(&[filters, &[("limit", "100")]].concat());
        found(&f, &statement, "payer_name").0
    };
    assert_eq!(count(&[]), 101, "one more than the page, of 120");
    assert_eq!(count(&[("open", "true")]), 90);
    assert_eq!(count(&[("open", "false")]), 30);
    assert_eq!(count(&[("due_before", "2026-01-03")]), 2, "the second of January");
    assert_eq!(count(&[("due_before", "2026-01-02")]), 0);
    let practice: String = f.db.query_row("SELECT id FROM practices LIMIT 1", [], |row| row.get(0)).unwrap();
    assert_eq!(count(&[("practice_id", &practice)]), 60);
    let end = "UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1";
    f.db.execute(end, [&practice]).unwrap();
    assert_eq!(count(&[("practice_id", &practice)]), 0);
    assert_eq!(count(&[]), 60);
}

/// A practice with this many claims of other patients, and six of one patient: two that are still received, one of them
/// among the oldest.
fn patients(claims: u32) -> (Fixture, PracticeId, ClaimId) {
    let mut f = Fixture::new();
    let _key = f.provision(2);
    let id = "printf('%08d-0000-7000-8000-000000000000', n)";
    let sql = format!(
        "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n + 1 < ?1 + 6)
         INSERT INTO claims (practice_id, claim_number, id, submission_id, status, payer_claim_number, payer_name,
           date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at,
           changed, present)
         SELECT p.id, 'N-' || n, {id}, 's',
           CASE n WHEN 1 THEN 'reviewing' WHEN 2 THEN 'in_appeal' WHEN 3 THEN 'closed' ELSE 'received' END, 'P', 'Acme',
           '2026-01-02', 1, '[]', iif(n < 4 OR n >= ?1 + 4, 'one', 'tag ' || n), 1, 'x', 1, 1, n + 1, 0 FROM n, practices p"
    );
    f.db.execute(&sql, [claims]).unwrap();
    f.count_claims();
    let practice: String = f.db.query_row("SELECT id FROM practices LIMIT 1", [], |row| row.get(0)).unwrap();
    let reviewed = ClaimId(Uuid::from_u128(0x0000_0001_0000_7000_8000_0000_0000_0000));
    (f, PracticeId(practice.parse().unwrap()), reviewed)
}

#[test]
fn the_claims_of_a_patient_are_found_without_reading_those_of_others() {
    let (mut f, practice, claim) = patients(10);
    let read = related(practice, claim);
    let all = f.read(&read).unwrap();
    // Not the claim itself, and not those of the other practice.
    let mut numbers: Vec<&str> = all.claims.iter().map(|claim| &*claim.claim_number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["N-0", "N-14", "N-15", "N-2", "N-3"]);
    assert_eq!(all.payer_name, "Acme");
    let elsewhere = ClaimId(Uuid::from_u128(9));
    assert!(f.read(&related(practice, elsewhere)).is_none());

    let statement: Statement = read.into();
    let steps = [6_000, 24_000].map(|claims| {
        let (f, practice, claim) = patients(claims);
        let statement: Statement = related(practice, claim).into();
        // The newest claims of the practice are read, up to a limit.
        let newest = "SEARCH claims USING INDEX sqlite_autoindex_claims_2 (practice_id=?)";
        f.assert_indexed(&statement, &[newest, "SCAN n", "SCAN c", "SCAN (subquery", "VIRTUAL TABLE"]);
        let (count, steps) = found(&f, &statement, "claim_number");
        assert_eq!(count, 4, "the oldest one is still received and not among the newest");
        steps
    });
    assert!(steps[1] < steps[0] + steps[0] / 10, "{steps:?}");
    let plan = f.plan(&statement);
    let by_patient = "USING INDEX claims_of_patient (practice_id=? AND patient_tag=?)";
    assert!(plan.iter().any(|step| step.contains(by_patient)), "{plan:?}");
}

/// A practice's cases, by payer and by claim.
#[test]
fn cases_of_a_payer_or_a_claim_are_found_without_reading_others() {
    let query = |filters: &[(&str, &str)]| {
        let filters = filters.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        CasesOfPractice::parse(filters).unwrap()
    };
    let [few, many] = [60, 6_000].map(|cases| {
        let f = Fixture::with_cases(cases);
        let change = "UPDATE cases SET payer_name = 'Blue' WHERE substr(id, 1, 8) < '00000007';
                      UPDATE case_claims SET claim_id = 'd' WHERE substr(case_id, 1, 8) IN ('00000003', '00000009')";
        f.db.execute_batch(change).unwrap();
        f
    });
    let claim = uuid::Uuid::from_u128(13);
    for f in [&few, &many] {
        let named = "UPDATE case_claims SET claim_id = ?1 WHERE claim_id = 'd'";
        f.db.execute(named, [claim.to_string()]).unwrap();
    }
    let practice: String = few.db.query_row("SELECT id FROM practices LIMIT 1", [], |row| row.get(0)).unwrap();
    let practice = PracticeId(practice.parse().unwrap());
    let claim = claim.to_string();
    for (filters, expected) in [
        (&[("payer_name", "BLUE")][..], 7),
        (&[("claim_id", &*claim)], 2),
        (&[("claim_id", &claim), ("payer_name", "blue")], 1),
        (&[("claim_id", &claim), ("payer_name", "Green")], 0),
        (&[("payer_name", "blue"), ("cursor", "00000004000070008000000000000000")], 4),
        (&[("claim_id", &claim), ("cursor", "00000009000070008000000000000000")], 1),
        (&[("payer_name", "blue"), ("limit", "2")], 3),
    ] {
        let statement: Statement = of_practice(practice, &query(filters)).into();
        many.assert_indexed(&statement, &["VIRTUAL TABLE", "CONSTANT ROW"]);
        let [(first, one), (second, other)] = [&few, &many].map(|f| found(f, &statement, "payer_name"));
        assert_eq!((first, second), (expected, expected), "{filters:?}");
        assert_eq!(one, other, "{filters:?}");
    }
}
