//! The patient's signature.
//!
//! * [`staff`] decides whether one is needed.
//! * [`patient`] is the page: a [`birth`] date, a [`document`], and a [`form`] with a name or a drawing. A [`proof`] connects
//!   the steps.

pub mod birth;
pub mod document;
pub mod form;
pub mod patient;
pub mod proof;
pub mod staff;
