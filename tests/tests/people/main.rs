//! The wider service over HTTP: accounts, sessions and a practice's settings.
#![allow(missing_docs, reason = "tests")]

mod agreements;
mod api_keys;
mod api_tokens;
mod audit;
mod csrf;
mod invitations;
mod limits;
mod lists;
mod members;
mod owners;
mod practice;
mod settings;
mod sign_in;
