//! The statements of claims on SQLite with the real migrations.

mod alarm;
mod counts;
mod fewer_rows;
mod fills;
mod mismatches;
mod sends;
mod status;
