//! The re-seal on SQLite with the real migrations.

mod rotation;
