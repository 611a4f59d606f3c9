//! What a request to the service says beside its claims, and how it is refused: declared bodies and queries, pages, idempotency
//! keys, `If-Match`, rate limits, addresses, and the secrets that callers hold.

pub mod accept;
pub mod csv;
pub mod declare;
pub mod domain;
pub mod due_place;
pub mod email;
pub mod error;
pub mod file_limits;
pub mod idempotency;
pub mod if_match;
pub mod json;
pub mod language;
pub mod limit;
pub mod page;
pub mod query;
pub mod reason;
pub mod secret;
pub mod weighed;
