//! The levels of a case's appeal, counted from 1: their kinds, deadlines and outcomes.

pub(crate) mod begin;
pub mod bounds;
pub(crate) mod edit;
pub(super) mod settle;

pub(super) use begin::obstacles;
pub use begin::{LevelRequest, begun};
pub use edit::{LevelEdit, level_edited};
pub(super) use settle::joined;
