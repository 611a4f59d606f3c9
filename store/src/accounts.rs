//! People: sign-in, sessions, second factors, links, and the authorization of requests.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;

pub use sql::ACCOUNT;
