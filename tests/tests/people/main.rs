//! The wider service over HTTP: accounts, sessions and a practice's settings.
#![allow(missing_docs, reason = "tests")]

mod api_keys;
mod csrf;
mod invitation;
mod limits;
mod link_limits;
mod magic_link;
mod pages;
mod password;
mod sign_in;
