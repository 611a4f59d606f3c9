//! What a plan writes of the staff's work, and the records that it is decided over.

pub mod appeal;
pub mod change;
pub mod claim;
pub mod level;
pub mod level_names;
pub mod records;
