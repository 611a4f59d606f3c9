//! What a practice's endpoints are told, and how (interface: Events, which it leaves open).
//!
//! A [`message`] is written with the change that it tells of, one row for each endpoint that wants its kind, and told until
//! the endpoint took it or the schedule of [`attempt`] ends. [`secret`] signs it, [`address`] says where it may go.

pub mod address;
pub mod attempt;
pub mod message;
pub mod secret;
