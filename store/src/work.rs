//! The work of the staff: the queue, moves, notes, reports and cases.

pub(crate) mod cases;
pub mod pace;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
