//! The rules of a field, and the messages they give.

mod rules;
mod values;

pub(crate) use rules::*;
pub(crate) use values::*;
