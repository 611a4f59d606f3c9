//! Signing in by external providers: OpenID Connect and SAML (docs/DECISIONS.md, Sign-in by passkeys and providers), and
//! the identities that people sign in by.
//!
//! The identity Worker checks what a provider signed, and returns facts. [`decide`] says what the facts allow. All that
//! it allows ends in `sign_in::passed`, as a password does.

mod callback;
mod decide;
mod exchange;
pub(crate) mod identities;
mod newcomer;
pub(crate) mod oidc;
mod outcome;
mod place;
pub(crate) mod providers;
mod published;
mod refusal;
mod refused;
pub(crate) mod saml;
mod shown;
mod spent;
#[cfg(test)]
mod tests;
pub(crate) mod waiting;

pub use waiting::SeenIdentity;
