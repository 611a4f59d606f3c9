//! Parsing and refusing requests: the body, its fields and their problems, pages, idempotency keys, `If-Match`, rate
//! limits.

pub(crate) mod body;
pub mod denied;
pub(crate) mod field;
pub mod idempotency;
pub mod if_match;
pub mod limit;
pub mod open;
pub mod page;
pub mod problem;
