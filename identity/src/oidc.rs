//! OpenID Connect: the discovery document, the beginning of a sign-in, and ID tokens.
//!
//! `openidconnect` makes the requests and verifies signatures and claims. This module adds what the library leaves to its
//! caller: `azp`, the age of a token, the strength of keys, and a list of algorithms that is never symmetric.

mod begin;
mod claims;
mod discovery;
mod keys;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use begin::begin;
pub(crate) use discovery::describe;
pub(crate) use token::check;
