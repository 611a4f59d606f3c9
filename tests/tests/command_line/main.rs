//! The command line against the service.

mod program;
mod relay;
mod remit;
mod send;
mod words;
