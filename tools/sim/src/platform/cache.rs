//! KV: texts that spread slowly, get lost, and are sometimes not there to be asked.

use super::Ground;
use crate::clock::SECOND;
use crate::faults::Fault;
use crate::states;
use overturn_service::host::{Cache, PlatformError, Step};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// How old what is read may be.
const STALE: u64 = 60 * SECOND;

/// What was put or deleted under a key: when, until when it is kept, and the text.
struct Version {
    at: u64,
    until: u64,
    text: Option<String>,
}

#[derive(Clone)]
pub(crate) struct StaleCache {
    ground: Ground,
    keys: Rc<RefCell<BTreeMap<String, Vec<Version>>>>,
}

impl StaleCache {
    pub(crate) fn new(ground: Ground) -> Self {
        Self { ground, keys: Rc::default() }
    }

    /// All texts that it has.
    pub(crate) fn texts(&self) -> Vec<String> {
        let keys = self.keys.borrow();
        let versions = keys.iter().flat_map(|(key, versions)| {
            let texts = versions.iter().filter_map(|version| version.text.clone());
            texts.chain([key.clone()])
        });
        versions.collect()
    }

    fn keep(&self, key: &str, text: Option<String>, kept: u64) {
        let at = self.ground.scheduler.now();
        let version = Version { at, until: at.saturating_add(kept), text };
        self.keys.borrow_mut().entry(key.to_owned()).or_default().push(version);
    }

    fn read(&self, key: &str, at: u64) -> Option<String> {
        let keys = self.keys.borrow();
        let known = keys.get(key)?.iter().rev().find(|version| version.at <= at)?;
        known.text.clone().filter(|_| known.until > self.ground.scheduler.now())
    }

    async fn answers(&self) -> Result<(), PlatformError> {
        self.ground.trip().await;
        match self.ground.faults.strike(Fault::CacheAway) {
            true => Err(PlatformError),
            false => Ok(()),
        }
    }
}

impl Cache for StaleCache {
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        Box::pin(async move {
            self.answers().await?;
            let Ground { scheduler, faults, trace, dice } = &self.ground;
            if faults.strike(Fault::CacheLost) {
                self.keys.borrow_mut().remove(key);
            }
            let newest = self.read(key, scheduler.now());
            if newest.is_some() {
                trace.sometimes(states::CACHE_HIT);
            }
            if !faults.strike(Fault::CacheStale) {
                return Ok(newest);
            }
            let old = self.read(key, scheduler.now().saturating_sub(dice.below(STALE)));
            if old != newest {
                trace.sometimes(states::CACHE_OLD);
            }
            Ok(old)
        })
    }

    fn put<'a>(&'a self, key: &'a str, text: String, kept: Duration) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            self.answers().await?;
            self.keep(key, Some(text), u64::try_from(kept.as_micros()).unwrap_or(u64::MAX));
            Ok(())
        })
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(async move {
            self.answers().await?;
            self.keep(key, None, u64::MAX);
            Ok(())
        })
    }
}
