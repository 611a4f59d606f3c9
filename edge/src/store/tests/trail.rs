//! The audit trail: append only for every statement, numbered, and chained.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

use super::fixture::{BOTH_KEYS, Fixture, batch, claim};
use crate::keyring::Keyring;
use crate::store::fault::{Fault, Guard as Failed};
use crate::store::sql::sealed;
use crate::store::{Statement, trail as store};
use overturn_core::account::{NewUser, UserState};
use overturn_core::audit::{Entry, Event};
use overturn_core::ctx::{Instant, Purpose};
use overturn_core::id::{ClaimId, PracticeId, SessionId, UserId};
use overturn_core::identity::KeyVersion;
use overturn_core::plan::{Actor, Guard, Pace, Plan, Write};
use overturn_core::role::Role;
use overturn_core::session::{NewSession, Place as From, SessionKind};
use overturn_core::trail::{Broken, Checked, Place, Trail, Why, finish, link, verify};
use rusqlite::types::Value;
use uuid::Uuid;

fn practice(f: &Fixture) -> Trail {
    let id: String =
        f.db.query_row(
            "SELECT id FROM practices ORDER BY name LIMIT 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    Trail(Some(PracticeId(id.parse().unwrap())))
}

/// Links one page, and says where it stops.
fn link_page(f: &mut Fixture, trail: Trail) -> Option<Broken> {
    let read = f
        .run(&[store::head(trail), store::unlinked(trail)])
        .unwrap();
    let head = store::read_head(read[0].json.as_deref()).unwrap();
    let rows = store::read_rows(read[1].json.as_deref()).unwrap();
    let linked = link(trail, head.as_ref(), &rows, &f.keys.trails);
    f.run(&store::link(trail, &linked)).unwrap();
    linked.broken
}

fn check(f: &mut Fixture, trail: Trail) -> (usize, Option<Broken>) {
    let mut checked = Checked::behind(Place::start());
    loop {
        let page = store::rows(trail, checked.place.sequence, 3);
        let read = f.run(&[page, store::head(trail)]).unwrap();
        let rows = store::read_rows(read[0].json.as_deref()).unwrap();
        let head = store::read_head(read[1].json.as_deref()).unwrap();
        verify(trail, &mut checked, &rows, Some(&f.keys.trails));
        if let Some(broken) = checked.broken {
            return (checked.rows, Some(broken));
        }
        if rows.is_empty() || checked.is_end {
            let broken = finish(trail, &checked, head.as_ref(), Some(&f.keys.trails));
            return (checked.rows, broken);
        }
    }
}

fn why(found: (usize, Option<Broken>)) -> (i64, Why) {
    let broken = found.1.unwrap();
    (broken.sequence, broken.reason)
}

/// A plan of a person with a row of the trail, from an address.
fn noted(f: &Fixture, practice: Option<PracticeId>, actor: Actor) -> Plan<'static> {
    let ctx = f.ctx();
    let entry = Entry::new(&ctx, 0, practice, Event::ClaimRead, "x");
    Plan {
        guards: Vec::new(),
        actor,
        at: ctx.now,
        request_id: ctx.request_id,
        from: Some("192.0.2.7".into()),
        writes: vec![Write::Audit(entry)],
    }
}

/// Every row of every table that is append only, in a database with some of each.
fn filled() -> Fixture {
    let mut f = Fixture::new();
    f.send(&batch(0..2), |_| {});
    f.send(&claim("B-1", "11.00"), |_| {});
    let (user, _, _) = f.enrol(1);
    let trail = practice(&f);
    let (of, id) = (trail.to_string(), "i");
    let claim: String =
        f.db.query_row("SELECT id FROM claims LIMIT 1", [], |row| row.get(0))
            .unwrap();
    let rows = format!(
        "INSERT INTO claim_notes VALUES ('{of}', '{claim}', '{id}', 1, '{user}', 1, 'x');
         INSERT INTO signatures VALUES ('{of}', '{claim}', '{id}', 'l', 1, 1, 'x');
         INSERT INTO reports VALUES ('{of}', '{id}', 1, '{user}');
         INSERT INTO report_claims VALUES ('{of}', '{id}', '{claim}');"
    );
    f.db.execute_batch(&rows).unwrap();
    assert_eq!(link_page(&mut f, trail), None);
    f
}

