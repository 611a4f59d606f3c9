//! The endpoints of practices: what is read of them, what changes them, and the attempts to deliver messages.

pub mod attempts;
pub(crate) mod guards;
pub mod queries;
pub(crate) mod writes;
