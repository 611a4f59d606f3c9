//! One module a noun. A handler says what happens, in order; how is elsewhere.

pub(crate) mod auth;
pub(crate) mod claims;
pub(crate) mod denials;
pub(crate) mod health;
pub(crate) mod openapi;
pub(crate) mod operations;
pub(crate) mod pages;
pub(crate) mod settings;
pub(crate) mod signing;
pub(crate) mod staff;
