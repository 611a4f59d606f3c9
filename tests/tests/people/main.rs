//! The wider service over HTTP: accounts, sessions and a practice's settings.
#![allow(missing_docs, reason = "tests")]

mod api_keys;
mod csrf;
mod limits;
mod session_store;
mod sessions;
mod sign_in;
