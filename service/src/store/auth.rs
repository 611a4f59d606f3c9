//! What authorizes a request: the guards of keys, sessions, tokens and practices.

pub(crate) mod guards;
