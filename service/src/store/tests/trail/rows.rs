//! The content of rows, their readers, and the possible actions.

use super::{filled, noted, practice};
use crate::auth::role::Role;
use crate::plan::audit::Event;
use crate::plan::{Actor, Plan, Write};
use crate::store::tests::fixture::Fixture;
use crate::store::trail as store;
use crate::store::{Queries, Statement};
use crate::testing::people::account;
use crate::trail::{Trail, link};
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::{SessionId, UserId};
use uuid::Uuid;

#[test]
fn a_row_says_from_where_and_in_which_session_but_never_where_a_patient_was() {
    let mut f = Fixture::new();
    let user = UserId(Uuid::from_u128(1));
    for (actor, address) in [
        (Actor::User(user), Some("192.0.2.7")),
        (Actor::SigningLink(overturn_core::base::id::SigningLinkId(user.0)), None),
    ] {
        let mut plan = noted(&f, None, actor);
        let session = SessionId(Uuid::from_u128(5));
        for write in &mut plan.writes {
            let Write::Audit(entry) = write else { panic!("{write:?}") };
            entry.session_id = Some(session);
        }
        let batch = f.lower(&plan);
        f.run(&batch.statements).unwrap();
        let (found, in_session, mac): (Option<String>, String, String) =
            f.db.query_row("SELECT address, session_id, mac FROM audit WHERE actor = ?1", [actor.to_string()], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .unwrap();
        assert_eq!((found.as_deref(), in_session), (address, session.to_string()));
        assert!(mac.starts_with("1:") && mac.len() == 24, "{mac}");
    }
    let operator = noted(&f, None, Actor::Operator);
    let operator = f.lower(&operator);
    f.run(&operator.statements).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM audit WHERE actor = 'operator' AND mac IS NULL"), 1);
    let rows = f.read(&store::unlinked(Trail(None)));
    let linked = link(Trail(None), None, &rows, &f.keys.trails);
    assert_eq!((linked.rows.len(), linked.broken), (3, None));
}

#[test]
fn every_statement_of_the_trail_finds_its_rows_by_an_index() {
    let mut f = filled();
    let trail = practice(&f);
    let plan = noted(&f, trail.0, Actor::Service);
    let mut seen: Vec<Statement> = f.lower(&plan).statements;
    f.run(&seen).unwrap();
    (store::head(trail), store::rows(trail, 0, 10), store::unlinked(trail)).add_to(&mut seen);
    for statement in seen {
        // One row, the rows of a page, and the few that one person opened lately.
        let harmless = [
            "VIRTUAL TABLE",
            "CONSTANT ROW",
            "SCAN n",
            "SCAN a",
            "audit_sequence (practice_id=? AND seq>?)",
            "SEARCH o ",
            "trail_heads USING PRIMARY KEY",
            "SEARCH h USING PRIMARY KEY",
            "SCAN (subquery",
        ];
        f.assert_indexed(&statement, &harmless);
    }
}

#[test]
fn an_auditor_is_of_the_staff_and_known_as_what_they_are() {
    let mut f = Fixture::new();
    let ctx = f.ctx();
    let id = UserId(ctx.id(Purpose::Record, 0));
    let auditor = account(id, None, Role::Auditor, "a@overturn.example");
    let batch = f.lower(&Plan::of_operator(&ctx, vec![auditor]));
    f.run(&batch.statements).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM users WHERE role = 'auditor'"), 1);
    f.enrol(3);
    assert_eq!(f.count("SELECT count(*) FROM users WHERE role = 'staff'"), 1);
    let wrong = f.db.execute_batch("UPDATE users SET role = 'owner'");
    assert!(wrong.is_err());
}

/// Checks every event, and that no statement writes any other action.
#[test]
fn the_description_of_the_trail_names_every_action_and_no_other() {
    let known: Vec<&str> = Event::ALL.iter().map(|event| event.name()).collect();
    let docs = include_str!("../../../../../docs/api/settings.md");
    let (_, table) = docs.split_once("| action | record |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let mut named: Vec<&str> = table.split('`').skip(1).step_by(2).filter(|word| word.contains('.')).collect();
    let mut known = known;
    named.sort_unstable();
    known.sort_unstable();
    assert_eq!(named, known);

    let mut folders = vec![std::path::PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("tests") {
                    folders.push(path);
                }
                continue;
            }
            if path.extension().is_none_or(|end| end != "rs") || path.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            for statement in text.split("INSERT INTO audit").skip(1) {
                let statement = statement.split("\";").next().unwrap();
                for action in &known {
                    let literal = format!("'{action}'");
                    assert!(!statement.contains(&literal), "{action} in {}", path.display());
                }
                assert!(path.ends_with("records/sql.rs"), "{} writes the trail", path.display());
            }
        }
    }
}
