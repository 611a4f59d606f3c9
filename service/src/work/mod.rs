//! `/api/v1/staff/…`: the staff's work.

pub(crate) mod cases;
pub(crate) mod claims;
pub(crate) mod outcomes;
pub(crate) mod patients;
pub(crate) mod reports;
