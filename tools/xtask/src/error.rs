//! Why a command ended early.

use std::fmt::Display;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The text says what went wrong and, if known, how to fix it.
    Message(String),
    /// A command that ran for us failed and printed the reason.
    Said,
    /// A signal asked us to stop.
    Signal(i32),
}

/// The result of every fallible function here.
pub(crate) type Result<T = ()> = std::result::Result<T, CommandError>;

impl From<String> for CommandError {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

impl From<&str> for CommandError {
    fn from(message: &str) -> Self {
        Self::Message(message.to_owned())
    }
}

impl From<lexopt::Error> for CommandError {
    fn from(error: lexopt::Error) -> Self {
        Self::Message(format!("{error}; `cargo xtask help` lists the options"))
    }
}

/// Adds a description of the action to an error.
pub(crate) trait Context<T> {
    /// Turns the error into the message "`doing`: the error".
    fn context(self, doing: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Display> Context<T> for std::result::Result<T, E> {
    fn context(self, doing: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| CommandError::Message(format!("{}: {error}", doing())))
    }
}
