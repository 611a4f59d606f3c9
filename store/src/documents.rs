//! Documents: queries, changes, and the form of their sealed objects.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub mod stream;
pub(crate) mod writes;
