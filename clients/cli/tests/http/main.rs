//! The program against a service with every kind of network failure.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should panic, and some measure how long a wait was"
)]

mod files;
mod first_line;
mod hooks;
mod interrupts;
mod program;
mod refusals;
mod retries;
mod rotations;
mod sends;
mod service;
mod statuses;
mod validates;
