//! Errors of the program, for the person who runs it.

use overturn_service::store::error::DatabaseError;
use std::error::Error as Cause;
use std::fmt;

/// What went wrong, in one line.
#[derive(Debug)]
pub(crate) struct Error(String);

/// A result of the program.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Error {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Error {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self(format!("the database: {error}"))
    }
}

impl From<DatabaseError> for Error {
    fn from(error: DatabaseError) -> Self {
        Self(format!("the database: {error}"))
    }
}

impl From<lexopt::Error> for Error {
    fn from(error: lexopt::Error) -> Self {
        Self(error.to_string())
    }
}

/// Says what could not be done.
pub(crate) trait Context<T> {
    /// Puts a text before the cause.
    fn context(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Cause> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|cause| Error(format!("{}: {cause}", what())))
    }
}
