//! Statements, their parameters and their results.

use overturn_core::base::instant::Instant;
use overturn_core::request::page::Page;

/// A statement and its parameters, `?1` first.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Its SQL.
    pub sql: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// Text, JSON included.
    Text(String),
    /// A whole number below 2^53, as D1 binds every number as a double.
    Int(i64),
    /// No value.
    Null,
}

/// What a statement did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// The first column of its first row, where it read one.
    pub json: Option<String>,
    /// Rows it inserted, changed or removed.
    pub changes: usize,
}

impl Statement {
    pub(crate) fn new(sql: &'static str, params: impl Into<Vec<Param>>) -> Self {
        Self {
            sql,
            params: params.into(),
        }
    }
}

/// Text of a value, as parameter.
pub(crate) fn text(value: impl ToString) -> Param {
    Param::Text(value.to_string())
}

/// Text of a value that may be left out.
pub(crate) fn optional(value: Option<impl ToString>) -> Param {
    value.map_or(Param::Null, text)
}

/// An instant that may be left out.
pub(crate) fn instant(at: Option<Instant>) -> Param {
    at.map_or(Param::Null, |at| Param::Int(at.0))
}

/// How many.
pub(crate) fn count(number: usize) -> Param {
    Param::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Sorts behind every id, where the newest record is.
pub(crate) const BEHIND_ALL: &str = "~";

/// The parameters of a page of a list: whose list it is, the id after which the page begins, and how many rows it reads. A page
/// reads its own rows and no others, however far the list goes back.
pub(crate) fn page(whose: &str, of: Page) -> [Param; 3] {
    let after = of.after.map_or_else(|| text(BEHIND_ALL), text);
    [text(whose), after, count(of.reads())]
}

/// The JSON that the n-th statement of a batch read, `None` where it gave no row.
#[must_use]
pub fn column(done: &[Done], statement: usize) -> Option<&str> {
    done.get(statement)?.json.as_deref()
}
