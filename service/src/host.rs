//! What the service asks of the platform that it runs on. A host implements these traits: Workers in `edge`, one native
//! program in `native`.
//!
//! Every future is local to a thread. The service shares nothing between threads; a host with several threads makes an
//! `App` for each, over parts that it shares itself. A trait does one step, once: time limits and retries belong to the
//! service.

mod database;

use crate::password::{Check, Password};
use crate::request::limit::{Ahead, Held, RateLimit, Unused, Verdict};
use crate::store::error::DatabaseError;
use bytes::Bytes;
pub use database::{CELLS_AT_ONCE, Cells, Database, Ran, Size, Step};
use http::{HeaderName, Method};
use overturn_core::base::id::{MessageId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::Mark;
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::rc::Rc;
use std::time::Duration;

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

/// A part of the platform failed or did not answer. There is no cause: its text could hold a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the platform did not answer")]
pub struct PlatformError;

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

/// Exact limits: at most so many calls of a principal in any window. Of parallel calls, exactly as many pass as the limit
/// allows.
pub trait Limiter {
    /// Counts a call of a principal in a group of calls, if it is allowed. `marks` are those of a send's items. `unused` are
    /// given back before.
    ///
    /// # Errors
    ///
    /// The limiter did not answer.
    fn ask<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        marks: &'a [Mark],
        unused: Unused,
    ) -> Step<'a, Result<LimiterAnswer, PlatformError>>;

    /// Counts calls of a principal before they are made, as far as the limit leaves room for them.
    ///
    /// # Errors
    ///
    /// The limiter did not answer.
    fn hold<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        ahead: Ahead,
    ) -> Step<'a, Result<Held, PlatformError>>;

    /// Takes back a call that was counted at an instant, as if it had not been made.
    ///
    /// # Errors
    ///
    /// The limiter did not answer.
    fn give_back<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        at: Instant,
    ) -> Step<'a, Result<(), PlatformError>>;
}

/// The limiter's verdict, and the instant at which it counted the call.
#[derive(Serialize, Deserialize)]
pub struct LimiterAnswer {
    pub verdict: Verdict,
    pub at: Instant,
    /// The indexes of the marks whose claim number just came for another patient or claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<usize>,
}

/// A cheap counter of addresses, which may be inexact.
pub trait AddressLimiter {
    /// Counts ten requests of an address in a minute. False if they are too many.
    ///
    /// # Errors
    ///
    /// The counter did not answer.
    fn count<'a>(&'a self, address: &'a str) -> Step<'a, Result<bool, PlatformError>>;
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

/// Objects of bytes. It holds sealed bytes only, under keys that say nothing.
pub trait Bucket {
    /// Stores an object in one piece.
    ///
    /// # Errors
    ///
    /// It may have been stored.
    fn put<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Step<'a, Result<(), PlatformError>>;

    /// The size of an object in bytes, `None` if there is none.
    ///
    /// # Errors
    ///
    /// The bucket did not answer.
    fn size<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<u64>, PlatformError>>;

    /// Begins an object of several parts.
    ///
    /// # Errors
    ///
    /// It may have been begun.
    fn begin<'a>(&'a self, key: &'a str) -> Step<'a, Result<Box<dyn Parts>, PlatformError>>;

    /// A range of an object, `None` if there is no such object.
    ///
    /// # Errors
    ///
    /// The bucket did not answer.
    fn get<'a>(
        &'a self,
        key: &'a str,
        offset: u64,
        length: u64,
    ) -> Step<'a, Result<Option<Box<dyn Reader>>, PlatformError>>;

    /// Deletes an object. It is no error if there is none.
    ///
    /// # Errors
    ///
    /// It may have been deleted.
    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>>;

    /// Removes the parts of an object that was begun and never completed. It is no error if they are gone.
    ///
    /// # Errors
    ///
    /// They may have been removed.
    fn abort<'a>(&'a self, key: &'a str, upload_id: &'a str) -> Step<'a, Result<(), PlatformError>>;
}

/// An object that is written part by part.
pub trait Parts {
    /// The bucket keeps the parts under this id until they are completed or aborted.
    fn upload_id(&self) -> &str;

    /// Writes bytes. It returns when the bucket has taken them, so that none pile up. `bound` is the most bytes that can
    /// come, with these. They are the same number in every call but the last.
    ///
    /// # Errors
    ///
    /// Nothing more can be written.
    fn write(&mut self, bytes: Vec<u8>, bound: u64) -> Step<'_, Result<(), PlatformError>>;

    /// Ends the last part, and returns the length of the object. It may have more bytes than were written: zeros fill it up.
    ///
    /// # Errors
    ///
    /// Nothing more can be written.
    fn end(&mut self) -> Step<'_, Result<u64, PlatformError>>;

    /// Makes the object of the parts.
    ///
    /// # Errors
    ///
    /// It may have been made.
    fn complete(&mut self) -> Step<'_, Result<(), PlatformError>>;
}

/// Bytes that come one after the other. Dropping it says that no more is read.
pub trait Reader {
    /// The next bytes: at least `least`, fewer only at the end, and none after it. A host may give up to 64 KiB or `least`
    /// at once, whichever is more.
    ///
    /// # Errors
    ///
    /// The other side failed or went away.
    fn read(&mut self, least: usize) -> Step<'_, Result<Bytes, PlatformError>>;

