//! The levels of a case's appeal, counted from 1: their kinds, deadlines and outcomes.

pub(super) mod begin;
pub mod bounds;
pub(super) mod edit;
pub(super) mod settle;

pub use begin::{LevelRequest, begin, obstacles};
pub use edit::{LevelEdit, edit};
pub use settle::joined;
