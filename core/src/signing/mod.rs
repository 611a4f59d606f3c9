//! The patient's signature.
//!
//! * [`staff`] decides whether one is needed.
//! * [`patient`] is the page: a [`birth`] date, a [`document`], and a [`form`] with a name or a drawing. A [`proof`] connects
//!   the steps.
//! * [`several`] decides about several claims at once.

pub mod birth;
pub mod document;
pub mod form;
pub mod patient;
pub mod proof;
pub mod several;
pub mod staff;
