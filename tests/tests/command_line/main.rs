//! The command line against the service.

mod program;
mod relay;
mod send;
mod words;
