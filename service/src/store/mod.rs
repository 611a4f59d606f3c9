//! SQL that several contexts share, rows, sealing, and how a plan becomes statements.
//!
//! It knows no HTTP. It returns statements for a host to run: the Worker runs them on D1, the
//! tests on SQLite with the real migrations.

#[macro_use]
mod fragments;

pub mod answers;
mod auth;
pub(crate) mod data_key_writes;
pub mod data_keys;
pub mod documents;
pub mod error;
pub(crate) mod json;
pub mod keyring;
pub mod lower;
pub(crate) mod messages;
pub mod own_cell;
mod query;
pub(crate) mod records;
pub mod rows;
pub mod seal;
pub mod sealer;
mod statement;
#[cfg(test)]
mod tests;
pub mod trail;
mod versions;

pub use query::{Queries, Query, RowError};
pub use statement::{Done, Param, Statement, after, planned_once};
