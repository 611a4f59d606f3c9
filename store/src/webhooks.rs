//! The endpoints of practices: queries, changes, and delivery attempts.

pub mod attempts;
pub(crate) mod guards;
pub mod queries;
pub(crate) mod writes;
