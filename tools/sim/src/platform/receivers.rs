//! The endpoints of practices, which take webhook messages, refuse them, or take them and do not say so.

use super::Ground;
use crate::clock::{MS, SECOND};
use crate::faults::Fault;
use crate::states;
use overturn_service::host::{FetchError, Fetched, Outbound, Outgoing, Step};
use std::cell::Cell;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A message that came to an endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    pub(crate) url: String,
    /// The value of `webhook-id`.
    pub(crate) id: String,
    pub(crate) body: String,
}

#[derive(Clone)]
pub(crate) struct Receivers {
    ground: Ground,
    arrived: Rc<RefCell<Vec<Arrived>>>,
    /// How many attempts there were at a message to an address.
    attempts: Rc<RefCell<BTreeMap<(String, String), i64>>>,
    /// The attempts that are under way, and how often there were two at a message.
    flights: Rc<RefCell<BTreeSet<(String, String)>>>,
    overlaps: Rc<Cell<u64>>,
}

/// An attempt under way. It ends when nobody waits for it any more.
struct Flight((String, String), Rc<RefCell<BTreeSet<(String, String)>>>);

impl Drop for Flight {
    fn drop(&mut self) {
        self.1.borrow_mut().remove(&self.0);
    }
}

impl Receivers {
    pub(crate) fn new(ground: Ground) -> Self {
        Self {
            ground,
            arrived: Rc::default(),
            attempts: Rc::default(),
            flights: Rc::default(),
            overlaps: Rc::default(),
        }
    }

    /// All messages, in the order in which they came.
    pub(crate) fn arrived(&self) -> Vec<Arrived> {
        self.arrived.borrow().clone()
    }

    /// How many attempts there were at a message, by its address and its id.
    pub(crate) fn attempts(&self) -> BTreeMap<(String, String), i64> {
        self.attempts.borrow().clone()
    }

    /// How often two attempts at a message were under way at once.
    pub(crate) fn overlaps(&self) -> u64 {
        self.overlaps.get()
    }

    fn fly(&self, request: &Outgoing<'_>) -> Flight {
        let name = named(request);
        *self.attempts.borrow_mut().entry(name.clone()).or_default() += 1;
        if !self.flights.borrow_mut().insert(name.clone()) {
            self.overlaps.set(self.overlaps.get() + 1);
        }
        Flight(name, Rc::clone(&self.flights))
    }

    fn take(&self, request: &Outgoing<'_>) {
        let (url, id) = named(request);
        let arrived = Arrived { url, id, body: request.body.unwrap_or_default().to_owned() };
        let trace = &self.ground.trace;
        trace.tell(|| format!("webhook message {} arrives at {}", arrived.id, arrived.url));
        trace.sometimes(states::DELIVERED);
        let mut all = self.arrived.borrow_mut();
        if all.iter().any(|before| before.id == arrived.id && before.url == arrived.url) {
            trace.sometimes(states::DELIVERED_TWICE);
        }
        all.push(arrived);
    }
}

/// The address and the id of a message.
fn named(request: &Outgoing<'_>) -> (String, String) {
    let id = request.headers.iter().find(|(name, _)| *name == "webhook-id");
    (request.url.to_owned(), id.map(|(_, value)| (*value).to_owned()).unwrap_or_default())
}

impl Outbound for Receivers {
    fn fetch<'a>(&'a self, request: Outgoing<'a>) -> Step<'a, Result<Fetched, FetchError>> {
        Box::pin(async move {
            let Ground { scheduler, faults, dice, .. } = &self.ground;
            let _flight = self.fly(&request);
            scheduler.sleep(dice.between(5 * MS, 80 * MS)).await;
            let answer = |status| Ok(Fetched { status, ..Fetched::default() });
            if faults.strike(Fault::ReceiverFails) {
                return match dice.below(5) {
                    0 => Err(FetchError::Away),
                    1 => answer(500),
                    2 => answer(429),
                    3 => {
                        self.take(&request);
                        Err(FetchError::Away)
                    }
                    _ => {
                        scheduler.sleep(40 * SECOND).await;
                        Err(FetchError::Slow)
                    }
                };
            }
            self.take(&request);
            scheduler.sleep(dice.between(5 * MS, 80 * MS)).await;
            answer(204)
        })
    }
}
