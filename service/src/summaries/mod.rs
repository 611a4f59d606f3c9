//! What the console shows at a glance: counts and sums of claims, practices, colleagues and payers. Nothing here names a
//! patient.
//!
//! A summary reads counts, and only those claims that changed within the last minute.

pub(crate) mod claims;
pub(crate) mod counting;
pub(crate) mod names;
pub(crate) mod practices;
#[cfg(test)]
mod tests;
mod today;

pub(crate) use counting::sweep;

pub use claims::{DAYS, DECISIONS_MAX};
