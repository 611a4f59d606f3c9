//! Why a command ended early.

use std::fmt::Display;

/// The end of a command that did not do what it was asked for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something went wrong; the text says what, and what to do about it where that is known.
    Message(String),
    /// A command in our place failed and said why.
    Said,
    /// Somebody asked us to stop, with this signal.
    Signal(i32),
}

/// What every fallible function here answers.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self::Message(message.to_owned())
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Message(format!("{error}; `cargo xtask help` lists the options"))
    }
}

/// Adds what was being done to an error that does not say so itself.
pub(crate) trait Context<T> {
    /// Turns the error into the message "`doing`: the error".
    fn context(self, doing: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Display> Context<T> for std::result::Result<T, E> {
    fn context(self, doing: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure::Message(format!("{}: {error}", doing())))
    }
}
