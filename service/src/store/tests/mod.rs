//! The real statements on real SQLite with the real migrations.

mod callers;
mod data_keys;
mod errors;
mod inventory;
mod plans;
mod trail;
mod versions;

use crate::testing as fixture;
