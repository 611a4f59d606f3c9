//! Authenticates and authorizes callers: API keys of the claims interface (`key`), sessions and API tokens (`person`).

pub(crate) mod key;
pub(super) mod person;
pub(super) mod standing;
