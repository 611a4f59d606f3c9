//! The patient's signature: links and what was signed.

pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
