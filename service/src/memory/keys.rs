//! What this isolate knows of API keys.
//!
//! A limiter is a Durable Object, and calling it creates it. A caller can make up any number of well-formed keys, so a
//! key's limiter is called only if the database has the key. If the isolate has seen the key before, it calls the
//! limiter while it loads, so the caller waits for both in parallel. Only a key's first call in an isolate does one
//! after the other. The calls after it are counted ahead, if the limit leaves room ([`Permits`]).
//!
//! None of this gives access. Every call reads from the database whether the key is valid, or its batch checks it.

use super::permits::Permits;
use crate::auth::key::Credential;
use crate::plan::sandbox::Clock;
use overturn_core::base::instant::Instant;
use overturn_core::base::sealed::StoredDataKey;
use overturn_core::claims::intake::{SendResponse, ValidSend};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// How many keys are remembered before all are forgotten.
const MOST: usize = 2_000;
/// How long a sender is remembered, in milliseconds.
const SENDER_MS: i64 = 30_000;
/// How many payers of a sender are remembered.
const PAYERS: usize = 100;

/// What a send needs to build its batch.
#[derive(Clone)]
pub(crate) struct KnownSender {
    pub(crate) credential: Credential,
    pub(crate) data_key: StoredDataKey,
    /// Payers whose names are noted.
    pub(crate) payers: Rc<BTreeSet<String>>,
    /// When it was loaded.
    loaded_at: Instant,
}

impl KnownSender {
    pub(crate) fn new(credential: Credential, data_key: StoredDataKey, loaded_at: Instant) -> Self {
        Self { credential, data_key, payers: Rc::default(), loaded_at }
    }
}

/// What is known of a key.
#[derive(Default)]
pub(crate) struct KnownKey {
    pub(crate) reads: Permits,
    pub(crate) sends: Permits,
    /// The clock of its sandbox, as it was; `None` for a live key.
    pub(crate) clock: Option<Clock>,
    sender: Option<KnownSender>,
    /// True if its last send had a claim that was not new. The next one is probably another resend.
    resends: bool,
}

impl KnownKey {
    /// The sender, if it was loaded a short time ago and probably sends new claims.
    pub(crate) fn sender(&mut self, now: Instant) -> Option<&KnownSender> {
        self.sender.take_if(|sender| now.since(sender.loaded_at) >= SENDER_MS);
        self.sender.as_ref().filter(|_| !self.resends)
    }

    pub(crate) fn keep(&mut self, sender: KnownSender) {
        self.sender = Some(sender);
    }

    pub(crate) fn forget_sender(&mut self) {
        self.sender = None;
    }

    /// Learns from the answer to a send.
    pub(crate) fn learn(&mut self, answer: &SendResponse<'_>, send: Option<&ValidSend<'_>>) {
        let all_new = answer.claims.iter().all(|claim| claim.created);
        self.resends = !all_new;
        if let (Some(sender), Some(send)) = (&mut self.sender, send.filter(|_| all_new)) {
            for item in &send.items {
                let payer = &*item.claim.payer_name;
                if sender.payers.len() < PAYERS && !sender.payers.contains(payer) {
                    Rc::make_mut(&mut sender.payers).insert(payer.to_owned());
                }
            }
        }
    }
}

/// The known keys, by half of the hash of each.
#[derive(Default)]
pub(crate) struct Keys(RefCell<HashMap<u128, KnownKey>>);

impl Keys {
    /// What is known of a key, by its hash. `None` if the isolate has not seen it.
    pub(crate) fn with<T>(&self, hash: &str, look: impl FnOnce(&mut KnownKey) -> T) -> Option<T> {
        self.0.borrow_mut().get_mut(&digits(hash)?).map(look)
    }

    /// Records that a key, by its hash, exists.
    pub(crate) fn remember(&self, hash: &str) {
        let Some(key) = digits(hash) else { return };
        let mut keys = self.0.borrow_mut();
        if keys.len() >= MOST && !keys.contains_key(&key) {
            keys.clear();
        }
        keys.entry(key).or_default();
    }
}

/// The first half of a SHA-256 in hexadecimal. It is unique in practice.
fn digits(hash: &str) -> Option<u128> {
    u128::from_str_radix(hash.get(..32)?, 16).ok()
}
