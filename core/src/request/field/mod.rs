//! The rules of a field, and the messages they give.

mod rules;
mod values;

pub use rules::*;
pub use values::*;
