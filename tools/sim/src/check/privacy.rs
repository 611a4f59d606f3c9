//! No patient in a log line, an email, a cache, a webhook message or an unsealed column.

use super::answers::MARK;
use crate::world::World;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

pub(crate) fn check(world: &World) -> Vec<String> {
    let mut problems = Vec::new();
    let mut look = |place: &str, text: &str| {
        if text.contains(MARK) {
            problems.push(format!("a patient is in {place}: {text}"));
        }
    };
    for line in crate::log::lines() {
        look("the log", &line);
    }
    for letter in world.platform.post.sent() {
        look("an email", &format!("{} {} {}", letter.to, letter.subject, letter.text));
    }
    for text in world.platform.bans.texts().into_iter().chain(world.platform.sessions.texts()) {
        look("a cache", &text);
    }
    for arrived in world.platform.receivers.arrived() {
        look("a webhook message", &arrived.body);
    }
    for db in world.platform.connections() {
        columns(db, &mut look).expect("the columns can be read");
    }
    problems
}

/// Looks at each value of each table.
pub(super) fn columns(db: &Connection, look: &mut dyn FnMut(&str, &str)) -> rusqlite::Result<()> {
    let mut tables =
        db.prepare_cached("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")?;
    let tables: Vec<String> = tables.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for table in tables {
        let mut rows = db.prepare_cached(&format!("SELECT * FROM {table}"))?;
        let names: Vec<String> = rows.column_names().map(str::to_owned).collect();
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            for (n, name) in names.iter().enumerate() {
                if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = row.get_ref(n)? {
                    look(&format!("{table}.{name}"), &String::from_utf8_lossy(bytes));
                }
            }
        }
    }
    Ok(())
}
