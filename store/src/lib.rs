//! The database of Overturn: SQL, rows, sealing, and how a plan becomes statements.
//!
//! The crate knows no JavaScript and no HTTP. It returns statements for a host to run: the Worker runs them on D1, the
//! tests on SQLite with the real migrations.

#[macro_use]
mod fragments;

pub mod answers;
mod auth;
pub mod claims;
mod data_key_writes;
pub mod data_keys;
pub mod documents;
pub mod error;
mod json;
pub mod keyring;
pub mod lower;
mod messages;
mod query;
mod records;
pub mod rows;
pub mod seal;
pub mod sealer;
mod statement;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod trail;
mod versions;

pub use query::{Queries, Query, RowError};
pub use statement::{Done, Param, Statement, after, column};
