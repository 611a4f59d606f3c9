//! What the tests share: a running server, a client that checks every answer, and access to the database.
//!
//! * [`server`] starts the service on a [`host`], on its own [`state`], and collects its [`log`] and its [`mail`].
//! * [`client`] sends requests over [`wire`] and checks every answer against the rules for all answers.
//! * [`tenant`] makes practices and keys with the plans used in production, through [`database`].
//! * [`person`] makes people with a session, and [`race`] sends several requests at the same time.
//! * [`signing`] makes claims that need a patient's signature.
//! * [`sandbox`] is a practice's sandbox.
//! * [`staff`] works on claims as the staff does.
//! * [`claims`] builds request bodies, [`answer`] reads and checks send responses.
//! * [`receiver`] receives webhooks.
//! * [`authenticator`] has a passkey, and [`browser`] uses it.
//! * [`clamd`] is the virus scanner, and [`github`] reports leaked keys.
//! * [`providers`] are identity providers, and what a browser does there. [`sso`] is a server that uses them, and [`saml`]
//!   signs responses of a SAML provider.
//! * [`wait`] waits for what comes after an answer.
//! * [`prelude`] has what most tests use.
//! * [`fill`] makes a database large.

pub mod account;
pub mod answer;
pub mod authenticator;
pub mod browser;
pub mod claims;
pub mod clamd;
pub mod client;
pub mod database;
pub mod fill;
pub mod form;
pub mod github;
pub mod host;
pub mod link;
pub mod log;
pub mod mail;
pub mod person;
pub mod prelude;
pub mod project;
pub mod providers;
pub mod race;
pub mod receiver;
pub mod resolver;
pub mod saml;
pub mod sandbox;
pub mod sealed;
pub mod server;
pub mod signing;
pub mod sso;
pub mod staff;
pub mod state;
pub mod tenant;
pub mod wait;
pub mod wire;
