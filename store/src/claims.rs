//! Claims as billing systems send and read them, and as the practice lists them.

mod counts;
pub(crate) mod fills;
pub(crate) mod guards;
pub(crate) mod mismatches;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
