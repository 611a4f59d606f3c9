//! The real statements on real SQLite with the real migrations.

mod callers;
mod counts;
mod data_keys;
mod errors;
mod fewer_rows;
mod fills;
mod inventory;
mod mismatches;
mod plans;
mod sends;
mod trail;
mod versions;

use crate::testing as fixture;
