//! The real statements on real SQLite with the real migrations.

mod faults;
mod fixture;
mod rotation;
mod sends;
