//! The settings of a practice: keys, tokens, members, agreements, its data, and its audit trail.

pub(crate) mod data_job_writes;
pub mod data_jobs;
pub(crate) mod data_key_writes;
pub mod data_keys;
pub(crate) mod guards;
pub(crate) mod sql;
pub mod trail;
pub(crate) mod writes;
