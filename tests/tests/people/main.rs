//! The wider service over HTTP: accounts, sessions and a practice's settings.
#![allow(missing_docs, reason = "tests")]

mod api_keys;
mod csrf;
mod limits;
mod sign_in;
