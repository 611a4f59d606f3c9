//! `/api/v1/auth`.

pub(crate) mod sessions;
