//! The endpoints of practices, which take webhook messages, refuse them, or take them and do not say so.

use super::Ground;
use crate::clock::{MS, SECOND};
use crate::faults::Fault;
use crate::states;
use overturn_service::host::{FetchError, Fetched, Outbound, Outgoing, Step};
use std::cell::RefCell;
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
}

impl Receivers {
    pub(crate) fn new(ground: Ground) -> Self {
        Self { ground, arrived: Rc::default() }
    }

    /// All messages, in the order in which they came.
    pub(crate) fn arrived(&self) -> Vec<Arrived> {
        self.arrived.borrow().clone()
    }

    fn take(&self, request: &Outgoing<'_>) {
        let id = request.headers.iter().find(|(name, _)| *name == "webhook-id");
        let arrived = Arrived {
            url: request.url.to_owned(),
            id: id.map(|(_, value)| (*value).to_owned()).unwrap_or_default(),
            body: request.body.unwrap_or_default().to_owned(),
        };
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

impl Outbound for Receivers {
    fn fetch<'a>(&'a self, request: Outgoing<'a>) -> Step<'a, Result<Fetched, FetchError>> {
        Box::pin(async move {
            let Ground { scheduler, faults, dice, .. } = &self.ground;
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
