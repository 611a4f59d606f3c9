//! Parsing and refusing requests: the body, its fields and their problems, queries, pages, idempotency keys, `If-Match`, rate
//! limits.

pub mod accept;
pub mod body;
pub mod declare;
pub mod due_place;
pub mod error;
pub mod field;
pub mod idempotency;
pub mod if_match;
pub mod limit;
pub mod open;
pub mod page;
pub mod problem;
pub mod query;
pub mod reason;
