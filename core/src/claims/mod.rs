//! A practice's claims: sending, validation and identity, and the practice's reads.

pub mod advice;
pub mod check;
pub mod denials;
mod envelope;
pub mod identity;
pub mod intake;
pub mod status;
pub(crate) mod validate;
