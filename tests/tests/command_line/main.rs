//! The command line against the service.

mod keys;
mod program;
mod relay;
mod remit;
mod send;
mod words;
