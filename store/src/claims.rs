//! Claims as billing systems send and read them, and as the practice lists them.

pub mod denials;
pub(crate) mod fills;
pub mod mismatches;
pub mod queries;
pub(crate) mod sql;
pub mod writes;
