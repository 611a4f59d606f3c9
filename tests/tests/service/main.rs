//! The service over HTTP, against workerd with a local D1.

mod authentication;
mod bad_bodies;
mod concurrency;
mod correction;
mod early;
mod fault;
mod fill_in;
mod golden;
mod log;
mod mail;
mod model;
mod refusal;
mod revoked;
mod routes;
mod send;
mod slow_bodies;
mod status;
mod surface;
mod validation;
