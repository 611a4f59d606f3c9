//! The messages to a practice's endpoints: which change sends which, their bodies, their signatures, and when a message is
//! sent again. The service and the command line send the same.

pub mod message;
pub mod news;
pub mod schedule;
pub mod signature;