const TABLES: [(&str, &str); 9] = [
    ("audit", "practice_id, id"),
    ("claim_events", "practice_id, claim_id, version"),
    ("claim_notes", "practice_id, claim_id, id"),
    ("signatures", "practice_id, claim_id, id"),
    ("submissions", "practice_id, id"),
    ("agreements", "practice_id, id"),
    ("reports", "practice_id, id"),
    ("report_claims", "practice_id, report_id, claim_id"),
    ("trail_heads", "practice_id"),
];

fn dump(f: &Fixture, table: &str) -> Vec<Vec<Value>> {
    let mut read = f.db.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let columns = read.column_count();
    let rows = read.query_map([], |row| (0..columns).map(|n| row.get(n)).collect());
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn no_statement_changes_or_removes_what_is_append_only() {
    let f = filled();
    for (table, key) in TABLES {
        let before = dump(&f, table);
        assert!(!before.is_empty(), "{table}");
        let mut columns =
            f.db.prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))
                .unwrap();
        let columns: Vec<String> = columns
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let names = columns.join(", ");
        // Every column but those of the key with another value, whatever its type.
        let other: Vec<String> = columns
            .iter()
            .map(|name| match name.as_str() {
                name if key.split(", ").any(|part| part == name) => name.to_owned(),
                "at" | "signed_at" | "received_at" | "delivered_at" | "ended_at"
                | "key_version" | "version" => format!("ifnull({name}, 0) + 1"),
                // A head that would come behind, and a row that takes another's number.
                "seq" => "seq - 1".to_owned(),
                name => format!("ifnull({name}, '') || 'x'"),
            })
            .collect();
        let other = other.join(", ");
        let first = columns.first().unwrap();
        let mut attempts = vec![
            format!("DELETE FROM {table}"),
            format!("REPLACE INTO {table} ({names}) SELECT {other} FROM {table}"),
            format!("INSERT OR REPLACE INTO {table} ({names}) SELECT {other} FROM {table}"),
            format!(
                "INSERT INTO {table} ({names}) SELECT {other} FROM {table} WHERE true ON CONFLICT ({key}) DO UPDATE SET {first} = 'x'"
            ),
            format!("UPDATE OR REPLACE {table} SET {first} = 'x'"),
        ];
        for column in &columns {
            let resealed = ["claim_notes", "signatures"].contains(&table)
                && ["key_version", "sealed"].contains(&column.as_str());
            // The end of an agreement, once, and the MAC of a head under another key.
            let once = table == "agreements" && column == "ended_at"
                || table == "trail_heads" && ["key_version", "mac"].contains(&column.as_str());
            if !resealed && !once {
                let value = if column == "seq" { "seq - 1" } else { "7" };
                attempts.push(format!("UPDATE {table} SET {column} = {value}"));
            }
        }
        for attempt in attempts {
            // What triggers let pass must change nothing.
            let _refused = f.db.execute_batch(&attempt);
            assert_eq!(dump(&f, table), before, "{attempt}");
        }
    }
}

#[test]
fn an_agreement_ends_once_and_what_is_sealed_can_be_sealed_anew() {
    let f = filled();
    f.db.execute_batch("UPDATE agreements SET ended_at = 5; UPDATE agreements SET ended_at = 5")
        .unwrap();
    for later in ["6", "NULL"] {
        let again =
            f.db.execute_batch(&format!("UPDATE agreements SET ended_at = {later}"));
        assert!(again.unwrap_err().to_string().contains("append only"));
    }
    for table in ["claim_notes", "signatures"] {
        f.db.execute_batch(&format!("UPDATE {table} SET key_version = 2, sealed = 'y'"))
            .unwrap();
        assert_eq!(
            f.count(&format!("SELECT count(*) FROM {table} WHERE sealed = 'y'")),
            1
        );
    }
}

