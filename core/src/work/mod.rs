//! The staff's work: claims are taken, annotated, moved, delivered in reports and appealed in cases.
//!
//! Staff belong to no practice. So every record is named together with its practice, and every audit row of theirs is
//! in the trail of that practice.

pub mod amount;
pub mod attached;
pub mod cases;
pub mod claims;
pub mod decision;
pub mod fit;
pub mod gather;
pub mod letter;
pub mod levels;
pub mod may;
pub mod moves;
pub mod notes;
pub mod outcomes;
pub mod pace;
pub mod patients;
pub mod people;
pub mod queue;
pub mod related;
pub mod reports;
pub mod take;
pub mod view;

#[cfg(test)]
mod tests;
