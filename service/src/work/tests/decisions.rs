//! The cases that wait for a decision of the payer.

use super::staff_lists::{cases, found};
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
