//! The search of the queue by claim number, its two orders, and the bounded count of the claims that pass its filters.

use super::steps::{asked, queue, with_claims_in_cases};
use crate::request::accept::ListForm;
use crate::request::query::ListQuery;
use crate::testing::Fixture;
use crate::work::cases::all::{CasesQuery, of_all};
use crate::work::queue::{COUNT_MAX, COUNT_SCAN_MAX, FoundCount, FoundQueue, QueueItem, QueueQuery, page, place};
use overturn_core::base::instant::Instant;
use std::cmp::Reverse;
use std::collections::BTreeSet;

const NOW: Instant = Instant(1_800_000_000_000);

/// Three practices, each with claims numbered from 0. One in three is closed.
fn practices(claims: u32) -> Fixture {
    Fixture::filled(3, claims, ["iif(n % 3 = 2, 'closed', 'received')", "'Acme'", "'t'", "NULL"])
}

/// One practice with claims numbered from 0, three on each day from the first of January, and the last ten without a
/// deadline.
fn one(claims: u32) -> Fixture {
    let (status, payer) = ("iif(n % 2 = 0, 'received', 'reviewing')", "iif(n % 8 < 2, 'Acme', 'Best')");
    let due = "iif(n < ?1 - 10, date('2026-01-01', '+' || (n / 3) || ' days'), NULL)";
    Fixture::filled(1, claims, [status, payer, "'t'", due])
}

fn found(f: &Fixture, filters: &[(&str, &str)]) -> FoundQueue {
    serde_json::from_str(&f.measured(&queue(filters)).0).unwrap()
}

fn count(f: &Fixture, filters: &[(&str, &str)]) -> usize {
    found(f, filters).claims.len()
}

#[test]
fn a_search_by_number_passes_the_same_filters_as_the_queue() {
    let f = practices(30);
    let practice: String = f.db.query_row("SELECT id FROM practices LIMIT 1", [], |row| row.get(0)).unwrap();
    assert_eq!(count(&f, &[("claim_number", "N-8")]), 0, "it is closed");
    let end = "none_ffffffffffffffffffffffffffffffff";
    for (filter, claims) in [
        (("limit", "9"), 3),
        (("practice_id", &*practice), 1),
        (("payer_name", "acme"), 3),
        (("payer_name", "other"), 0),
        (("denial_code", "CO-45"), 0),
        (("max_age_days", "9"), 0),
        (("taken_by", "nobody"), 3),
        (("limit", "1"), 2),
        (("cursor", end), 0),
        (("due_to", "2026-12-31"), 0),
    ] {
        assert_eq!(count(&f, &[("claim_number", "N-8"), ("status", "closed"), filter]), claims, "{filter:?}");
    }
}

/// Claims N-0 to N-5 wait for a signature; N-2 and N-5 are closed.
#[test]
fn a_signature_is_waited_for_with_a_link_or_without_one() {
    let f = practices(9);
    // The links need no account of a person who made them.
    f.db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    f.db.execute("UPDATE claims SET signing_status = 'needed' WHERE substr(claim_number, 3) < '6'", []).unwrap();
    for (number, expires_at, revoked_at, used_at, tries) in [
        ("N-0", NOW.0 + 1, None, None, 4),
        ("N-1", NOW.0, None, None, 0),
        ("N-2", NOW.0 + 1, None, None, 0),
        ("N-3", NOW.0 + 1, Some(1), None, 0),
        ("N-4", NOW.0 + 1, None, None, 5),
        ("N-6", NOW.0 + 1, None, Some(1), 0),
    ] {
        let sql =
            "INSERT INTO signing_links (practice_id, claim_id, id, hash, key_version, sealed, created_at, created_by,
                     expires_at, revoked_at, used_at, attempts)
                   SELECT practice_id, id, id, id, 1, 'x', 1, 'u', ?2, ?3, ?4, ?5 FROM claims WHERE claim_number = ?1";
        f.db.execute(sql, (number, expires_at, revoked_at, used_at, tries)).unwrap();
    }
    let count = |filters: &[(&str, &str)]| count(&f, filters);
    assert_eq!(count(&[("signature", "waiting")]), 3, "N-0 in each practice");
    assert_eq!(count(&[("signature", "link_dead")]), 9, "N-1, N-3 and N-4");
    assert_eq!(count(&[("signature", "waiting"), ("claim_number", "N-0")]), 3);
    assert_eq!(count(&[("signature", "waiting"), ("claim_number", "N-1")]), 0);
    let ended = [("signature", "waiting"), ("status", "closed")];
    assert_eq!(count(&ended), 0, "a claim that has ended waits for nothing");
}

