//! A claim before a change by staff or its patient, and its change.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
