//! The program against a service that does to it whatever a network can do.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should panic"
)]

mod program;
mod refusals;
mod retries;
mod sends;
mod service;
mod statuses;
mod validates;
