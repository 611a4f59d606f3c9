//! Lists over several cells: pages of all of them follow each other as those of one database with all rows. Each practice
//! stands for a cell.

use super::steps::{Filters, asked, with_claims_in_cases};
use crate::request::declare::query::kinds::Place as _;
use crate::request::due_place::DuePlace;
use crate::testing::Fixture;
use crate::work::cases::all::{self, CaseOfAll, CasesQuery, of_all};
use crate::work::queue::{FoundQueue, QueueOrder, QueuePlace, QueueQuery, joined, page, place};
use overturn_core::base::instant::Instant;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);

fn practices(f: &Fixture) -> Vec<String> {
    let mut read = f.db.prepare("SELECT id FROM practices ORDER BY id").unwrap();
    read.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// All ids of a list, page by page. `page` gives those of the page after a place, and the next place.
fn walk(mut page: impl FnMut(Option<String>) -> (Vec<Uuid>, Option<String>)) -> Vec<Uuid> {
    let (mut all, mut next) = page(None);
    while let Some(after) = next {
        let (more, then) = page(Some(after));
        all.extend(more);
        next = then;
    }
    all
}

fn queue(f: &Fixture, filters: &Filters<'_>, (limit, cells): (usize, &[String])) -> Vec<Uuid> {
    walk(|after| {
        let limit = limit.to_string();
        let mut filters = [filters, &[("limit", &*limit)]].concat();
        filters.extend(after.as_deref().map(|after| ("cursor", after)));
        let query = asked::<QueueQuery>(&filters);
        let read = |query: &QueueQuery| -> Option<FoundQueue> {
            serde_json::from_str(&f.measured(page("hash", query, NOW).statement()).0).unwrap()
        };
        let of_cells = cells.iter().map(|cell| {
            let filters = [&*filters, &[("practice_id", &**cell)]].concat();
            read(&asked(&filters))
        });
        let found = of_cells.reduce(|all, more| joined(&query, all, more)).unwrap_or_else(|| read(&query)).unwrap();
        let shown = &found.claims[..found.claims.len().min(query.limit)];
        let more = found.claims.len() > query.limit;
        let next = shown.last().filter(|_| more).map(|last| place(&query, last).to_string());
        assert!(next.as_deref().is_none_or(|next| QueuePlace::parse(next).is_some()));
        (shown.iter().map(|claim| claim.id.0).collect(), next)
    })
}

#[test]
fn pages_of_the_queue_of_several_cells_follow_each_other_as_those_of_one() {
    let due = "iif(n % 5 = 0, NULL, date('2026-01-01', '+' || (n % 4) || ' days'))";
    let status = "json_array('received', 'reviewing', 'in_report') ->> (n % 3)";
    let f = Fixture::filled(3, 14, [status, "'Acme'", "'t'", due]);
    let values = "UPDATE claims SET billed_cents = 9, denied_cents = iif(changed % 4 = 0, NULL, 1 + changed * 7 % 5),
                    received_at = 1 + changed * 11 % 6";
    f.db.execute_batch(values).unwrap();
    let cells = practices(&f);
    for order in QueueOrder::ALL {
        let filters = [("order", order.name())];
        let one = queue(&f, &filters, (100, &[]));
        assert_eq!(one.len(), 42);
        for limit in 1..=9 {
            assert_eq!(queue(&f, &filters, (limit, &cells)), one, "{order:?} by {limit}");
        }
    }
    for order in [QueueOrder::Deadline, QueueOrder::LatestDeadline] {
        let filters = [("claim_number", "N-3"), ("order", order.name())];
        let one = queue(&f, &filters, (100, &[]));
        assert_eq!(one.len(), 3);
        assert_eq!(queue(&f, &filters, (1, &cells)), one);
    }
    let f = with_claims_in_cases(30);
    let cells = practices(&f);
    for order in QueueOrder::ALL {
        let filters = [("ask_before", "2030-01-01"), ("order", order.name())];
        let one = queue(&f, &filters, (100, &[]));
        assert!(one.len() > 9);
        for limit in [1, 2, 5] {
            assert_eq!(queue(&f, &filters, (limit, &cells)), one, "{order:?} by {limit}");
        }
    }
}

#[test]
fn a_page_of_several_cells_ends_where_one_of_them_is_cut() {
    let f = Fixture::filled(2, 6, ["'received'", "'Acme'", "'t'", "date('2026-01-01', '+' || n || ' days')"]);
    let cells = practices(&f);
    let read = |cell: &str| -> FoundQueue {
        let query = asked::<QueueQuery>(&[("practice_id", cell)]);
        serde_json::from_str(&f.measured(page("hash", &query, NOW).statement()).0).unwrap()
    };
    let mut cut = read(&cells[0]);
    cut.claims.truncate(2);
    cut.cut = true;
    let (cut, whole) = (Some(cut), Some(read(&cells[1])));
    for (a, b) in [(&cut, &whole), (&whole, &cut)] {
        let both = joined(&asked(&[]), a.clone(), b.clone()).unwrap();
        let last = both.claims.last().unwrap().deadline.unwrap().date.to_string();
        assert_eq!((both.cut, &*last), (true, "2026-01-02"));
        assert_eq!(both.claims.iter().filter(|claim| claim.practice.id.to_string() == cells[0]).count(), 2);
    }
}

#[test]
fn pages_of_the_cases_of_several_cells_follow_each_other_as_those_of_one() {
    let f = Fixture::with_filed_cases(20);
    let cells = practices(&f);
    let walked = |filters: &Filters<'_>, (limit, cells): (usize, &[String])| {
        walk(|after| {
            let limit = limit.to_string();
            let mut filters = [filters, &[("limit", &*limit)]].concat();
            filters.extend(after.as_deref().map(|after| ("cursor", after)));
            let query = asked::<CasesQuery>(&filters);
            let read = |query: &CasesQuery| -> Option<Vec<CaseOfAll>> {
                serde_json::from_str(&f.measured(of_all(query).statement()).0).unwrap()
            };
            let of_cells = cells.iter().map(|cell| {
                let filters = [&*filters, &[("practice_id", &**cell)]].concat();
                read(&asked(&filters))
            });
            let found = of_cells.reduce(|all, more| all::joined(&query, all, more));
            let found = found.unwrap_or_else(|| read(&query)).unwrap();
            let shown = &found[..found.len().min(query.limit)];
            let next = shown.last().filter(|_| found.len() > query.limit).map(|last| query.place(last).to_string());
            assert!(next.as_deref().is_none_or(|next| DuePlace::parse(next).is_some()));
            (shown.iter().map(|case| case.item.id.0).collect(), next)
        })
    };
    for filters in [&[][..], &[("awaiting", "decision")], &[("open", "false")]] {
        let one = walked(filters, (100, &[]));
        assert!(one.len() > 3, "{filters:?}");
        for limit in 1..=9 {
            assert_eq!(walked(filters, (limit, &cells)), one, "{filters:?} by {limit}");
        }
    }
}
