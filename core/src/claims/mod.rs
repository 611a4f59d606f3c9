//! A practice's claims: sending, validation, identity and status.

pub mod advice;
pub mod check;
mod envelope;
pub mod identity;
pub mod intake;
pub mod status;
pub(crate) mod validate;
