use super::*;
use crate::request::query::ListQuery as _;
use crate::testing::decisions::parsed;
use overturn_core::base::time::Time;

fn received(filter: &str, days: &str, now: &str) -> [Option<String>; 2] {
    let now = Time::parse(now).unwrap().0;
    let query = QueueQuery::parse([(filter.into(), days.into())]).unwrap();
    let (from, before) = query.received(now);
    [from, before].map(|at| at.map(|at| Time(at).to_string()))
}

#[test]
fn days_of_deadlines_bound_the_page_and_a_cursor_stays_within_them() {
    let bounds = |query: &[(&'static str, &'static str)]| {
        let query: QueueQuery = parsed(query).unwrap();
        let ((due, id), last) = query.range();
        (due, id.len(), last)
    };
    let is = |due: &str, id: usize, last: &str| (due.into(), id, last.into());
    assert_eq!(bounds(&[]), is("", 0, "~"));
    assert_eq!(bounds(&[("order", "deadline"), ("due_to", "")]), is("", 0, "~"));
    let from = ("due_from", "2026-11-10");
    assert_eq!(bounds(&[from]), is("2026-11-10", 0, "9999-12-31"));
    let to = ("due_to", "2026-11-20");
    assert_eq!(bounds(&[from, to]), is("2026-11-10", 0, "2026-11-20"));
    for (cursor, due, id) in [
        ("2026-11-09_00000000000000000000000000000001", "2026-11-10", 0),
        ("2026-11-10_00000000000000000000000000000001", "2026-11-10", 36),
        ("2026-11-15_00000000000000000000000000000001", "2026-11-15", 36),
    ] {
        assert_eq!(bounds(&[from, ("cursor", cursor)]), is(due, id, "9999-12-31"));
    }
    assert!(QueueQuery::parse([("order".into(), "newest".into())]).is_err());
    // In the reverse order, a page begins with the last day and ends with the first one.
    let latest = ("order", "latest_deadline");
    assert_eq!(bounds(&[latest]), is("~", 1, ""));
    assert_eq!(bounds(&[latest, from]), is("9999-12-31", 1, "2026-11-10"));
    assert_eq!(bounds(&[latest, to]), is("2026-11-20", 1, ""));
    for (cursor, due, id) in [
        ("none_00000000000000000000000000000001", "2026-11-20", 1),
        ("2026-11-20_00000000000000000000000000000001", "2026-11-20", 36),
        ("2026-11-15_00000000000000000000000000000001", "2026-11-15", 36),
    ] {
        let query = [latest, from, to, ("cursor", cursor)];
        assert_eq!(bounds(&query), is(due, id, "2026-11-10"));
    }
    let last = ("cursor", "none_00000000000000000000000000000001");
    assert_eq!(bounds(&[latest, last]), is("~", 36, ""));
}

#[test]
fn an_order_by_a_value_takes_its_own_cursors_and_no_number() {
    let texts = |query: &[(&'static str, &'static str)]| parsed::<QueueQuery>(query).map(drop).unwrap_err();
    let day = ("cursor", "2026-11-10_00000000000000000000000000000001");
    let amount = ("cursor", "0000000000000012345_00000000000000000000000000000001");
    let none = ("cursor", "none_00000000000000000000000000000001");
    let other = ["cursor must be one that a page in this order gave"];
    for query in [[("order", "denied"), day], [("order", "arrived"), none], [("order", "latest_deadline"), amount]] {
        assert_eq!(texts(&query), other, "{query:?}");
    }
    for query in [[("order", "most_denied"), amount], [("order", "denied"), none], [("order", "arrived"), amount]] {
        let read: QueueQuery = parsed(&query).unwrap();
        assert_eq!(read.cursor.unwrap().to_string(), query[1].1);
    }
    assert_eq!(texts(&[("order", "denied"), ("claim_number", "A-1")]).len(), 1);
    let most: QueueQuery = parsed(&[("order", "most_denied"), none]).unwrap();
    assert_eq!(most.range().0.0, "", "claims without an amount come last");
}

#[test]
fn claims_are_counted_on_the_first_page_if_the_caller_asks_for_it() {
    let scans = |query: &[(&'static str, &'static str)]| {
        let query: QueueQuery = parsed(query).unwrap();
        query.count_scans()
    };
    let counted = ("count", "true");
    assert_eq!(scans(&[counted]), Some(COUNT_SCAN_MAX));
    for not in [("count", "false"), ("count", ""), ("taken_by", "me")] {
        assert_eq!(scans(&[not]), None);
    }
    let cursor = ("cursor", "none_00000000000000000000000000000001");
    assert_eq!(scans(&[counted, cursor]), None);
    assert_eq!(scans(&[counted, ("claim_number", "A-1")]), None);
    assert!(QueueQuery::parse([("count".into(), "1".into())]).is_err());
}

#[test]
fn an_age_is_counted_in_whole_utc_days_and_is_0_today() {
    let midnight = |date: &str| Some(format!("{date}T00:00:00.000Z"));
    for now in ["2028-03-01T00:00:00.000Z", "2028-03-01T23:59:59.999Z"] {
        for (days, first) in [("0", "2028-03-01"), ("1", "2028-02-29"), ("366", "2027-03-01")] {
            let expected = [midnight(first), None];
            assert_eq!(received("max_age_days", days, now), expected);
        }
        for (days, behind) in [("0", "2028-03-02"), ("1", "2028-03-01"), ("2", "2028-02-29")] {
            let expected = [None, midnight(behind)];
            assert_eq!(received("min_age_days", days, now), expected);
        }
    }
    let longest = received("max_age_days", "36500", "2028-03-01T00:00:00.000Z");
    assert_eq!(longest, [midnight("1928-03-26"), None]);
}

#[test]
fn a_day_to_ask_before_is_not_given_beside_a_number_or_a_deadline() {
    let day = ("ask_before", "2026-12-01");
    let query: QueueQuery = parsed(&[day, ("claim_number", " ")]).unwrap();
    assert_eq!(query.ask_before, Date::parse("2026-12-01"));
    for (other, value) in [("claim_number", "A-1"), ("due_from", "2026-12-01"), ("due_to", "2026-12-01")] {
        let both = parsed::<QueueQuery>(&[day, (other, value)]);
        assert_eq!(both.unwrap_err(), [format!("{other} must not be given beside ask_before")]);
    }
}
