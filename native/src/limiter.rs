//! Exact limits, and the counter of addresses, in memory. All threads share them, and a restart forgets them.

use crate::clock::Wall;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::{Mark, RecentSends};
use overturn_service::host::{AddressLimiter, Clock as _, Limiter, LimiterAnswer, PlatformError, Step};
use overturn_service::request::limit::{Ahead, Held, RateLimit, SlidingLog, Unused};
use std::collections::HashMap;
use std::future::ready;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};

/// How many locks the principals are spread over.
const SHARDS: usize = 64;
/// How long the numbers of a send are kept at least: longer than `RecentSends` looks back.
const RECENT_SENDS_MS: i64 = 120_000;
const MINUTE_MS: i64 = 60_000;
/// The most addresses that are counted in a minute. Whoever sends from more is never over the limit of one.
const ADDRESSES: usize = 100_000;

/// The calls of all principals.
#[derive(Clone)]
pub(crate) struct Limits {
    clock: Wall,
    hasher: RandomState,
    shards: Arc<[Mutex<HashMap<String, Principal>>]>,
}

/// The calls of one principal.
#[derive(Default)]
struct Principal {
    logs: HashMap<&'static str, SlidingLog>,
    recent_sends: RecentSends,
    /// Nothing of it counts from then on. `None` if nothing counts.
    until: Option<Instant>,
}

impl Principal {
    fn ask(
        &mut self,
        (group, rule): (&'static str, RateLimit),
        marks: &[Mark],
        unused: Unused,
        now: Instant,
    ) -> LimiterAnswer {
        let log = self.logs.entry(group).or_default();
        log.give_back_unused(unused);
        let verdict = log.ask(rule, now);
        let at = log.last().filter(|_| verdict.allowed);
        if let Some(at) = at {
            self.until = self.until.max(Some(at.plus(rule.window_ms)));
        }
        let marks = if verdict.allowed { marks } else { &[] };
        if !marks.is_empty() {
            self.until = self.until.max(Some(now.plus(RECENT_SENDS_MS)));
        }
        LimiterAnswer { verdict, at: at.unwrap_or(now), contested: self.recent_sends.contested(marks, now) }
    }

    fn hold(&mut self, group: &'static str, rule: RateLimit, ahead: Ahead, now: Instant) -> Held {
        let held = self.logs.entry(group).or_default().hold(rule, ahead, now);
        self.until = self.until.max(Some(held.until.plus(rule.window_ms)));
        held
    }
}

impl Limits {
    pub(crate) fn new(clock: Wall) -> Self {
        Self { clock, hasher: RandomState::new(), shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn with<T>(&self, principal: &str, change: impl FnOnce(&mut Principal) -> T) -> Result<T, PlatformError> {
        let place = self.hasher.hash_one(principal).rem_euclid(SHARDS as u64);
        let place = usize::try_from(place).map_err(|_| PlatformError)?;
        let shard = self.shards.get(place).ok_or(PlatformError)?;
        let mut shard = shard.lock().map_err(|_| PlatformError)?;
        if let Some(known) = shard.get_mut(principal) {
            return Ok(change(known));
        }
        Ok(change(shard.entry(principal.to_owned()).or_default()))
    }

    /// Forgets the principals whose calls have left their windows.
    pub(crate) fn tidy(&self) {
        let now = self.clock.now();
        for shard in self.shards.iter() {
            if let Ok(mut shard) = shard.lock() {
                shard.retain(|_, principal| principal.until > Some(now));
            }
        }
    }
}

impl Limiter for Limits {
    fn ask<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        marks: &'a [Mark],
        unused: Unused,
    ) -> Step<'a, Result<LimiterAnswer, PlatformError>> {
        // The clock is read under the lock, so that calls are counted in the order of their instants.
        let ask = |known: &mut Principal| known.ask((group, rule), marks, unused, self.clock.now());
        Box::pin(ready(self.with(principal, ask)))
    }

    fn hold<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        ahead: Ahead,
    ) -> Step<'a, Result<Held, PlatformError>> {
        let hold = |known: &mut Principal| known.hold(group, rule, ahead, self.clock.now());
        Box::pin(ready(self.with(principal, hold)))
    }

    fn give_back<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        at: Instant,
    ) -> Step<'a, Result<(), PlatformError>> {
        let give_back = |known: &mut Principal| {
            if let Some(log) = known.logs.get_mut(group) {
                log.give_back(at);
            }
        };
        Box::pin(ready(self.with(principal, give_back)))
    }
}

