//! What the tests share: a Worker that serves, a client that trusts no answer, and a look behind the answers.
//!
//! * [`server`] starts the built Worker under workerd, on a [`state`] of its own, and collects its [`log`] and its [`mail`].
//! * [`client`] sends requests over [`wire`] and holds every answer to what all answers have in common.
//! * [`tenant`] makes practices and keys by the plans that make them in production, through [`database`].
//! * [`person`] makes people with a session, and [`race`] has several of them ask at once.
//! * [`signing`] has claims that a patient is asked to sign for.
//! * [`staff`] works on claims as the staff does.
//! * [`claims`] writes request bodies, [`answer`] reads send responses and their promises.
//! * [`receiver`] takes what practices' endpoints are told.
//! * [`fill`] makes a database large.

pub mod account;
pub mod answer;
pub mod claims;
pub mod client;
pub mod database;
pub mod fill;
pub mod link;
pub mod log;
pub mod mail;
pub mod person;
pub mod project;
pub mod race;
pub mod receiver;
pub mod sealed;
pub mod server;
pub mod signing;
pub mod staff;
pub mod state;
pub mod tenant;
pub mod wire;
