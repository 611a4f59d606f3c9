//! The writes about the staff's work, and the records for its decisions.

pub mod appeal;
pub mod change;
pub mod claim;
pub mod letter;
pub mod level;
pub mod level_names;
pub mod moves;
pub mod payer_clock;
