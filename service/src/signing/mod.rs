//! The patient's signature.
//!
//! * [`decision`]: staff decide whether one is needed, for a claim or for several. [`link`] leads the patient to the page.
//! * [`page`]: a [`birth`] date, a [`document`], and a [`form`] with a name or a [`drawing`]. A [`proof`] connects the
//!   steps, and [`patient`] decides them.
//! * [`signature`]: staff read what was signed.

mod birth;
pub(crate) mod decision;
mod document;
mod drawing;
mod form;
pub(crate) mod link;
pub(crate) mod page;
mod patient;
mod proof;
pub(crate) mod signature;
#[cfg(test)]
mod tests;

pub use decision::{Decisions, SigningDecision, all_decided};
pub use form::{FormFields, SignatureInput};
pub use patient::{link as link_of, open};
pub use signature::Relation;
