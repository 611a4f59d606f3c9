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
use answer::{ClaimView, ItemAdvice};
use batch::Batcher;
use call::Http;
use claim::Item;
use overturn_core::base::token::ApiKey;
use overturn_core::claims::advice::Advice;
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
                Ok((number, advice)) => waiting.push(Numbered { index, number, text: item, advice }),
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
    advice: Vec<Advice>,
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
    fn settle(&mut self, item: Numbered<'_>, mut outcome: Outcome) {
        if let Outcome::Answered(result) = &mut outcome {
            result.advice.splice(..0, item.advice.iter().map(ItemAdvice::from));
        }
        self.0.push((item.index, Some(item.number), outcome));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use call::{Answer, Call, CallError, Wire};
    use overturn_core::base::token::Realm;
    use serde_json::{Value, json};

    /// A service that always gives this answer.
    struct Says(Value);

    impl Wire for Says {
        fn exchange(&self, _: &Call) -> Result<Answer, CallError> {
            Ok(Answer { status: 201, body: self.0.to_string().into_bytes(), retry_after: None })
        }
    }

    #[test]
    fn each_result_has_the_advice_of_the_rules_and_of_the_sandbox() {
        let result = |number| json!({ "claim_number": number, "created": true, "id": "x", "status": "received" });
        let advice = json!([{ "index": 1, "code": "not_made_up", "message": "no real patient" }, { "index": 7, "code": "x", "message": "" }]);
        let wire = Says(json!({ "claims": [result("A"), result("B")], "advice": advice }));
        let (key, stop) = (ApiKey::mint(Realm::Test, [7; 24]), Stop::default());
        let code = overturn_core::claims::advice::AdviceCode::PlanTypeMissing;
        let (field, message) = code.text();
        let own = Advice { index: 0, code, field, message };
        let batch = [(0, "A", vec![]), (1, "B", vec![own])].map(|(index, number, advice)| Numbered {
            index,
            number: number.into(),
            text: "{}",
            advice,
        });
        let mut found = Settled::default();
        send::send(batch.into(), &Line { key: &key, wire: &wire, clock: &stop }, &mut found).unwrap();
        let codes: Vec<Vec<String>> = found
            .0
            .into_iter()
            .map(|(.., outcome)| match outcome {
                Outcome::Answered(result) => result.advice.into_iter().map(|advice| advice.code).collect(),
                Outcome::Invalid(problems) => problems,
            })
            .collect();
        assert_eq!(codes, [vec![], vec!["plan_type_missing", "not_made_up"]]);
    }

    #[test]
    fn a_mistyped_key_is_never_repeated() {
        for key in ["canary", "ovt_test_canary\n", "ovu_test_canary"] {
            let Err(Error::Usage(said)) = Client::new("https://app.overturn.example", key) else { panic!("{key:?}") };
            assert!(!said.contains("canary") && said.contains("nothing was sent"), "{said}");
        }
    }
}
