//! The staff's work: claims are taken, noted about, moved along, delivered in reports and appealed in cases.
//!
//! Staff belong to no practice, so every record of theirs is named with its practice, and every row of the audit trail that
//! they leave stands in the trail of the practice that it is about.

pub mod cases;
pub mod claims;
pub mod fit;
pub mod gather;
pub mod levels;
pub mod moves;
pub mod notes;
pub mod pace;
pub mod people;
pub mod queue;
pub mod reports;
pub mod view;

#[cfg(test)]
mod tests;