/// A value of the database has at most 2 MB. A page that would be larger is shorter, and says that there is more.
#[test]
fn a_page_that_does_not_fit_into_one_value_is_cut() {
    let f = practices(1_000);
    let paged = |limit: &str| {
        let query = QueueQuery::parse_for([("limit".into(), limit.into())], ListForm::Csv);
        let statement = page("hash", &query.unwrap(), NOW).statement().clone();
        let (json, _) = f.measured(&statement);
        let claims = json.matches("\"claim_number\":").count();
        (claims, json.contains("\"cut\":true"), json.len())
    };
    let (claims, cut, _) = paged("1000");
    assert_eq!((claims, cut), (1_001, false));
    let long = "\u{e9}".repeat(500);
    f.db.execute("UPDATE claims SET payer_name = ?1", [&long]).unwrap();
    let (claims, cut, size) = paged("1000");
    assert!(cut && (400..1_000).contains(&claims), "{claims}");
    assert!(size < 2_000_000, "{size}");
    let (claims, cut, _) = paged("100");
    assert_eq!((claims, cut), (101, false));
}

/// All pages of an order.
fn listed<T>(f: &Fixture, filters: &[(&str, &str)], of: impl Fn(&QueueItem) -> T) -> Vec<T> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = [("limit", "7"), ("cursor", &cursor)];
        let page = found(f, &[filters, &page].concat());
        let mut shown = page.claims.iter().take(7);
        all.extend(shown.clone().map(&of));
        if page.claims.len() <= 7 {
            return all;
        }
        let last = shown.next_back().unwrap();
        cursor = place(&asked::<QueueQuery>(filters), last).to_string();
    }
}

#[test]
fn the_reverse_order_has_the_same_claims_the_other_way_around() {
    let f = one(40);
    let number = |claim: &QueueItem| claim.claim_number.clone();
    for filters in [
        &[][..],
        &[("status", "received")],
        &[("payer_name", "acme")],
        &[("due_from", "2026-01-03")],
        &[("due_to", "2026-01-05")],
        &[("due_from", "2026-01-03"), ("due_to", "2026-01-05")],
        &[("claim_number", "N-8")],
    ] {
        let mut soonest = listed(&f, filters, number);
        let latest = listed(&f, &[filters, &[("order", "latest_deadline")]].concat(), number);
        assert!(!latest.is_empty(), "{filters:?}");
        soonest.reverse();
        assert_eq!(soonest, latest, "{filters:?}");
    }
    let latest = listed(&f, &[("order", "latest_deadline")], number);
    assert_eq!(latest.len(), 40);
    assert_eq!(latest[0], "N-39", "without a deadline");
    assert_eq!(latest[10], "N-29", "the last day");
}

/// Gives each claim another arrival and denied amount. Every fifth has no amount, and some have the same.
fn valued(f: &Fixture) {
    let sql = "UPDATE claims SET received_at = 1000 + substr(claim_number, 3) * 7 % 13, changed = changed + 100000,
                 denied_cents = iif(substr(claim_number, 3) % 5 = 0, NULL, 100 + substr(claim_number, 3) * 17 % 11 * 99)";
    f.db.execute(sql, []).unwrap();
}

#[test]
fn a_value_sorts_the_whole_list_whatever_the_page_and_claims_without_it_come_last() {
    let f = one(40);
    valued(&f);
    let amount = |claim: &QueueItem| claim.denied_amount.map(|amount| amount.0.get());
    for (filters, claims) in
        [(&[][..], 40), (&[("payer_name", "acme")], 10), (&[("due_from", "2026-01-03"), ("due_to", "2026-01-05")], 9)]
    {
        let by = |order| [filters, &[("order", order)]].concat();
        let least = listed(&f, &by("denied"), |claim| (amount(claim).is_none(), amount(claim), claim.id.0));
        assert!(least.len() == claims && least.is_sorted(), "{filters:?} {least:?}");
        let most = |claim: &QueueItem| (amount(claim).is_none(), Reverse(amount(claim)), Reverse(claim.id.0));
        let most = listed(&f, &by("most_denied"), most);
        assert!(most.len() == claims && most.is_sorted(), "{filters:?} {most:?}");
        let oldest = listed(&f, &by("arrived"), |claim| (claim.received_at.0, claim.id.0));
        assert!(oldest.len() == claims && oldest.is_sorted(), "{filters:?} {oldest:?}");
        let mut newest = listed(&f, &by("latest_arrived"), |claim| (claim.received_at.0, claim.id.0));
        newest.reverse();
        assert_eq!(oldest, newest);
    }
    let counted = found(&f, &[("order", "denied"), ("count", "true"), ("limit", "1"), ("due_to", "2026-01-05")]).count;
    assert_eq!(counted, Some(FoundCount { passed: 15, scanned: 15 }));
}

