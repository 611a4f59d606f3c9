//! The cases that wait for a decision of the payer: their list and their count.

use super::staff_lists::{cases, found, practices};
use overturn_core::base::date::Date;
use overturn_core::base::id::PracticeId;
use overturn_store::Statement;
use overturn_store::summaries;
use overturn_store::testing::Fixture;

/// Files the only level of each case, except that every third one has no day, and every fifth is decided.
fn filed(of: u32) -> Fixture {
    let f = practices(of);
    let file = "UPDATE case_levels SET filed_on = '2026-01-01',
        decision_due = iif(rowid % 3 = 0, NULL, date('2026-03-01', (rowid % 50) || ' days')),
        decided_on = iif(rowid % 5 = 0, '2026-02-01', NULL)";
    let file = file.replace("rowid", "CAST(substr(case_id, 1, 8) AS INTEGER)");
    f.db.execute(&file, []).unwrap();
    f
}

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
    let few = filed(60);
    let many = filed(6_000);
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
    let today = Date::parse("2030-01-01").unwrap();
    let practice = PracticeId(practice.parse().unwrap());
    for of in [None, Some(practice)] {
        let statement: Statement = summaries::decisions_due(of, today).into();
        many.assert_indexed(&statement, &[]);
    }
}

#[test]
fn a_case_waits_while_its_level_is_filed_and_not_decided() {
    let f = filed(60);
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

#[test]
fn the_decisions_that_are_due_are_counted_up_to_a_page_without_those_of_closed_practices() {
    let mut f = filed(60);
    let due = |f: &mut Fixture, of, day: &str| f.read(&summaries::decisions_due(of, Date::parse(day).unwrap()));
    let counted = |f: &Fixture, more: &str| {
        let sql = format!("SELECT count(*) FROM cases WHERE is_open = 1 AND ask_on <= '2026-03-20' {more}");
        i64::try_from(count(f, &sql)).unwrap()
    };
    let all = counted(&f, "");
    assert!(all > 0);
    assert_eq!(due(&mut f, None, "2026-03-20"), all);
    assert_eq!(due(&mut f, None, "2026-02-28"), 0, "nothing is due yet");
    let name = first_practice(&f);
    let practice = PracticeId(name.parse().unwrap());
    let own = counted(&f, &format!("AND practice_id = '{name}'"));
    assert_eq!(due(&mut f, Some(practice), "2026-03-20"), own);
    let end = "UPDATE agreements SET ended_at = 1 WHERE practice_id = ?1";
    f.db.execute(end, [&name]).unwrap();
    assert_eq!(due(&mut f, Some(practice), "2026-03-20"), 0);
    assert_eq!(due(&mut f, None, "2026-03-20"), all - own);
    let mut many = filed(1_000);
    assert_eq!(due(&mut many, None, "2030-01-01"), 100);
}
