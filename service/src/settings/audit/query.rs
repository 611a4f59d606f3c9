//! The query of a page of a trail.

use crate::prelude::*;
use crate::request::declare::kinds::{Id, form};
use crate::request::declare::query::kinds::{Cursor, DayBegins, DayEnds, LimitOrCsv, TextOf};
use crate::request::declare::query::query;
use overturn_core::claims::NUMBER_MAX;
use uuid::{Builder, Uuid};

/// The most rows that a page with a filter scans.
const SCAN_MAX: usize = 2_000;

form! {
    /// The name of an action. There are more than a message can list.
    Action: Event = "the name of an action", Event::parse,
    { "type": "string", "pattern": r"^[a-z_]+\.[a-z_]+$", "maxLength": 100 }
}

query! {
    /// A query for a page of a trail, newest first. A filter that is `None` lets every row pass.
    pub(crate) AuditQuery {
        limit: LimitOrCsv,
        cursor: Cursor<Uuid>,
        /// Rows with this action. A name that is no action is refused.
        action: Action,
        /// Rows of the person, key, token or link with this id.
        actor: Id<Uuid>,
        /// Rows about the record with this id.
        record: Id<Uuid>,
        /// Rows about the claim with exactly this number, and about its documents, its submission, and the report and the
        /// appeal that it is in. Without such a claim, there are none. In the staff's own trail: searches that found claims with
        /// this number.
        claim_number: TextOf<NUMBER_MAX>,
        /// Rows of this day (UTC) or later.
        from: DayBegins,
        /// Rows of this day (UTC) or earlier.
        to: DayEnds,
    }
}

impl AuditQuery {
    /// How many rows to read: one more than requested, which shows whether there is another page.
    pub(super) const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }

    /// How many rows to scan. The order of the rows is that of time, so dates need no scan.
    pub(super) fn scans(&self) -> usize {
        let filtered =
            self.action.is_some() || self.actor.is_some() || self.record.is_some() || self.claim_number.is_some();
        if filtered { SCAN_MAX } else { self.reads() }
    }

    /// The first id of the rows of [`Self::from`]. Ids begin with their instant.
    pub(super) fn first_id(&self) -> Option<Uuid> {
        self.from.map(first_id)
    }

    /// The id that all rows of the page are before: that of the cursor or the first one after [`Self::to`].
    pub(super) fn end_id(&self) -> Option<Uuid> {
        match (self.cursor, self.to.map(first_id)) {
            (Some(after), Some(before)) => Some(after.min(before)),
            (after, before) => after.or(before),
        }
    }
}

/// The first version 7 UUID of an instant.
fn first_id(at: Instant) -> Uuid {
    let ms = u64::try_from(at.0).unwrap_or(0);
    Builder::from_unix_timestamp_millis(ms, &[0; 10]).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::accept::ListForm;
    use crate::request::query::ListQuery;
    use overturn_core::request::problem::texts;
    use std::borrow::Cow;

    fn parse(query: &str, form: ListForm) -> Result<AuditQuery, Vec<String>> {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').unwrap());
        let pairs = pairs.map(|(name, value)| (Cow::from(name), Cow::from(value)));
        AuditQuery::parse_for(pairs, form).map_err(|problems| texts(&problems))
    }

    #[test]
    fn a_page_is_larger_as_csv_and_a_filter_scans_at_most_2000_rows() {
        let plain = parse("", ListForm::Json).unwrap();
        assert_eq!((plain.limit, plain.scans()), (25, 26));
        let csv = parse("", ListForm::Csv).unwrap();
        assert_eq!((csv.limit, csv.scans()), (1_000, 1_001));
        assert_eq!(parse("limit=101", ListForm::Json).unwrap_err(), ["limit must be a whole number from 1 to 100"]);
        assert_eq!(parse("limit=101", ListForm::Csv).unwrap().limit, 101);
        assert_eq!(parse("limit=1001", ListForm::Csv).unwrap_err(), ["limit must be a whole number from 1 to 1000"]);
        let dates = parse("from=2026-11-01&to=2026-11-30", ListForm::Json).unwrap();
        assert_eq!(dates.scans(), 26);
        let id = Uuid::from_u128(7);
        for filter in [
            "action=api_key.created".into(),
            format!("actor={id}"),
            format!("record={id}"),
            "claim_number=CH-0105".into(),
        ] {
            assert_eq!(parse(&filter, ListForm::Json).unwrap().scans(), SCAN_MAX);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_and_not_repeated() {
        let wrong = "actor=Maria&record=x&from=2026-02-30&to=tomorrow&action=a&action=b&practice_id=1";
        assert_eq!(
            parse(wrong, ListForm::Json).unwrap_err(),
            [
                "practice_id is not a known parameter; known are limit, cursor, action, actor, record, claim_number, from, to",
                "action must be given only once",
                "action must be the name of an action",
                "actor must be an id",
                "record must be an id",
                "from must be a date (YYYY-MM-DD)",
                "to must be a date (YYYY-MM-DD)",
            ]
        );
    }

    #[test]
    fn a_claim_number_is_as_long_as_one_can_be() {
        let long = format!("claim_number={}", "9".repeat(129));
        assert_eq!(parse(&long, ListForm::Json).unwrap_err(), ["claim_number must be at most 128 characters"]);
    }

    #[test]
    fn the_ids_of_a_day_are_between_its_bounds() {
        let query = parse("from=2026-11-22&to=2026-11-22", ListForm::Json).unwrap();
        let (first, end) = (query.first_id().unwrap(), query.end_id().unwrap());
        for (at, inside) in [
            (query.from.unwrap().plus(-1), false),
            (query.from.unwrap(), true),
            (query.to.unwrap().plus(-1), true),
            (query.to.unwrap(), false),
        ] {
            for seed in [[0; 32], [7; 32], [255; 32]] {
                let id = Ctx::new(at, seed).id(Purpose::Audit, 0);
                assert_eq!(first <= id && id < end, inside, "{id}");
            }
        }
    }

    #[test]
    fn a_cursor_within_the_dates_ends_the_page() {
        let day = parse("to=2026-11-22", ListForm::Json).unwrap();
        let end = day.end_id().unwrap();
        for (cursor, expected) in [(Uuid::from_u128(1), Uuid::from_u128(1)), (Uuid::max(), end)] {
            let query = AuditQuery { cursor: Some(cursor), ..day.clone() };
            assert_eq!(query.end_id(), Some(expected));
        }
        assert_eq!(parse("", ListForm::Json).unwrap().end_id(), None);
    }
}
