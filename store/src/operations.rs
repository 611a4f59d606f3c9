//! The operator's actions: the command line and the re-seal.

pub mod queries;
pub mod reseal;
pub(crate) mod sealed;
pub(crate) mod sql;
pub(crate) mod writes;
