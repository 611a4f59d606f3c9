//! The command line, and the crate that it calls with, against the service.

mod client;
mod keys;
mod program;
mod relay;
mod remit;
mod send;
mod words;
