//! What the service asks of the platform that it runs on. A host implements these traits: Workers in `edge`, one native
//! program in `native`.
//!
//! Every future is local to a thread. The service shares nothing between threads; a host with several threads makes an
//! `App` for each, over parts that it shares itself. A trait does one step, once: time limits and retries belong to the
//! service.

mod bucket;
mod crypto;
mod database;
mod identity;
mod limits;
mod mail;
mod network;
mod outbound;
mod queue;
mod step;

use crate::store::error::DatabaseError;
pub use bucket::{Bucket, Parts, Reader, rest};
pub use crypto::{Cipher, Crypto, Sha256};
pub use database::{CELLS_AT_ONCE, Cells, Database, Ran, Size};
use http::HeaderName;
pub use identity::{AskError, IdentityChecks};
pub use limits::{AddressLimiter, Limiter, LimiterAnswer};
pub use mail::{Letter, Mailer};
pub use network::{Connection, Network};
pub use outbound::{FetchError, Fetched, Outbound, Outgoing, START, Wanted};
use overturn_core::base::instant::Instant;
pub use queue::{MessageQueue, QueueMessage};
use std::ops::Deref;
use std::rc::Rc;
use std::time::Duration;
pub use step::{PlatformError, Step};

/// Everything that a host gives to the service.
#[derive(Clone)]
pub struct Host {
    pub basics: Basics,
    pub cells: Cells,
    pub limiter: Rc<dyn Limiter>,
    pub address_limiter: Rc<dyn AddressLimiter>,
    /// The bans of addresses.
    pub bans: Rc<dyn Cache>,
    /// The last uses of sessions.
    pub sessions: Rc<dyn Cache>,
    /// The sealed documents.
    pub documents: Rc<dyn Bucket>,
    /// The webhook messages to send at once.
    pub webhooks: Rc<dyn MessageQueue>,
    pub mailer: Rc<dyn Mailer>,
    pub network: Rc<dyn Network>,
    pub outbound: Rc<dyn Outbound>,
    pub identity: Rc<dyn IdentityChecks>,
    /// The texts that are deployed beside the program.
    pub assets: Rc<dyn Assets>,
    pub crypto: Rc<dyn Crypto>,
}

/// What even a refusal needs: a service whose settings are wrong answers with these alone.
#[derive(Clone)]
pub struct Basics {
    pub clock: Rc<dyn Clock>,
    pub entropy: Rc<dyn Entropy>,
    pub timer: Rc<dyn Timer>,
    /// How large the memory of the instance is, for the log, if that says something.
    pub memory_kb: fn() -> Option<u32>,
}

impl Deref for Host {
    type Target = Basics;

    fn deref(&self) -> &Basics {
        &self.basics
    }
}

/// The time of day.
pub trait Clock {
    /// The current instant.
    fn now(&self) -> Instant;
}

/// A cryptographic source of random bytes.
pub trait Entropy {
    /// Fills a buffer.
    ///
    /// # Errors
    ///
    /// There is no entropy.
    fn fill(&self, buffer: &mut [u8]) -> Result<(), EntropyError>;
}

/// The platform gave no entropy. Nothing that needs an id or a nonce can continue.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("no entropy")]
pub struct EntropyError;

impl From<EntropyError> for DatabaseError {
    fn from(_: EntropyError) -> Self {
        Self::Broken("no entropy")
    }
}

/// Waits.
pub trait Timer {
    /// Ends after this time.
    fn sleep(&self, time: Duration) -> Step<'static, ()>;
}

/// Texts by key. It may be stale, and may lose what it has: it may only deny or speed up.
pub trait Cache {
    /// The text of a key.
    ///
    /// # Errors
    ///
    /// The cache did not answer.
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<String>, PlatformError>>;

    /// Keeps a text for a while.
    ///
    /// # Errors
    ///
    /// The cache did not answer.
    fn put<'a>(&'a self, key: &'a str, text: String, kept: Duration) -> Step<'a, Result<(), PlatformError>>;

    /// Forgets a key.
    ///
    /// # Errors
    ///
    /// The cache did not answer.
    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>>;
}

/// Texts of the deployed version.
pub trait Assets {
    /// The whole text of a file, `None` if there is none.
    ///
    /// # Errors
    ///
    /// The platform did not answer.
    fn text<'a>(&'a self, name: &'a str) -> Step<'a, Result<Option<String>, PlatformError>>;
}

/// Takes work of a request that goes on after its answer.
pub trait Background {
    /// Does the work. The host does not end while it goes on, within its own limits.
    fn go_on(&self, work: Step<'static, ()>);
}

/// A request as a host has it.
pub struct Incoming<'h> {
    /// Its method as it was sent.
    pub method: String,
    /// The whole URL, with scheme and authority.
    pub url: String,
    /// The path of the URL.
    pub path: String,
    /// The value of a header. Only the headers that the service reads are asked for.
    pub header: &'h dyn Fn(&HeaderName) -> Option<String>,
    /// The IP address of the client.
    pub address: String,
    /// Its body, not yet read.
    pub body: Box<dyn Reader>,
    /// Takes the work that goes on after the answer.
    pub background: Rc<dyn Background>,
}
