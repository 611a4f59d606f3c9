//! Requests to other services.

use super::step::Step;
use http::{HeaderName, Method};
use std::time::Duration;

/// Requests to other services by HTTP. It follows no redirect.
pub trait Outbound {
    /// Sends a request. Dropping the future ends a hanging request.
    ///
    /// # Errors
    ///
    /// See [`FetchError`].
    fn fetch<'a>(&'a self, request: Outgoing<'a>) -> Step<'a, Result<Fetched, FetchError>>;
}

/// A request to another service.
pub struct Outgoing<'a> {
    pub url: &'a str,
    pub method: Method,
    pub headers: Vec<(HeaderName, &'a str)>,
    pub body: Option<&'a str>,
    pub wanted: Wanted,
}

/// How much of the body of an answer is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All of it. One of more bytes is [`FetchError::TooLarge`].
    Whole(usize),
    /// The first bytes, as far as they come within [`START`]. The rest is dropped, and so is a fault of the body.
    Start(usize),
}

/// How long the start of a body is waited for.
pub const START: Duration = Duration::from_secs(1);

/// The answer of another service.
#[derive(Default)]
pub struct Fetched {
    pub status: u16,
    pub retry_after: Option<String>,
    pub body: Vec<u8>,
}

/// The other service did not answer as it should. The cause stays out: its text could repeat a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FetchError {
    /// The address cannot be requested.
    Address,
    /// It is away, or the connection broke.
    Away,
    /// It took too long.
    Slow,
    /// The answer is too large.
    TooLarge,
}
