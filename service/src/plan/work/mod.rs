//! The writes about the staff's work, and the records for its decisions.

pub mod change;
pub mod claim;
pub mod moves;
