//! `/api/v1/auth`: signing in and out, second factors, passkeys, mailed links, and passwords.

pub(crate) mod factors;
pub(crate) mod invitation;
pub(crate) mod magic_link;
pub(crate) mod passkeys;
pub(crate) mod password;
pub(crate) mod session;
pub(crate) mod sessions;