#[test]
fn a_value_sorts_the_claims_with_the_earliest_deadlines_up_to_a_bound() {
    let f = one(u32::try_from(COUNT_SCAN_MAX).unwrap() + 100);
    let sql =
        "UPDATE claims SET status = 'received', received_at = substr(claim_number, 3), changed = changed + 100000";
    f.db.execute(sql, []).unwrap();
    let newest = found(&f, &[("order", "latest_arrived"), ("limit", "1"), ("count", "true")]);
    assert_eq!(newest.claims[0].claim_number, format!("N-{}", COUNT_SCAN_MAX - 1));
    assert_eq!(newest.count.unwrap().scanned, COUNT_SCAN_MAX, "and it says that there are more");
}

#[test]
fn claims_that_wait_for_a_decision_are_sorted_by_a_value_as_well() {
    let f = with_claims_in_cases(60);
    f.db.execute("UPDATE claims SET received_at = 9000 - received_at % 7, changed = changed + 100000", []).unwrap();
    let by = |order| [("ask_before", "2026-04-10"), ("order", order)];
    let oldest = listed(&f, &by("arrived"), |claim| (claim.received_at.0, claim.id.0));
    assert!(oldest.len() > 20 && oldest.is_sorted(), "{oldest:?}");
    let asked = listed(&f, &[by("")[0]], |claim| claim.id.0);
    assert_eq!(asked.len(), oldest.len());
    let most = listed(&f, &by("most_denied"), |claim| claim.id.0);
    assert_eq!(most.len(), oldest.len());
}

#[test]
fn claims_that_wait_for_a_decision_come_by_the_day_to_ask_for_it() {
    let f = with_claims_in_cases(60);
    let place = |claim: &QueueItem| (claim.ask_on.unwrap(), claim.id.0);
    let filters = [("ask_before", "2026-04-10")];
    let mut soonest = listed(&f, &filters, place);
    assert!(soonest.len() > 20 && soonest.is_sorted(), "{soonest:?}");
    let ids: BTreeSet<_> = soonest.iter().map(|(_, id)| id).collect();
    assert!(!ids.into_iter().eq(soonest.iter().map(|(_, id)| id)), "the order of their age is the same");
    let latest = listed(&f, &[filters[0], ("order", "latest_deadline")], place);
    soonest.reverse();
    assert_eq!(soonest, latest);
}

#[test]
fn the_claims_that_pass_are_counted_up_to_a_bound() {
    let f = one(400);
    let count = |filters: &[(&str, &str)]| found(&f, &[&[("count", "true"), ("limit", "1")], filters].concat()).count;
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
    assert_eq!(found(&f, &[("payer_name", "Acme")]).count, None);
    f.db.execute("UPDATE practices SET state = 'inactive'", []).unwrap();
    assert_eq!(count(&[]), is(0, 400), "claims that the queue does not show");
}

#[test]
fn a_count_ends_at_its_bound() {
    let f = one(u32::try_from(COUNT_SCAN_MAX).unwrap() + 1_000);
    let all = found(&f, &[("count", "true"), ("limit", "1")]).count.unwrap();
    assert_eq!(all.passed, COUNT_MAX + 1);
    let none = found(&f, &[("count", "true"), ("limit", "1"), ("max_age_days", "1")]).count.unwrap();
    assert_eq!(none.scanned, COUNT_SCAN_MAX);
}

#[test]
fn a_closed_practice_has_no_cases_in_the_list_of_all() {
    let f = Fixture::with_cases(40);
    let count =
        || f.measured(&of_all(&asked::<CasesQuery>(&[("limit", "100")])).into()).0.matches("payer_name").count();
    assert_eq!(count(), 80);
    let end = "UPDATE agreements SET ended_at = 1 WHERE practice_id = (SELECT id FROM practices LIMIT 1)";
    f.db.execute(end, []).unwrap();
    assert_eq!(count(), 40);
}
