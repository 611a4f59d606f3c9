//! What a plan writes of the staff's work.

pub mod appeal;
pub mod change;
