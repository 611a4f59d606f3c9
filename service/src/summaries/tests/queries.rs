//! The query parameters.

use crate::request::query::ListQuery;
use crate::summaries::claims::{SummaryQuery, WorkSummaryQuery};
use crate::summaries::names::PayersQuery;
use crate::summaries::practices::PracticesQuery;
use crate::testing::decisions::said;
use overturn_core::base::time::Time;
use overturn_core::request::problem::texts;

fn parsed<Q: ListQuery>(query: &[(&'static str, &'static str)]) -> Result<Q, Vec<String>> {
    let query = query.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    Q::parse(query).map_err(|problems| texts(&problems))
}

#[test]
fn today_is_the_utc_date_or_the_one_beside_it() {
    let today = |query: &'static str, now: &str| {
        let query = parsed::<SummaryQuery>(&[("today", query)]).unwrap();
        let date = query.today.at(Time::parse(now).unwrap().0);
        date.map(|date| format!("{date}")).map_err(said)
    };
    let refused = "today must be today's UTC date, or the day before or after it";
    // The last millisecond of a leap day, and the first one after it.
    for (now, near, far) in [
        ("2028-02-29T23:59:59.999Z", ["2028-02-28", "2028-02-29", "2028-03-01"], ["2028-02-27", "2028-03-02"]),
        ("2028-03-01T00:00:00.000Z", ["2028-02-29", "2028-03-01", "2028-03-02"], ["2028-02-28", "2028-03-03"]),
    ] {
        assert_eq!(today("", now).unwrap(), near[1]);
        for date in near {
            assert_eq!(today(date, now).unwrap(), date);
        }
        for date in far {
            assert_eq!(today(date, now).unwrap_err(), [refused]);
        }
    }
    // The last day has no day after it.
    assert!(today("9999-12-31", "9999-12-30T22:00:00.999Z").is_ok());
}

#[test]
fn a_query_has_only_its_parameters_each_once_and_well_formed() {
    assert_eq!(parsed::<SummaryQuery>(&[("today", "tomorrow")]).unwrap_err(), ["today must be a date (YYYY-MM-DD)"]);
    assert_eq!(
        parsed::<SummaryQuery>(&[("practice_id", "x")]).unwrap_err(),
        ["practice_id is not a known parameter; known are today"]
    );
    assert_eq!(
        parsed::<WorkSummaryQuery>(&[("practice_id", "x"), ("today", ""), ("today", "")]).unwrap_err(),
        ["today must be given only once", "practice_id must be an id"]
    );
    assert_eq!(
        parsed::<PayersQuery>(&[("name", "x")]).unwrap_err(),
        ["name is not a known parameter; known are practice_id"]
    );
    assert_eq!(
        parsed::<PracticesQuery>(&[("limit", "0"), ("cursor", "x"), ("q", "")]).unwrap_err(),
        [
            "q is not a known parameter; known are limit, cursor, name, today",
            "limit must be a whole number from 1 to 100",
            "cursor must be one that a page gave"
        ]
    );
    let query = parsed::<PracticesQuery>(&[("name", "Lake")]).unwrap();
    assert_eq!((query.limit, query.name.as_deref()), (25, Some("Lake")));
}
