//! The patient's signature: links and signed documents.

pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
