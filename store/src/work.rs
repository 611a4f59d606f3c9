//! The work of the staff: the queue, moves, notes, reports and cases.

pub(crate) mod cases;
pub(crate) mod guards;
pub mod outcomes;
pub(crate) mod pace;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