    /// All of the rest in one piece. A host with a faster way than piece by piece takes it.
    ///
    /// # Errors
    ///
    /// The other side failed or went away.
    fn read_all(&mut self) -> Step<'_, Result<Vec<u8>, PlatformError>> {
        Box::pin(rest(self))
    }
}

/// Reads the rest piece by piece.
///
/// # Errors
///
/// The other side failed or went away.
pub async fn rest<R: Reader + ?Sized>(reader: &mut R) -> Result<Vec<u8>, PlatformError> {
    let mut all = Vec::new();
    loop {
        let bytes = reader.read(1).await?;
        if bytes.is_empty() {
            return Ok(all);
        }
        all.extend_from_slice(&bytes);
    }
}

/// A message of the queue: where to look for due deliveries of webhook messages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QueueMessage {
    pub practice_id: PracticeId,
    pub messages: Vec<MessageId>,
}

/// A queue of messages that come at least once, in any order.
pub trait MessageQueue {
    /// Puts a message on the queue. It comes after a delay.
    ///
    /// # Errors
    ///
    /// It may have been queued.
    fn send<'a>(&'a self, message: &'a QueueMessage, delay: Duration) -> Step<'a, Result<(), PlatformError>>;
}

/// An email to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The address, which was checked when it came in.
    pub to: String,
    /// One line.
    pub subject: String,
    /// Plain text, with `\n` at the end of a line.
    pub text: String,
}

/// Sends emails.
pub trait Mailer {
    /// Passes an email on. `from` is the sender's name and address.
    ///
    /// # Errors
    ///
    /// A short code that holds no address. The email may have been sent.
    fn send<'a>(&'a self, from: (&'a str, &'a str), letter: &'a Letter) -> Step<'a, Result<(), String>>;
}

/// Connections to programs that do not speak HTTP, such as the virus scanner.
pub trait Network {
    /// True if a host that begins with `/` is the path of a Unix socket.
    fn has_unix_sockets(&self) -> bool {
        false
    }

    /// Begins to connect. `None` if the address cannot be used.
    fn connect(&self, host: &str, port: u16, tls: bool) -> Option<Box<dyn Connection>>;
}

/// A connection. Dropping it closes it. Its steps go on by themselves: a write and a read can be under way at the same
/// time.
pub trait Connection {
    /// Ends when the connection is made. Asked for once, before the first write is done.
    fn opened(&mut self) -> Step<'static, Result<(), PlatformError>>;

    /// Writes bytes, one write after the other.
    fn write(&mut self, bytes: &[u8]) -> Step<'static, Result<(), PlatformError>>;

    /// The next bytes, none at the end. One read at a time.
    fn read(&mut self) -> Step<'static, Result<Bytes, PlatformError>>;
}

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

/// The program that checks what authenticators and identity providers sign (`overturn_core::identity`).
pub trait IdentityChecks {
    /// The answer to a question, as JSON.
    ///
    /// # Errors
    ///
    /// Why it has no answer.
    fn ask<'a>(&'a self, path: &'a str, question: String) -> Step<'a, Result<String, AskError>>;
}

/// Why a question to the identity checks has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskError {
    /// The program is not there.
    Away,
    /// It refused the question.
    Failed,
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

/// AES-256-GCM and SHA-256 of the platform, for documents. On Workers they cost a fifth of what wasm does.
pub trait Crypto {
    /// Compares a password with a stored hash ([`Password::check`]). The answer depends on nothing else, so a host that needs no
    /// protection from guesses may remember it.
    fn check_password(&self, password: &Password, stored: Option<&str>) -> Check {
        password.check(stored)
    }

    /// The cipher of a key.
    ///
    /// # Errors
    ///
    /// The platform does not take the key.
    fn cipher<'a>(&'a self, key: &'a [u8; 32]) -> Step<'a, Result<Rc<dyn Cipher>, PlatformError>>;

    /// A SHA-256 of nothing yet.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn sha256(&self) -> Result<Box<dyn Sha256>, PlatformError>;
}

/// AES-256-GCM with one key.
pub trait Cipher {
    /// Seals bytes.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn seal<'a>(&'a self, nonce: [u8; 12], aad: &'a [u8], plain: &'a [u8]) -> Step<'a, Result<Vec<u8>, PlatformError>>;

    /// Opens bytes.
    ///
    /// # Errors
    ///
    /// They were not sealed with this key, nonce and data.
    fn open<'a>(&'a self, nonce: [u8; 12], aad: &'a [u8], sealed: &'a [u8])
    -> Step<'a, Result<Vec<u8>, PlatformError>>;
}

/// The SHA-256 of bytes that come one after the other.
pub trait Sha256 {
    /// Adds bytes.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn update<'a>(&'a mut self, bytes: &'a [u8]) -> Step<'a, Result<(), PlatformError>>;

    /// The hash.
    ///
    /// # Errors
    ///
    /// The platform failed.
    fn finish(self: Box<Self>) -> Step<'static, Result<[u8; 32], PlatformError>>;
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
