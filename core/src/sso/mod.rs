//! Signing in by external providers: OpenID Connect and SAML (docs/DECISIONS.md, Sign-in by passkeys and providers).
//!
//! The identity Worker checks what a provider signed, and returns facts. [`decide`] says what the facts allow. All that
//! it allows ends in [`crate::accounts::sign_in::passed`], as a password does.

pub mod begun;
pub mod callback;
pub mod decide;
pub mod identities;
mod newcomer;
pub mod providers;
mod refusal;
pub mod shown;
pub mod spent;

pub use refusal::{SsoAdvice, SsoRefusal};
