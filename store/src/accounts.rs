//! People: their accounts, sessions, second factors and links, as several contexts change them, and the authorization of
//! requests.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;

pub use sql::ACCOUNT;

/// Whether an account `u` is its practice's last active owner, as JSON.
pub const LAST_OWNER: &str = last_owner!();
