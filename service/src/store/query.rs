//! Reading statements: SQL, parameters and row type together.

use crate::store::rows::{self, ShapeError};
use crate::store::statement::{Done, Param, Statement};
use serde::de::DeserializeOwned;
use std::slice::Iter;

/// A row does not fit the type of its query, so something else wrote it. The error names the query and holds no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the row of {query} does not fit: {source}")]
pub struct RowError {
    /// The name of the query, such as `webhooks.endpoint`.
    pub query: &'static str,
    /// What does not fit.
    pub source: ShapeError,
}

/// A statement that reads a `T`.
#[derive(Clone, Debug)]
pub struct Query<T> {
    name: &'static str,
    statement: Statement,
    read: fn(Option<&str>) -> Result<T, ShapeError>,
}

impl<T> Query<T> {
    /// A query: its name, SQL, parameters, and the function that reads its row. The function gets `None` if there is no
    /// row.
    pub fn new(
        name: &'static str,
        sql: &'static str,
        params: impl Into<Vec<Param>>,
        read: fn(Option<&str>) -> Result<T, ShapeError>,
    ) -> Self {
        Self { name, statement: Statement::new(sql, params), read }
    }

    /// The statement of the query.
    #[must_use]
    pub const fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Reads the row from the statement's result.
    ///
    /// # Errors
    ///
    /// [`RowError`] with the name of the query.
    pub fn row(&self, json: Option<&str>) -> Result<T, RowError> {
        let query = self.name;
        (self.read)(json).map_err(|source| RowError { query, source })
    }
}

impl<T> From<Query<T>> for Statement {
    fn from(query: Query<T>) -> Self {
        query.statement
    }
}

impl<T: DeserializeOwned> Query<T> {
    /// A query that always returns a row.
    pub fn one(name: &'static str, sql: &'static str, params: impl Into<Vec<Param>>) -> Self {
        Self::new(name, sql, params, |json| rows::one(json)?.ok_or(ShapeError::Missing))
    }
}

impl<T: DeserializeOwned + Default> Query<T> {
    /// A query whose value is the default if it returns no row.
    pub fn or_default(name: &'static str, sql: &'static str, params: impl Into<Vec<Param>>) -> Self {
        let read = |json: Option<&str>| Ok(rows::one(json)?.unwrap_or_default());
        Self::new(name, sql, params, read)
    }
}

impl<T: DeserializeOwned> Query<Option<T>> {
    /// A query that returns a row or none.
    pub fn optional(name: &'static str, sql: &'static str, params: impl Into<Vec<Param>>) -> Self {
        Self::new(name, sql, params, |json| rows::one(json))
    }
}

/// Queries that are read in one batch: a [`Query`], or a tuple, an `Option` or a `Vec` of queries.
pub trait Queries {
    /// The type of their rows, in the same shape.
    type Rows;

    fn add_to(&self, batch: &mut Vec<Statement>);

    /// Reads the rows from the statements' results, in the same order.
    ///
    /// # Errors
    ///
    /// [`RowError`] of the first query whose row does not fit.
    fn rows(&self, done: &mut Iter<'_, Done>) -> Result<Self::Rows, RowError>;
}

impl<T> Queries for Query<T> {
    type Rows = T;

    fn add_to(&self, batch: &mut Vec<Statement>) {
        batch.push(self.statement.clone());
    }

    fn rows(&self, done: &mut Iter<'_, Done>) -> Result<T, RowError> {
        self.row(done.next().and_then(|done| done.json.as_deref()))
    }
}

impl<Q: Queries> Queries for &Q {
    type Rows = Q::Rows;

    fn add_to(&self, batch: &mut Vec<Statement>) {
        (*self).add_to(batch);
    }

    fn rows(&self, done: &mut Iter<'_, Done>) -> Result<Q::Rows, RowError> {
        (*self).rows(done)
    }
}

impl<Q: Queries> Queries for Option<Q> {
    type Rows = Option<Q::Rows>;