/// How often each address was counted in this minute.
#[derive(Clone)]
pub(crate) struct Addresses {
    clock: Wall,
    limit: u32,
    /// The most addresses. Further ones are not counted until the minute is over.
    most: usize,
    counts: Arc<Mutex<(i64, HashMap<String, u32>)>>,
}

impl Addresses {
    /// A counter that allows so many counts of an address in a minute.
    pub(crate) fn new(clock: Wall, limit: u32) -> Self {
        Self { clock, limit, most: ADDRESSES, counts: Arc::default() }
    }

    fn add(&self, address: &str, now: Instant) -> Result<bool, PlatformError> {
        let mut counts = self.counts.lock().map_err(|_| PlatformError)?;
        let minute = now.0.div_euclid(MINUTE_MS);
        if counts.0 != minute {
            *counts = (minute, HashMap::new());
        }
        if let Some(count) = counts.1.get_mut(address) {
            *count = count.saturating_add(1);
            return Ok(*count <= self.limit);
        }
        if counts.1.len() < self.most {
            counts.1.insert(address.to_owned(), 1);
        }
        Ok(self.limit > 0)
    }
}

impl AddressLimiter for Addresses {
    fn count<'a>(&'a self, address: &'a str) -> Step<'a, Result<bool, PlatformError>> {
        Box::pin(ready(self.add(address, self.clock.now())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    const RULE: RateLimit = RateLimit::per_minute(5);

    fn ask(limits: &Limits, principal: &str, marks: &[Mark]) -> LimiterAnswer {
        let asked = limits.ask(principal, "sends", RULE, marks, None).now_or_never();
        asked.unwrap().unwrap()
    }

    fn known(limits: &Limits) -> usize {
        let counts = limits.shards.iter().map(|shard| shard.lock().unwrap().len());
        counts.sum()
    }

    #[test]
    fn of_many_parallel_calls_as_many_pass_as_the_limit_allows() {
        let limits = Limits::new(Wall::default());
        let passed = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let allowed = ask(&limits, "key", &[]).verdict.allowed;
                        passed.fetch_add(usize::from(allowed), Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(passed.into_inner(), 5);
        assert!(ask(&limits, "another", &[]).verdict.allowed);
    }

    #[test]
    fn a_call_that_is_given_back_makes_room_and_old_principals_are_forgotten() {
        let clock = Wall::default();
        let limits = Limits::new(clock.clone());
        let first = ask(&limits, "key", &[]);
        for _ in 0..4 {
            assert!(ask(&limits, "key", &[]).verdict.allowed);
        }
        assert!(!ask(&limits, "key", &[]).verdict.allowed);
        let given = limits.give_back("key", "sends", first.at).now_or_never();
        given.unwrap().unwrap();
        assert!(ask(&limits, "key", &[]).verdict.allowed);
        assert!(!ask(&limits, "key", &[]).verdict.allowed);
        limits.tidy();
        assert_eq!(known(&limits), 1);
        clock.advance(60_001);
        limits.tidy();
        assert_eq!(known(&limits), 0);
        assert!(ask(&limits, "key", &[]).verdict.allowed);
    }

    #[test]
    fn a_number_that_came_for_another_patient_is_contested_unless_the_call_is_refused() {
        let clock = Wall::default();
        let limits = Limits::new(clock.clone());
        assert!(ask(&limits, "key", &[(1, 1), (2, 2)]).contested.is_empty());
        assert_eq!(ask(&limits, "key", &[(2, 2), (1, 3)]).contested, [1]);
        clock.advance(60_001);
        limits.tidy();
        assert!(ask(&limits, "key", &[(1, 4)]).contested.is_empty());
        for _ in 0..4 {
            ask(&limits, "key", &[]);
        }
        let refused = ask(&limits, "key", &[(1, 1)]);
        assert!(!refused.verdict.allowed && refused.contested.is_empty());
    }

    #[test]
    fn an_address_has_its_counts_in_each_minute() {
        let addresses = Addresses::new(Wall::default(), 2);
        let add = |address, at| addresses.add(address, Instant(at)).unwrap();
        assert!(add("a", 60_000) && add("a", 61_000) && add("b", 61_000));
        assert!(!add("a", 119_999));
        assert!(add("a", 120_000));
    }

    #[test]
    fn addresses_beyond_the_most_are_allowed_and_take_no_memory() {
        let mut addresses = Addresses::new(Wall::default(), 1);
        addresses.most = 2;
        let add = |address: &str| addresses.add(address, Instant(60_000)).unwrap();
        for n in 0..10 {
            assert!(add(&n.to_string()));
        }
        assert!(!add("0"), "those that were there first still count");
        assert_eq!(addresses.counts.lock().unwrap().1.len(), 2);
    }
}
