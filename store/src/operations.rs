//! What the operator's command line reads.

pub mod queries;
pub(crate) mod sql;
