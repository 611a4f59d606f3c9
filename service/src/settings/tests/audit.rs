//! Pages of a trail with filters.

use super::trail::practice;
use crate::plan::audit::Event;
use crate::settings::audit::query::AuditQuery;
use crate::settings::audit::staff::of_staff;
use crate::settings::audit::{FoundEvents, listed, of_caller};
use crate::testing::{Fixture, claim};
use crate::trail::Trail;
use overturn_core::base::date::Date;
use overturn_core::base::instant::{DAY_MS, Instant};
use rusqlite::params;
use uuid::{Builder, Uuid};

fn everything(limit: usize) -> AuditQuery {
    AuditQuery {
        limit,
        cursor: None,
        action: None,
        actor: None,
        record: None,
        claim_number: None,
        from: None,
        to: None,
    }
}

const ACTOR: Uuid = Uuid::from_u128(0xA);
const RECORD: Uuid = Uuid::from_u128(0xB);

/// A trail of the staff with a row each hour, from the first instant of a day. Every third row is `api_key.created`, every
/// hundredth row is of `ACTOR` and about `RECORD`.
fn filled(rows: i64, detail: &str) -> (Fixture, Instant) {
    let f = Fixture::new();
    let first = Date::parse("2026-03-01").unwrap().begins();
    for n in 0..rows {
        let at = first.plus(n * DAY_MS / 24);
        let seed = n.to_be_bytes();
        let random = [0, 0, seed[0], seed[1], seed[2], seed[3], seed[4], seed[5], seed[6], seed[7]];
        let id = Builder::from_unix_timestamp_millis(at.0.unsigned_abs(), &random).into_uuid();
        let special = n % 100 == 0;
        f.db.execute(
            "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, seq)
             VALUES ('staff', ?1, ?2, ?3, ?4, ?5, 'q', ?6, ?7)",
            params![
                id.to_string(),
                at.0,
                if special { format!("user:{ACTOR}") } else { "service".into() },
                if n % 3 == 0 { "api_key.created" } else { "x.other" },
                if special { RECORD.to_string() } else { "r".into() },
                serde_json::json!({ "n": n, "text": detail }).to_string(),
                n + 1,
            ],
        )
        .unwrap();
    }
    (f, first)
}

/// All pages of a query: the numbers of the rows, and how many pages there were.
fn read_all(f: &mut Fixture, query: &AuditQuery) -> (Vec<i64>, usize) {
    let mut query = query.clone();
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let found: FoundEvents = f.read(&of_staff(&query, &[]));
        seen.extend(found.rows.iter().take(query.limit).map(|row| row.sequence - 1));
        pages += 1;
        let Some(next) = listed(&query, found).next_cursor().map(ToOwned::to_owned) else {
            return (seen, pages);
        };
        query.cursor = Some(next.parse().unwrap());
    }
}

#[test]
fn a_filter_finds_what_a_scan_of_all_rows_finds_whatever_the_page() {
    const ROWS: i64 = 2_500;
    let (mut f, first) = filled(ROWS, "");
    let newest_first = |keep: &dyn Fn(i64) -> bool| -> Vec<i64> { (0..ROWS).rev().filter(|n| keep(*n)).collect() };
    let (from, before) = (first.plus(10 * DAY_MS), first.plus(13 * DAY_MS));
    for limit in [7, 100, 1_000] {
        let all = everything(limit);
        assert_eq!(read_all(&mut f, &all).0, newest_first(&|_| true));
        let third = AuditQuery { action: Some(Event::ApiKeyCreated), ..all.clone() };
        assert_eq!(read_all(&mut f, &third).0, newest_first(&|n| n % 3 == 0));
        for special in
            [AuditQuery { actor: Some(ACTOR), ..all.clone() }, AuditQuery { record: Some(RECORD), ..all.clone() }]
        {
            let (rows, pages) = read_all(&mut f, &special);
            assert_eq!(rows, newest_first(&|n| n % 100 == 0));
            assert!(pages >= 2, "a page scans 2,000 rows at most");
        }
        let days = AuditQuery { from: Some(from), to: Some(before), ..all.clone() };
        let hours = newest_first(&|n| (240..312).contains(&n));
        assert_eq!(read_all(&mut f, &days).0, hours);
        let both = AuditQuery { action: Some(Event::ApiKeyCreated), ..days };
        let found = read_all(&mut f, &both).0;
        assert_eq!(found, newest_first(&|n| n % 3 == 0 && (240..312).contains(&n)));
    }
}