#[test]
fn rows_are_numbered_without_a_gap_also_by_the_worker_from_before_and_in_batches_that_run_twice() {
    let mut f = Fixture::new();
    for n in 0..3 {
        // Each batch runs twice in the fixture.
        f.send(&batch(n..n + 2), |_| {});
    }
    let trail = practice(&f);
    let before = format!(
        "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id)
         VALUES ('{trail}', '1', 1, 'operator', 'x', 'x', 'x') ON CONFLICT (practice_id, id) DO NOTHING"
    );
    f.db.execute_batch(&before).unwrap();
    f.db.execute_batch(&before).unwrap();
    f.send(&batch(9..10), |_| {});
    let of = format!("FROM audit WHERE practice_id = '{trail}'");
    let count = f.count(&format!("SELECT count(*) {of}"));
    assert_eq!(count, 5);
    assert_eq!(
        f.count(&format!(
            "SELECT count(DISTINCT seq) {of} AND seq BETWEEN 1 AND 5"
        )),
        5
    );
    for wrong in ["7", "5", "0", "-1"] {
        let insert = format!(
            "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, seq)
             VALUES ('{trail}', '2', 1, 'operator', 'x', 'x', 'x', {wrong})"
        );
        assert!(f.db.execute_batch(&insert).is_err(), "{wrong}");
    }
    assert_eq!(link_page(&mut f, trail), None);
    assert_eq!(check(&mut f, trail), (5, None));
}

#[test]
fn rows_from_before_the_chain_are_numbered_in_their_order_and_linked() {
    let mut f = Fixture::before("0004_trail.sql");
    f.db.execute_batch(
        "INSERT INTO audit (practice_id, id, at, actor, action, record, request_id) VALUES
           ('staff', 'b', 1, 'operator', 'x', 'x', 'x'), ('staff', 'a', 1, 'operator', 'x', 'x', 'x'),
           ('staff', 'c', 1, 'operator', 'x', 'x', 'x')",
    )
    .unwrap();
    f.migrate("0004_trail.sql");
    let trail = Trail(None);
    let order =
        "SELECT group_concat(id || seq, ' ') = 'a1 b2 c3' FROM (SELECT * FROM audit ORDER BY seq)";
    assert_eq!(f.count(order), 1);
    assert_eq!(link_page(&mut f, trail), None);
    assert_eq!(check(&mut f, trail), (3, None));
}

#[test]
fn what_is_changed_behind_the_triggers_is_found() {
    for (change, found) in [
        (
            "UPDATE audit SET record = 'y' WHERE seq = 2",
            (2, Why::Forged),
        ),
        (
            "UPDATE audit SET record = 'y', mac = NULL WHERE seq = 2",
            (3, Why::Changed),
        ),
        (
            "UPDATE audit SET address = '198.51.100.9' WHERE seq = 1",
            (1, Why::Forged),
        ),
        ("DELETE FROM audit WHERE seq = 2", (2, Why::Missing)),
        ("DELETE FROM audit WHERE seq = 4", (4, Why::Missing)),
        (
            "DELETE FROM audit WHERE seq = 4; UPDATE trail_heads SET seq = 3",
            (3, Why::HeadChanged),
        ),
        ("DELETE FROM trail_heads", (4, Why::HeadChanged)),
        (
            "UPDATE audit SET previous = NULL WHERE seq = 3",
            (3, Why::Changed),
        ),
    ] {
        let mut f = Fixture::new();
        for n in 0..4 {
            f.send(&batch(n..n + 1), |_| {});
        }
        let trail = practice(&f);
        assert_eq!(link_page(&mut f, trail), None);
        assert_eq!(check(&mut f, trail), (4, None), "{change}");
        f.drop_triggers();
        f.db.execute_batch(change).unwrap();
        assert_eq!(why(check(&mut f, trail)), found, "{change}");
    }
}

#[test]
fn a_row_that_is_changed_or_made_up_before_it_is_linked_is_not_linked() {
    let mut f = Fixture::new();
    for n in 0..3 {
        f.send(&batch(n..n + 1), |_| {});
    }
    let trail = practice(&f);
    f.drop_triggers();
    f.db.execute_batch("UPDATE audit SET actor = 'user:1' WHERE seq = 2")
        .unwrap();
    let broken = link_page(&mut f, trail).unwrap();
    assert_eq!((broken.sequence, broken.reason), (2, Why::Forged));
    assert_eq!(f.count("SELECT seq FROM trail_heads"), 1);
    // Again and again, until somebody has looked.
    assert_eq!(link_page(&mut f, trail), Some(broken));
}

