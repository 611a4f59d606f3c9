//! The statements of claims on SQLite with the real migrations.

mod alarm;
mod status;
