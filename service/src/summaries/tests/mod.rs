//! The queries of summaries on SQLite with the real migrations.

mod counts;
mod queries;