#[test]
fn linking_that_stops_halfway_goes_on_and_two_who_link_at_once_agree() {
    let mut f = Fixture::new();
    for n in 0..5 {
        f.send(&batch(n..n + 1), |_| {});
    }
    let trail = practice(&f);
    let read = f.run(&[store::unlinked(trail)]).unwrap();
    let rows = store::read_rows(read[0].json.as_deref()).unwrap();
    let short = link(trail, None, &rows[..2], &f.keys.trails);
    let long = link(trail, None, &rows, &f.keys.trails);
    // The one that saw more commits first. The other changes nothing, and moves no head back.
    f.run(&store::link(trail, &long)).unwrap();
    f.run(&store::link(trail, &short)).unwrap();
    assert_eq!(f.count("SELECT seq FROM trail_heads"), 5);
    assert_eq!(check(&mut f, trail), (5, None));

    let mut f = Fixture::new();
    for n in 0..5 {
        f.send(&batch(n..n + 1), |_| {});
    }
    let trail = practice(&f);
    let short = short_of(&mut f, trail, 2);
    f.run(&store::link(trail, &short)).unwrap();
    assert_eq!(check(&mut f, trail), (2, None));
    assert_eq!(link_page(&mut f, trail), None);
    assert_eq!(check(&mut f, trail), (5, None));
}

fn short_of(f: &mut Fixture, trail: Trail, count: usize) -> overturn_core::trail::Linked {
    let read = f.run(&[store::unlinked(trail)]).unwrap();
    let rows = store::read_rows(read[0].json.as_deref()).unwrap();
    link(trail, None, &rows[..count], &f.keys.trails)
}

#[test]
fn trails_that_are_behind_are_found_and_heads_come_under_a_new_key() {
    let mut f = Fixture::new();
    f.send(&batch(0..1), |_| {});
    let trail = practice(&f);
    let noted = noted(&f, None, Actor::Service);
    let staff = f.lower(&noted);
    f.run(&staff.statements).unwrap();
    let behind = |f: &mut Fixture, after: &str| -> Vec<String> {
        let read = f.run(&[store::behind(after)]).unwrap();
        serde_json::from_str(read[0].json.as_deref().unwrap()).unwrap()
    };
    assert_eq!(behind(&mut f, ""), [trail.to_string(), "staff".into()]);
    assert_eq!(behind(&mut f, &trail.to_string()), ["staff"]);
    for trail in [trail, Trail(None)] {
        assert_eq!(link_page(&mut f, trail), None);
    }
    assert!(behind(&mut f, "").is_empty());

    f.keys = Keyring::parse(BOTH_KEYS).ok().unwrap();
    let current = f.keys.trails.current().unwrap();
    assert_eq!(current, KeyVersion(2));
    let read = f.run(&[store::old_heads(current)]).unwrap();
    let renewed = store::renew(read[0].json.as_deref(), &f.keys.trails).unwrap();
    f.run(&renewed).unwrap();
    assert_eq!(
        f.count("SELECT count(*) FROM trail_heads WHERE key_version = 2"),
        2
    );
    assert_eq!(check(&mut f, trail), (1, None));
    // A head that nobody made under the old key is not made right by a new one.
    f.drop_triggers();
    f.db.execute_batch("UPDATE trail_heads SET digest = 'x', key_version = 1")
        .unwrap();
    let read = f.run(&[store::old_heads(current)]).unwrap();
    let renewed = store::renew(read[0].json.as_deref(), &f.keys.trails).unwrap();
    assert_eq!(renewed, Vec::new());
}

