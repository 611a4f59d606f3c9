//! `/api/v1/staff/…`: the staff's work. Claims are taken, annotated, moved, delivered in reports and appealed in cases.
//!
//! Staff belong to no practice. So every statement about a record takes its practice, and every audit row of theirs is in
//! the trail of that practice. Only the queue and its like cover all practices.

pub(crate) mod amount;
mod attached;
pub(crate) mod cases;
pub(crate) mod claim;
mod colleague;
pub(crate) mod decision;
pub(crate) mod filters;
pub(crate) mod letter;
pub(crate) mod levels;
pub(crate) mod may;
pub(crate) mod moves;
pub(crate) mod named_claims;
pub(crate) mod notes;
pub(crate) mod outcomes;
pub(crate) mod patients;
pub(crate) mod queue;
pub(crate) mod related;
pub(crate) mod reports;
mod results;
mod same_patient;
mod sql;
pub(crate) mod take;
#[cfg(test)]
mod tests;
