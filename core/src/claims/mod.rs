//! A practice's claims: how they are sent, checked and identified, and what the practice reads of them.

pub mod advice;
pub mod check;
pub mod denials;
mod envelope;
pub mod identity;
pub mod intake;
pub mod status;
mod validate;
