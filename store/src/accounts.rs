//! People: their accounts, sessions, second factors and links, as several contexts change them, and the authorization of
//! requests.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;

pub use sql::ACCOUNT;
