//! The cases that wait for a decision of the payer.

use super::staff_lists::{cases, found};
use crate::work::queue::{QueueQuery, page};
use overturn_core::base::instant::Instant;
use overturn_core::request::query::ListQuery;
use overturn_store::testing::Fixture;

fn first_practice(f: &Fixture) -> String {
    let sql = "SELECT id FROM practices LIMIT 1";
    f.db.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn count(f: &Fixture, sql: &str) -> usize {
    let count: i64 = f.db.query_row(sql, [], |row| row.get(0)).unwrap();
    count.try_into().unwrap()
}

#[test]
fn a_page_of_the_cases_that_wait_takes_as_much_work_however_many_there_are() {
    let few = Fixture::with_filed_cases(60);
    let many = Fixture::with_filed_cases(6_000);
    let practice = first_practice(&few);
    for filters in [
        &[("awaiting", "decision")][..],
        &[("awaiting", "decision"), ("open", "true")],
        &[("ask_before", "2030-01-01"), ("practice_id", &practice)],
    ] {
        let statement = cases(&[filters, &[("limit", "5")]].concat());
        many.assert_indexed(&statement, &["VIRTUAL TABLE", "CONSTANT ROW"]);
        let [(first, one), (second, other)] = [&few, &many].map(|f| found(f, &statement, "payer_name"));
        assert_eq!((first, second), (6, 6), "{filters:?}");
        assert!(other < one * 2, "{one} and {other} steps for {filters:?}");
    }
}

#[test]
fn a_case_waits_while_its_level_is_filed_and_not_decided() {
    let f = Fixture::with_filed_cases(60);
    let listed = |filters: &[(&str, &str)]| {
        let statement = cases(&[filters, &[("limit", "100")]].concat());
        found(&f, &statement, "payer_name").0
    };
    let waits = "l.filed_on IS NOT NULL AND l.decided_on IS NULL";
    let of = |more: &str| {
        let sql = format!(
            "SELECT count(*) FROM cases k CROSS JOIN case_levels l WHERE l.practice_id = k.practice_id AND l.case_id = k.id AND {waits} {more}"
        );
        count(&f, &sql)
    };
    assert!(of("") > 60);
    assert_eq!(listed(&[("awaiting", "decision")]), of("").min(101));
    assert_eq!(listed(&[("awaiting", "decision"), ("open", "false")]), of("AND k.is_open = 0"));
    let before = of("AND l.decision_due < '2026-03-20'");
    assert!(before > 0);
    assert_eq!(listed(&[("ask_before", "2026-03-20")]), before);
    // A person asks later, and a level that was taken back or decided is no longer asked about.
    let later = "UPDATE case_levels SET follow_up_on = '2027-01-01' WHERE decision_due < '2026-03-20'";
    f.db.execute(later, []).unwrap();
    assert_eq!(listed(&[("ask_before", "2026-03-20")]), 0);
    assert_eq!(listed(&[("awaiting", "decision")]), of("").min(101));
    f.db.execute("UPDATE case_levels SET filed_on = NULL", []).unwrap();
    assert_eq!(listed(&[("awaiting", "decision")]), 0);
}

/// Each case has a claim of its own. The day of all but the first 60 cases of a practice is later.
fn with_claims(cases: u32) -> Fixture {
    let f = Fixture::with_filed_cases(cases);
    f.db.execute_batch(
        "UPDATE case_levels SET decision_due = '2029-01-01' WHERE decision_due IS NOT NULL AND substr(case_id, 1, 8) >= '00000060';
         UPDATE case_claims SET claim_id = case_id;
         INSERT INTO claims (practice_id, claim_number, id, submission_id, status, case_id, payer_claim_number, payer_name,
           date_of_service, billed_cents, adjustment_codes, patient_tag, key_version, sealed, received_at, updated_at, changed, present)
         SELECT practice_id, 'N-' || id, id, 's', iif(is_open = 1, 'in_appeal', 'closed'), id, 'P', 'Acme', '2026-01-02', 1, '[]',
           't', 1, 'x', 1, 1, row_number() OVER (PARTITION BY practice_id ORDER BY id), 0 FROM cases",
    )
    .unwrap();
    f.count_claims();
    f
}

#[test]
fn the_queue_finds_the_claims_of_overdue_decisions_without_reading_others() {
    let [few, many] = [60, 6_000].map(with_claims);
    let practice = first_practice(&few);
    let due = "SELECT count(*) FROM claims c CROSS JOIN case_levels l WHERE l.practice_id = c.practice_id AND l.case_id = c.case_id
        AND c.status = 'in_appeal' AND l.decided_on IS NULL AND l.decision_due < '2026-03-20'";
    let due = count(&few, due);
    assert!(due > 10, "{due}");
    for (filters, expected) in [
        (&[("limit", "100")][..], due),
        (&[("limit", "100"), ("order", "latest_deadline"), ("count", "true")], due),
        (&[("limit", "100"), ("practice_id", &practice)], due / 2),
        (&[("limit", "100"), ("status", "received,in_appeal")], due),
        (&[("status", "closed")], 0),
        (&[("payer_name", "Other")], 0),
        (&[("limit", "5")], 6),
        (&[("due_to", "2026-03-19")], 0),
    ] {
        let filters = [&[("ask_before", "2026-03-20")], filters].concat();
        let filters = filters.into_iter().map(|(name, value)| (name.into(), value.into()));
        let query = QueueQuery::parse(filters).unwrap();
        let statement = page("hash", &query, Instant(1_800_000_000_000)).statement().clone();
        many.assert_indexed(&statement, &["VIRTUAL TABLE", "CONSTANT ROW"]);
        let [(first, one), (second, other)] = [&few, &many].map(|f| found(f, &statement, "payer_name"));
        assert_eq!((first, second), (expected, expected), "{query:?}");
        assert!(other < one * 2, "{one} and {other} steps for {query:?}");
    }
}
