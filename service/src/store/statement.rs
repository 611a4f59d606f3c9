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

/// The JSON that the nth statement of a batch read, `None` if it returned no row.
#[must_use]
pub fn column(done: &[Done], statement: usize) -> Option<&str> {
    done.get(statement)?.json.as_deref()
}
