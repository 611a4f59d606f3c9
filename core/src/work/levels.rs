//! The levels of a case's appeal, counted from 1: what kind each is, by when it is due, and what came of it.

pub(super) mod begin;
mod edit;
pub(super) mod settle;

pub use begin::{LevelRequest, begin, parse as parse_new};
pub use edit::{Edit, edit, parse as parse_edit};
pub use settle::joined;
