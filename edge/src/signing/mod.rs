//! The patient's signature: what staff decide (`handlers`), and the page on which the patient signs (`page`).

pub(crate) mod handlers;
pub(crate) mod page;
