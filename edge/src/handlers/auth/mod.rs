//! `/api/v1/auth`: signing in and out, second factors, the links that go out by mail, and passwords.

pub(crate) mod factors;
pub(crate) mod invitation;
pub(crate) mod links;
pub(crate) mod magic_link;
pub(crate) mod password;
pub(crate) mod session;
pub(crate) mod sessions;