#[test]
fn a_page_that_is_too_large_for_one_value_is_shorter() {
    let detail = "\u{4fdd}\"".repeat(2_000);
    let (mut f, _) = filled(400, &detail);
    let found: FoundEvents = f.read(&of_staff(&everything(1_000), &[]));
    assert!(found.cut && found.rows.len() < 300, "{}", found.rows.len());
    let (rows, pages) = read_all(&mut f, &everything(1_000));
    assert_eq!(rows, (0..400).rev().collect::<Vec<_>>());
    assert!(pages > 1);
}

#[test]
fn a_claim_number_finds_what_was_done_with_the_claim_and_names_what_the_rows_are_about() {
    let mut f = Fixture::new();
    f.send(&claim("B-1", "11.00"), |_| {});
    f.send(&claim("B-2", "11.00"), |_| {});
    let (user, _, _) = f.enrol(1);
    let Trail(Some(of)) = practice(&f) else { panic!("a practice") };
    let id_of = |number: &str| -> String {
        let sql = "SELECT id FROM claims WHERE claim_number = ?1";
        f.db.query_row(sql, [number], |row| row.get(0)).unwrap()
    };
    let (first, other) = (id_of("B-1"), id_of("B-2"));
    let staff = Uuid::from_u128(0x57AF);
    f.db.execute_batch(&format!(
        "UPDATE users SET practice_id = '{of}', role = 'owner' WHERE id = '{user}';
         INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, ends_at, seen_at, ip, agent)
           VALUES ('{user}', 's1', 'session', 'full', 1, 1, 9, 1, '', '');
         INSERT INTO users (id, role, state, email, email_key, name, created_at)
           VALUES ('{staff}', 'staff', 'active', 's@overturn.example', 's@overturn.example', 'Sam', 1);
         INSERT INTO documents (practice_id, id, claim_id, kind, state, content_type, size, sha256, key_version, uploaded_by,
             uploaded_at)
           VALUES ('{of}', 'd1', '{first}', 'other', 'available', 'application/pdf', 1, 'x', 1, '{user}', 1);
         UPDATE claims SET case_id = 'c2', report_id = 'r1' WHERE id = '{first}';
         PRAGMA foreign_keys = OFF;
         INSERT INTO case_claims (practice_id, case_id, claim_id, joined_at)
           VALUES ('{of}', 'c1', '{first}', 1), ('{of}', 'c2', '{first}', 2);"
    ))
    .unwrap();
    let rows = [
        ("claim.read", first.as_str()),
        ("document.read", "d1"),
        ("case.opened", "c1"),
        ("case.opened", "c2"),
        ("report.delivered", "r1"),
        ("claim.read", &other),
        ("member.role_changed", &user.to_string()),
    ];
    for (n, (action, record)) in (100_i64..).zip(rows) {
        let sql = "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, seq)
                   SELECT ?1, ?2, 1, ?3, ?4, ?5, 'q', max(seq) + 1 FROM audit WHERE practice_id = ?1";
        let id = format!("ffffffff-0000-7000-8000-000000000{n}");
        let params = params![of.to_string(), id, format!("user:{staff}"), action, record];
        f.db.execute(sql, params).unwrap();
    }
    let sought = |number: Option<&str>| AuditQuery { claim_number: number.map(Into::into), ..everything(100) };
    let read =
        |f: &mut Fixture, number: Option<&str>| -> FoundEvents { f.read(&of_caller("session", &sought(number))) };
    let found = read(&mut f, Some("B-1"));
    let shown = |found: &FoundEvents| -> Vec<(String, Option<String>, Option<String>)> {
        let rows = found.rows.iter().cloned();
        let rows = rows.map(|row| (row.action, row.claim_number, row.record_name));
        rows.collect()
    };
    let of_claim = |action: &str| (action.to_owned(), Some("B-1".to_owned()), None);
    let of_many = |action: &str| (action.to_owned(), None, None);
    assert_eq!(
        shown(&found),
        [
            of_many("report.delivered"),
            of_many("case.opened"),
            of_many("case.opened"),
            of_claim("document.read"),
            of_claim("claim.read"),
            of_many("submission.received"),
        ]
    );
    let reader = &found.rows[4];
    assert_eq!((reader.is_staff, &reader.actor_name), (true, &None));
    assert!(!found.rows[5].is_staff);
    let all = shown(&read(&mut f, None));
    assert_eq!(all[1], ("claim.read".into(), Some("B-2".into()), None));
    assert!(all[0].2.is_some(), "a person has a name");
    // A number of no claim ends the search at once.
    let none = read(&mut f, Some("B-3"));
    assert_eq!((none.rows.len(), none.scanned), (0, None));
    // Without an agreement, the practice cannot read its claims.
    f.db.execute("UPDATE agreements SET ended_at = 2", []).unwrap();
    assert_eq!(read(&mut f, Some("B-1")).rows, []);
    let all = shown(&read(&mut f, None));
    assert!(all.iter().all(|(_, number, _)| number.is_none()));
}