#[test]
fn a_row_says_from_where_and_in_which_session_but_never_where_a_patient_was() {
    let mut f = Fixture::new();
    let user = UserId(Uuid::from_u128(1));
    for (actor, address) in [
        (Actor::User(user), Some("192.0.2.7")),
        (
            Actor::SigningLink(overturn_core::id::SigningLinkId(user.0)),
            None,
        ),
    ] {
        let mut plan = noted(&f, None, actor);
        let session = SessionId(Uuid::from_u128(5));
        plan.guards = vec![Guard::Session(user, session)];
        let batch = f.lower(&plan);
        // Without the guard, since there is no such session.
        f.run(&[batch.statements.last().cloned().unwrap()]).unwrap();
        let (found, in_session, mac): (Option<String>, String, String) =
            f.db.query_row(
                "SELECT address, session_id, mac FROM audit WHERE actor = ?1",
                [actor.to_string()],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .unwrap();
        assert_eq!(
            (found.as_deref(), in_session),
            (address, session.to_string())
        );
        assert!(mac.starts_with("1:") && mac.len() == 24, "{mac}");
    }
    let operator = noted(&f, None, Actor::Operator);
    let operator = f.lower(&operator);
    f.run(&operator.statements).unwrap();
    assert_eq!(
        f.count("SELECT count(*) FROM audit WHERE actor = 'operator' AND mac IS NULL"),
        1
    );
    assert_eq!(link_page(&mut f, Trail(None)), None);
    assert_eq!(check(&mut f, Trail(None)), (3, None));
}

#[test]
fn every_statement_of_the_trail_finds_its_rows_by_an_index() {
    let mut f = filled();
    let trail = practice(&f);
    let plan = noted(&f, trail.0, Actor::Service);
    let mut seen: Vec<Statement> = f.lower(&plan).statements;
    f.run(&seen).unwrap();
    seen.extend([
        store::head(trail),
        store::rows(trail, 0, 10),
        store::unlinked(trail),
    ]);
    let linked = short_of(&mut f, trail, 1);
    seen.extend(store::link(trail, &linked));
    seen.extend([
        store::of_staff(overturn_core::page::Page {
            limit: 5,
            after: None,
        }),
        store::auditors(),
    ]);
    let claim: String =
        f.db.query_row("SELECT id FROM claims LIMIT 1", [], |row| row.get(0))
            .unwrap();
    let claim = ClaimId(claim.parse().unwrap());
    let pace = Pace {
        user_id: UserId(Uuid::nil()),
        session_id: SessionId(Uuid::nil()),
        limit: 60,
        window_ms: 3_600_000,
    };
    let practice = trail.0.unwrap();
    let plan = Plan {
        guards: vec![
            Guard::Patients(pace, practice, claim),
            Guard::NotAlerted(pace.user_id, pace.session_id),
        ],
        writes: vec![
            Write::PatientOpened(pace, practice, claim),
            Write::PatientsAlerted(pace.user_id, pace.session_id),
        ],
        ..noted(&f, trail.0, Actor::Service)
    };
    seen.extend(f.lower(&plan).statements);
    for statement in seen {
        // One row, the rows of a page, and the few that one person opened lately.
        let harmless = [
            "VIRTUAL TABLE",
            "CONSTANT ROW",
            "SCAN f",
            "SCAN n",
            "SCAN a",
            "audit_sequence (practice_id=? AND seq>?)",
            "SEARCH o ",
            "trail_heads USING PRIMARY KEY",
            "SEARCH h USING PRIMARY KEY",
            "SCAN (subquery",
            "USING INDEX users_auditors",
        ];
        f.assert_indexed(&statement, &harmless);
    }
}

/// A person of the staff with a session whose second factor was shown at an instant.
fn member(f: &mut Fixture, n: u8, verified_at: Instant) -> Pace {
    let (user_id, _, _) = f.enrol(n);
    let ctx = f.ctx();
    let session_id = SessionId(ctx.id(Purpose::Record, 9));
    let session = NewSession {
        id: session_id,
        user_id,
        hash: session_id.to_string(),
        kind: SessionKind::Full,
        epoch: 1,
        created_at: ctx.now,
        verified_at: Some(verified_at),
        place: From::default(),
    };
    let batch = f.lower(&Plan::of_operator(&ctx, vec![Write::Session(session)]));
    f.run(&batch.statements).unwrap();
    Pace {
        user_id,
        session_id,
        limit: 2,
        window_ms: 3_600_000,
    }
}

#[test]
fn no_more_patients_are_opened_than_the_bound_lets_through_until_the_second_factor_is_shown() {
    let mut f = Fixture::new();
    let other = |n: u32| batch(n..n + 1).replace("\"Doe\"", &format!("\"Doe{n}\""));
    for n in 0..4 {
        f.send(&other(n), |_| {});
    }
    // Another claim of the first patient.
    f.send(&batch(7..8).replace("\"Doe\"", "\"Doe0\""), |_| {});
    let practice = practice(&f).0.unwrap();
    let claim = |f: &Fixture, number: &str| {
        let sql = "SELECT id FROM claims WHERE claim_number = ?1";
        let id: String = f.db.query_row(sql, [number], |row| row.get(0)).unwrap();
        ClaimId(id.parse().unwrap())
    };
    let now = f.ctx().now;
    let pace = member(&mut f, 1, now.plus(-10));
    let open = |f: &mut Fixture, number: &str, later: i64| {
        let claim = claim(f, number);
        let plan = Plan {
            guards: vec![Guard::Patients(pace, practice, claim)],
            at: now.plus(later),
            ..noted(f, Some(practice), Actor::User(pace.user_id))
        };
        let mut plan = plan;
        plan.writes
            .push(Write::PatientOpened(pace, practice, claim));
        let batch = f.lower(&plan);
        f.run(&batch.statements).map(|_| ())
    };
    let refused = Err(Fault::Conflict(Failed::Patients));
    assert_eq!(open(&mut f, "B-0", 0), Ok(()));
    assert_eq!(open(&mut f, "B-1", 1), Ok(()));
    assert_eq!(open(&mut f, "B-2", 2), refused);
    // What was opened may be opened again, and so may another claim of the same patient.
    assert_eq!(open(&mut f, "B-0", 3), Ok(()));
    assert_eq!(open(&mut f, "B-7", 4), Ok(()));
    assert_eq!(open(&mut f, "B-2", 5), refused);
    // The first of the window leave it.
    assert_eq!(open(&mut f, "B-2", 3_600_002), Ok(()));
    assert_eq!(open(&mut f, "B-3", 3_600_003), refused);
    f.db.execute_batch(&format!(
        "UPDATE sessions SET verified_at = {}",
        now.0 + 3_600_004
    ))
    .unwrap();
    assert_eq!(open(&mut f, "B-3", 3_600_005), Ok(()));
    assert_eq!(open(&mut f, "B-0", 3_600_006), Ok(()));
    assert_eq!(open(&mut f, "B-1", 3_600_007), refused);
    assert_eq!(f.count("SELECT count(*) FROM guards"), 0);
}

#[test]
fn an_auditor_is_of_the_staff_and_known_as_what_they_are() {
    let mut f = Fixture::new();
    let ctx = f.ctx();
    let id = UserId(ctx.id(Purpose::Record, 0));
    let user = NewUser {
        id,
        practice_id: None,
        role: Role::Auditor,
        state: UserState::Active,
        email: "a@overturn.example".into(),
        email_key: "a@overturn.example".into(),
        name: String::new(),
        password_hash: None,
        created_at: ctx.now,
    };
    let batch = f.lower(&Plan::of_operator(&ctx, vec![Write::User(user)]));
    f.run(&batch.statements).unwrap();
    let read = f
        .run(&[crate::store::load::account_of_address("a@overturn.example")])
        .unwrap();
    assert!(
        read[0]
            .json
            .as_deref()
            .unwrap()
            .contains(r#""role":"auditor""#)
    );
    let read = f.run(&[store::auditors()]).unwrap();
    assert_eq!(read[0].json.as_deref(), Some(r#"["a@overturn.example"]"#));
    f.enrol(3);
    assert_eq!(
        f.count("SELECT count(*) FROM users WHERE role = 'staff' AND auditor = 0"),
        1
    );
    let wrong =
        f.db.execute_batch("UPDATE users SET auditor = 1, role = 'owner'");
    assert!(wrong.is_err());
}

/// What the trail can say: every event of core, and no statement writes an action of its own.
#[test]
fn the_description_of_the_trail_names_every_action_and_no_other() {
    let known: Vec<&str> = Event::ALL.iter().map(|event| event.name()).collect();
    for table in sealed::TABLES {
        assert!(known.contains(&table.event), "{}", table.event);
    }
    let docs = include_str!("../../../../docs/accounts.yaml");
    let begin = docs.find("| action | record |").unwrap();
    let table = &docs[begin..];
    let table = &table[..table.find("\n\n").unwrap()];
    let mut named: Vec<&str> = table
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| word.contains('.'))
        .collect();
    let mut known = known;
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/store");
    let mut folders = vec![std::path::PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("tests") {
                    folders.push(path);
                }
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for statement in text.split("INSERT INTO audit").skip(1) {
                let end = statement.find("\";").unwrap_or(statement.len());
                for action in &known {
                    let literal = format!("'{action}'");
                    assert!(
                        !statement[..end].contains(&literal),
                        "{action} in {}",
                        path.display()
                    );
                }
                assert!(
                    path.ends_with("sql/trail.rs"),
                    "{} writes the trail",
                    path.display()
                );
            }
        }
    }
}
