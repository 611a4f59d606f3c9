//! What the console shows at a glance: counts and sums of claims, practices, colleagues and payers. Nothing here names a
//! patient.
//!
//! The batch that changes a claim keeps the counts (`edge/migrations/0001_schema.sql`), so a summary reads no claims.

pub(crate) mod claims;
pub(crate) mod names;
pub(crate) mod practices;
#[cfg(test)]
mod tests;
mod today;

pub use claims::{DAYS, DECISIONS_MAX};
