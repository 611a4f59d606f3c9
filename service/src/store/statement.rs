//! Statements, their parameters and their results.

pub use crate::plan::statement::Statement;
use overturn_core::base::instant::Instant;
pub use overturn_core::base::param::Param;
use overturn_core::base::param::Plain;

/// The result of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// The first column of its first row, if it read one.
    pub json: Option<String>,
    /// How many rows it inserted, changed or removed.
    pub changes: usize,
}

/// A value as a text parameter.
pub(crate) fn text(value: impl ToString) -> Param {
    Param::Text(value.to_string())
}

/// An optional value as a text parameter.
pub(crate) fn optional(value: Option<impl ToString>) -> Param {
    value.map_or(Param::Null, text)
}

/// An optional instant.
pub(crate) fn instant(at: Option<Instant>) -> Param {
    at.param()
}

pub(crate) fn count(number: usize) -> Param {
    number.param()
}

/// The id after which a page of a list begins. `~` sorts after every id, so a list begins with the newest record.
pub fn after(id: Option<impl ToString>) -> Param {
    id.map_or_else(|| text("~"), text)
}

/// The SQL with each parameter in a function, for a platform that clears the parameters after each run. Of a bare parameter,
/// SQLite 3.54 notes that a plan depends on whether it is 0 or 1, and plans anew once it is cleared.
#[must_use]
pub fn planned_once(sql: &str) -> String {
    let mut parts = sql.split('?');
    let mut planned = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(digits);
        planned.extend(["coalesce(?", number, ", NULL)", rest]);
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::planned_once;
    use rusqlite::{Connection, StatementStatus};

    #[test]
    fn a_statement_is_planned_once_although_its_parameters_are_cleared() {
        let sql = "SELECT a.x FROM a JOIN b ON b.x = a.y WHERE a.x = ?1 AND b.y > ?12";
        let planned = planned_once(sql);
        assert!(planned.ends_with("WHERE a.x = coalesce(?1, NULL) AND b.y > coalesce(?12, NULL)"), "{planned}");
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE a (x TEXT PRIMARY KEY, y); CREATE TABLE b (x TEXT PRIMARY KEY, y)").unwrap();
        let [bare, once] = [sql, &planned].map(|sql| {
            let mut statement = db.prepare(sql).unwrap();
            for _ in 0..5 {
                statement.raw_bind_parameter(1, "x").unwrap();
                assert!(statement.raw_query().next().unwrap().is_none());
                statement.clear_bindings();
            }
            statement.get_status(StatementStatus::RePrepare)
        });
        assert_eq!((bare, once), (4, 0), "without a repeated plan for a bare parameter, `planned_once` can go");
    }
}
