//! People: sign-in, sessions, second factors, links, and what authorizes a request.

pub(crate) mod guards;
pub mod queries;
pub(crate) mod sql;
pub(crate) mod writes;
