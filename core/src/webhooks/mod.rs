//! Webhooks: a practice's endpoints, the messages that go to them and their attempts (interface: Events, which it
//! leaves open).
//!
//! A [`message`](crate::plan::webhooks::message) is written in the batch of the change that it reports, one row for
//! each endpoint that subscribes to its kind. It is sent until the endpoint accepts it or the schedule of [`attempt`]
//! ends. [`address`] says which addresses are allowed.

pub mod address;
pub mod attempt;
pub mod deliveries;
pub mod dispatch;
pub mod endpoints;
pub mod missed;
pub mod secrets;
