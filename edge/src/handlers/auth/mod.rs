//! `/api/v1/auth`: signing in and out, and second factors.

pub(crate) mod factors;
pub(crate) mod session;
pub(crate) mod sessions;
