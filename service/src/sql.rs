//! SQL with named places.
//!
//! ```text
//! select!("webhooks.endpoint", "SELECT {ENDPOINT} AS json FROM …" [ENDPOINT]; caller, id).optional()
//! change
//!     .guard(abort_if!(Record, "NOT EXISTS (SELECT 1 FROM webhooks WHERE …)"; practice, id))
//!     .write(sql!("UPDATE webhooks SET url = {url} WHERE practice_id = {practice} AND id = {id}"; practice, id, url))
//! ```
//!
//! | macro | makes | its SQL |
//! | --- | --- | --- |
//! | `select!` | a [`Query`] by `.one()`, `.optional()` or `.or_default()` | only reads |
//! | `sql!` | a [`Write`](crate::plan::Write) of a change | writes; only here a value can be a [`Seal`] |
//! | `abort_if!` | a [`Guard`](crate::plan::Guard) | a condition that aborts the batch |
//! | `audit_if!` | a [`Write`](crate::plan::Write) of a row of the trail | a condition, which sees the writes before it |
//!
//! The values follow the SQL. A name in lower case stands for a value: when the text is first used, `{url}` becomes `?3`, the
//! number of its value. A name in capitals stands for a constant with SQL: [`OF_CALLER`], [`ACCOUNT_OF_CALLER`], or one that
//! is listed in brackets. The text is a constant, so a value can only be a parameter. A test prepares every text, also those
//! that no other test runs: each place has a value, each value a place, a query only reads, and every other text writes.
//!
//! [`ACCOUNT_OF_CALLER`]: text::ACCOUNT_OF_CALLER
//! [`OF_CALLER`]: text::OF_CALLER
//! [`Seal`]: crate::plan::statement::Seal

pub(crate) mod text;

use crate::request::page::Page;
use crate::store::rows::ShapeError;
use crate::store::{Query, Statement};
use overturn_core::base::param::Param;
use serde::de::DeserializeOwned;

/// A query: its name for the error if a row does not fit, and its SQL.
macro_rules! select {
    ($query:literal, $text:literal $([$($part:ident),+])? $(; $($name:ident $(= $value:expr)?),+)?) => {
        $crate::sql::Select {
            name: $query,
            statement: $crate::sql::statement!(Query, $text [$($($part),+)?]; $($($name $(= $value)?),+)?),
        }
    };
}
pub(crate) use select;

/// A write.
macro_rules! sql {
    ($text:literal $([$($part:ident),+])? $(; $($name:ident $(= $value:expr)?),+)?) => {
        crate::plan::Write::Sql(
            $crate::sql::statement!(Write, $text [$($($part),+)?]; $($($name $(= $value)?),+)?)
        )
    };
}
pub(crate) use sql;

/// A guard, which aborts the batch with a [`FailedGuard`](crate::store::error::FailedGuard) if a condition holds.
macro_rules! abort_if {
    ($failed:ident, $condition:literal $([$($part:ident),+])?; $($name:ident $(= $value:expr)?),+) => {{
        const FAILED: &str = $crate::sql::text::stored(crate::store::error::FailedGuard::$failed);
        const CONDITION: &str = $condition;
        crate::plan::Guard::Sql($crate::sql::statement!(
            Write, "INSERT INTO guards (failed) SELECT '{FAILED}' WHERE {CONDITION}" [FAILED, CONDITION $($(, $part)+)?];
            $($name $(= $value)?),+
        ))
    }};
}
pub(crate) use abort_if;

/// A write of a row of the trail, if a condition holds.
macro_rules! audit_if {
    ($entry:expr, $condition:literal $([$($part:ident),+])?; $($name:ident $(= $value:expr)?),+) => {{
        use $crate::store::records::sql::{AUDIT_IF, AUDIT_PARAMS};
        const CONDITION: &str = $condition;
        let condition = $crate::sql::statement!(
            Write, AUDIT_IF, AUDIT_PARAMS, [CONDITION $($(, $part)+)?]; $($name $(= $value)?),+
        );
        crate::plan::Write::AuditIf($entry, condition)
    }};
}
pub(crate) use audit_if;

/// A statement. A test finds its text as a `$kind`. `$before` is the number of values before these.
macro_rules! statement {
    ($kind:ident, $text:literal [$($part:ident),*]; $($name:ident $(= $value:expr)?),*) => {
        $crate::sql::statement!($kind, $text, 0, [$($part),*]; $($name $(= $value)?),*)
    };
    ($kind:ident, $text:expr, $before:expr, [$($part:ident),*]; $($name:ident $(= $value:expr)?),*) => {{
        static TEXT: $crate::sql::text::Text = $crate::sql::text::Text::new(
            $text,
            &[$((stringify!($part), $part)),*],
            &[$(stringify!($name)),*],
            $before,
        );
        #[cfg(test)]
        inventory::submit!($crate::sql::text::$kind(&TEXT));
        crate::store::Statement::new(
            TEXT.filled(),
            [$(crate::plan::statement::Bind::bind($crate::sql::value!($name $(= $value)?))),*],
        )
    }};
}
pub(crate) use statement;

/// The value of a place. A place without one has the variable of its name.
macro_rules! value {
    ($name:ident) => {
        $name
    };
    ($name:ident = $value:expr) => {
        $value
    };
}
pub(crate) use value;

/// A query whose row has no type yet.
pub(crate) struct Select {
    pub(crate) name: &'static str,
    pub(crate) statement: Statement,
}

impl Select {
    /// A function reads its row, or that there is none.
    pub(crate) fn read<T>(self, read: fn(Option<&str>) -> Result<T, ShapeError>) -> Query<T> {
        Query::new(self.name, self.statement.sql, self.statement.params, read)
    }

    /// It always returns a row.
    pub(crate) fn one<T: DeserializeOwned>(self) -> Query<T> {
        Query::one(self.name, self.statement.sql, self.statement.params)
    }

    /// It returns a row or none.
    pub(crate) fn optional<T: DeserializeOwned>(self) -> Query<Option<T>> {
        Query::optional(self.name, self.statement.sql, self.statement.params)
    }

    /// Its value is the default if it returns no row.
    pub(crate) fn or_default<T: DeserializeOwned + Default>(self) -> Query<T> {
        Query::or_default(self.name, self.statement.sql, self.statement.params)
    }
}

/// The id after which a page of a list begins.
pub(crate) fn after(page: Page) -> Param {
    crate::store::after(page.cursor)
}