    fn add_to(&self, batch: &mut Vec<Statement>) {
        self.iter().for_each(|queries| queries.add_to(batch));
    }

    fn rows(&self, done: &mut Iter<'_, Done>) -> Result<Self::Rows, RowError> {
        self.as_ref().map(|queries| queries.rows(done)).transpose()
    }
}

impl<Q: Queries> Queries for Vec<Q> {
    type Rows = Vec<Q::Rows>;

    fn add_to(&self, batch: &mut Vec<Statement>) {
        self.iter().for_each(|queries| queries.add_to(batch));
    }

    fn rows(&self, done: &mut Iter<'_, Done>) -> Result<Self::Rows, RowError> {
        self.iter().map(|queries| queries.rows(done)).collect()
    }
}

/// A tuple of queries reads a tuple of rows.
macro_rules! tuple {
    ($($part:ident)*) => {
        #[expect(
            non_snake_case,
            reason = "the names of types serve as names of values"
        )]
        impl<$($part: Queries),*> Queries for ($($part,)*) {
            type Rows = ($($part::Rows,)*);

            fn add_to(&self, batch: &mut Vec<Statement>) {
                let ($($part,)*) = self;
                $($part.add_to(batch);)*
            }

            fn rows(&self, done: &mut Iter<'_, Done>) -> Result<Self::Rows, RowError> {
                let ($($part,)*) = self;
                Ok(($($part.rows(done)?,)*))
            }
        }
    };
}

tuple!(A B);
tuple!(A B C);
tuple!(A B C D);

impl Queries for () {
    type Rows = ();

    fn add_to(&self, _: &mut Vec<Statement>) {}

    fn rows(&self, _: &mut Iter<'_, Done>) -> Result<(), RowError> {
        Ok(())
    }
}

/// A plain statement reads its JSON.
impl Queries for Statement {
    type Rows = Option<String>;

    fn add_to(&self, batch: &mut Vec<Statement>) {
        batch.push(self.clone());
    }

    fn rows(&self, done: &mut Iter<'_, Done>) -> Result<Option<String>, RowError> {
        Ok(done.next().and_then(|done| done.json.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Queries, Query};
    use crate::store::statement::Done;

    fn done(json: &str) -> Done {
        Done { json: Some(json.to_owned()), changes: 0 }
    }

    type Text = Query<Option<String>>;

    fn queries() -> (Query<Option<u8>>, Option<Query<u8>>, Vec<Text>) {
        let text = Query::optional("test.text", "SELECT 3", []);
        (
            Query::optional("test.maybe", "SELECT 1", []),
            Some(Query::one("test.number", "SELECT 2", [])),
            vec![text.clone(), text],
        )
    }

    #[test]
    fn rows_come_in_the_shape_of_their_queries() {
        let queries = queries();
        let mut batch = Vec::new();
        queries.add_to(&mut batch);
        let sql: Vec<&str> = batch.iter().map(|statement| statement.sql).collect();
        assert_eq!(sql, ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 3"]);
        let all = [Done::default(), done("2"), done("\"a\""), Done::default()];
        let rows = queries.rows(&mut all.iter()).unwrap();
        assert_eq!(rows, (None, Some(2), vec![Some("a".to_owned()), None]));
    }

    #[test]
    fn a_row_that_does_not_fit_names_its_query_and_repeats_no_value() {
        let all = [done("1"), done("\"Jane Doe\"")];
        let error = queries().rows(&mut all.iter()).unwrap_err();
        let said = "the row of test.number does not fit: a value of another type at line 1, column 10";
        assert_eq!(error.to_string(), said);
        let absent = [done("1")];
        let error = queries().rows(&mut absent.iter()).unwrap_err();
        let said = "the row of test.number does not fit: there is no row";
        assert_eq!(error.to_string(), said, "a query that always gives a row");
    }
}
