//! Sign-ins by external providers: what practices trust, and whose identities are joined to accounts.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
