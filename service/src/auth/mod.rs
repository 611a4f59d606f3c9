//! Who may make a call: API keys, API tokens and sessions, with their rights, roles and scopes.

pub mod disclosure;
pub mod key;
pub mod may;
pub mod person;
pub mod rights;
pub mod role;
pub mod scope;
pub mod session;
pub mod totp;
pub mod user_agent;
