//! Signing in by external providers, and the identities that people sign in by.

mod exchange;
pub(crate) mod identities;
pub(crate) mod oidc;
mod outcome;
pub(crate) mod providers;
mod published;
mod refused;
pub(crate) mod saml;
