//! Documents: queries, changes, and the format of their objects.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
