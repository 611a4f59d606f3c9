//! The patient's signature: links and what was signed.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
