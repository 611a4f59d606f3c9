//! A client of Overturn in Rust: sends denied claims and reads their status. The command line is made of it.
//!
//! ```no_run
//! use overturn_client::{Client, Error, Outcome};
//!
//! fn main() -> Result<(), Error> {
//!     let client = Client::new("https://app.overturn.example", "ovt_live_…")?;
//!     let claim = r#"{"patient": {…}, "claim": {"claim_number": "CH-2025-00417", …}}"#;
//!     for (number, outcome) in client.send([claim])? {
//!         println!("{number:?}: {outcome:?}");
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Any number of claims is checked by the service's own rules before anything is sent, and split into requests. A call is
//! repeated after a `429`, a `5xx` and a lost answer, which is safe: sends are idempotent by claim number.

pub mod address;
pub mod answer;
pub mod batch;
pub mod call;
pub mod claim;
mod error;
pub mod retry;
mod retry_after;
pub mod send;
pub mod status;
mod stop;
pub mod system;
mod text;

pub use error::Error;
pub use send::Outcome;
pub use status::Found;
pub use stop::{GLANCE, Stop};
pub use text::shown;

use address::Address;
use answer::ClaimView;
use batch::Batcher;
use call::Http;
use claim::Item;
use overturn_core::base::token::ApiKey;
use send::{Line, Results};
use std::time::Duration;

/// How long one call may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A practice's access to the service.
#[derive(Debug)]
pub struct Client {
    http: Http,
    key: ApiKey,
    stop: Stop,
}

impl Client {
    /// # Errors
    ///
    /// [`Error::Usage`] if the address would send patients' data in the clear, or the key is mistyped.
    pub fn new(url: &str, key: &str) -> Result<Self, Error> {
        let (address, key, stop) = (Address::parse(url, TIMEOUT)?, address::read_key(key, "`key`")?, Stop::default());
        Ok(Self { http: Http::new(&address, key.expose(), &stop), key, stop })
    }

    /// Ends calls and waits soon after it is set.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Sends items, each a JSON text, and gives each its result in their order: the claim number, or `None` if the item is
    /// invalid, and what came of it.
    ///
    /// # Errors
    ///
    /// Why it ended early. To finish it, send all items again: nothing is doubled.
    pub fn send<'a>(&self, items: impl IntoIterator<Item = &'a str>) -> Result<Vec<(Option<String>, Outcome)>, Error> {
        let (mut waiting, mut found) = (Batcher::default(), Settled::default());
        for (index, item) in items.into_iter().enumerate() {
            match claim::judge(item, &claim::body([item]), &system::ctx()) {
                Ok((number, _)) => waiting.push(Numbered { index, number, text: item }),
                Err(problems) => found.0.push((index, None, Outcome::Invalid(problems))),
            }
            while let Some(batch) = waiting.full() {
                send::send(batch, &self.line(), &mut found)?;
            }
        }
        while let Some(batch) = waiting.rest() {
            send::send(batch, &self.line(), &mut found)?;
        }
        found.0.sort_by_key(|(index, ..)| *index);
        Ok(found.0.into_iter().map(|(_, number, outcome)| (number, outcome)).collect())
    }

    /// The status of a claim, or `None` if the service has none of this number.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub fn status(&self, number: &str) -> Result<Option<ClaimView>, Error> {
        match status::ask(number, &self.line(), &|_, _| ())? {
            Found::Claim(claim) => Ok(Some(claim)),
            Found::Nothing(_) => Ok(None),
        }
    }

    fn line(&self) -> Line<'_> {
        Line { key: &self.key, wire: &self.http, clock: &self.stop }
    }
}

/// An item with its place among those sent.
struct Numbered<'a> {
    index: usize,
    number: String,
    text: &'a str,
}

impl Item for Numbered<'_> {
    fn number(&self) -> &str {
        &self.number
    }

    fn text(&self) -> &str {
        self.text
    }
}

/// The results until now, each with its item's place.
#[derive(Default)]
struct Settled(Vec<(usize, Option<String>, Outcome)>);

impl Results<Numbered<'_>> for Settled {
    fn settle(&mut self, item: Numbered<'_>, outcome: Outcome) {
        self.0.push((item.index, Some(item.number), outcome));
    }
}
