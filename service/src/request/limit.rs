//! Exact rate limits: at most `limit` calls in any window (interface: Limits).

use overturn_core::base::instant::Instant;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// `limit` calls in any window of `window_ms` milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RateLimit {
    /// Calls allowed in a window.
    pub limit: u32,
    /// Length of the window in milliseconds.
    pub window_ms: i64,
}

impl RateLimit {
    #[must_use]
    pub const fn per_minute(limit: u32) -> Self {
        Self { limit, window_ms: 60_000 }
    }
}

/// The limiter's answer to one call; the source of the `X-RateLimit-*` and `Retry-After` headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// True if the call may proceed.
    pub allowed: bool,
    /// The applicable limit.
    pub limit: u32,
    /// Calls left in the window after this one.
    pub remaining: u32,
    /// When the oldest counted call leaves the window, in Unix seconds, rounded up.
    pub reset: i64,
    /// Whole seconds until a refused call can succeed, at least 1.
    pub retry_after: i64,
}

/// Calls to count before they are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ahead {
    /// How many.
    pub calls: u32,
    /// How long they can be made, in milliseconds.
    pub ms: i64,
    pub unused: Unused,
}

/// Calls that were counted ahead until an instant and were not made, and how many.
pub type Unused = Option<(Instant, u32)>;

/// Calls that are counted ahead. Each can be made without asking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Held {
    /// How many.
    pub calls: u32,
    /// They can be made before this instant.
    pub until: Instant,
    /// The verdict on each of them. Its `remaining` is what is left beside all of them.
    pub verdict: Verdict,
}

/// One of this many calls that are left in the window can be counted ahead. So what an instance has and does not use
/// refuses hardly any call of another one.
const AHEAD_SHARE: usize = 8;

/// The instants of the allowed calls, oldest first.
///
/// A log is exact, unlike counters: no window of the given length ever has more than `limit` calls, wherever it starts.
/// It has at most `limit` instants, because refused calls are not counted.
#[derive(Clone, Default, Debug)]
pub struct SlidingLog {
    calls: VecDeque<Instant>,
    /// Calls that are counted ahead, by the last instant at which each can be made. From then on, they count as made
    /// at that instant.
    ahead: VecDeque<Instant>,
}

impl SlidingLog {
    /// A log from stored instants, oldest first. Those after `now` are of calls that are counted ahead.
    #[must_use]
    pub fn restore(calls: impl IntoIterator<Item = Instant>, now: Instant) -> Self {
        let (calls, ahead) = calls.into_iter().partition(|at| *at <= now);
        Self { calls, ahead }
    }

    /// Checks one call at `now`, and counts it if it is allowed.
    ///
    /// `now` never counts as earlier than the last counted call, so a clock that was set back does not free any calls.
    pub fn ask(&mut self, rule: RateLimit, now: Instant) -> Verdict {
        let now = self.advance(rule, now);
        let allowed = self.room(rule) > 0;
        if allowed {
            self.calls.push_back(now);
        }
        self.verdict(rule, allowed, now)
    }

    /// Counts calls ahead, after the unused ones are given back. Few are given, or none, if few are left in the window.
    pub fn hold(&mut self, rule: RateLimit, ahead: Ahead, now: Instant) -> Held {
        self.give_back_unused(ahead.unused);
        let now = self.advance(rule, now);
        let most = self.room(rule).div_euclid(AHEAD_SHARE).saturating_sub(self.ahead.len());
        let calls = most.min(usize::try_from(ahead.calls).unwrap_or(usize::MAX));
        let until = now.plus(ahead.ms.clamp(0, rule.window_ms));
        let place = self.ahead.partition_point(|at| *at <= until);
        for _ in 0..calls {
            self.ahead.insert(place, until);
        }
        Held { calls: u32::try_from(calls).unwrap_or(u32::MAX), until, verdict: self.verdict(rule, true, now) }
    }

    /// What [`Self::ask`] would answer. It counts nothing.
    #[must_use]
    pub fn peek(&self, rule: RateLimit, now: Instant) -> Verdict {
        self.clone().ask(rule, now)
    }

    /// Removes one call that was counted at an instant, as if it had not been made. Returns true if there was one.
    pub fn give_back(&mut self, at: Instant) -> bool {
        let remove = |calls: &mut VecDeque<Instant>| {
            let counted = calls.iter().rposition(|call| *call == at);
            counted.is_some_and(|n| calls.remove(n).is_some())
        };
        remove(&mut self.ahead) || remove(&mut self.calls)
    }

    /// Removes calls that were counted ahead.
    pub fn give_back_unused(&mut self, unused: Unused) {
        if let Some((until, calls)) = unused {
            for _ in 0..calls {
                self.give_back(until);
            }
        }
    }

    /// Removes the calls that left the window ending at `now`, and returns the instant that counts as now.
    fn advance(&mut self, rule: RateLimit, now: Instant) -> Instant {
        let now = self.calls.back().map_or(now, |last| now.max(*last));
        while let Some(until) = self.ahead.front().copied().filter(|until| *until <= now) {
            self.ahead.pop_front();
            self.calls.push_back(until);
        }
        while self.calls.front().is_some_and(|oldest| now.since(*oldest) >= rule.window_ms) {
            self.calls.pop_front();
        }
        now
    }

    fn count(&self) -> usize {
        self.calls.len().saturating_add(self.ahead.len())
    }

    fn room(&self, rule: RateLimit) -> usize {
        usize::try_from(rule.limit).unwrap_or(usize::MAX).saturating_sub(self.count())
    }

    fn verdict(&self, rule: RateLimit, allowed: bool, now: Instant) -> Verdict {
        let limit = usize::try_from(rule.limit).unwrap_or(usize::MAX);
        let leaves = |call: Option<&Instant>| call.map_or(now, |at| at.plus(rule.window_ms));
        let nth = |n| self.calls.get(n).or_else(|| self.ahead.get(n.saturating_sub(self.calls.len())));
        // After a limit was lowered, the log may hold too many calls. All but `limit - 1` must leave.
        let surplus = self.count().saturating_sub(limit.max(1));
        Verdict {
            allowed,
            limit: rule.limit,
            remaining: u32::try_from(self.room(rule)).unwrap_or(u32::MAX),
            reset: seconds_up(leaves(nth(0)).0),
            retry_after: seconds_up(leaves(nth(surplus)).since(now)).max(1),
        }
    }

    /// The instant of the last counted call.
    #[must_use]
    pub fn last(&self) -> Option<Instant> {
        self.calls.back().copied()
    }
}

fn seconds_up(ms: i64) -> i64 {
    ms.saturating_add(999).div_euclid(1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULE: RateLimit = RateLimit { limit: 3, window_ms: 1_000 };

    #[test]
    fn the_fourth_call_of_a_window_waits_until_the_first_has_left_it() {
        let mut log = SlidingLog::default();
        let ask = |log: &mut SlidingLog, at| {
            let verdict = log.ask(RULE, Instant(at));
            (verdict.allowed, verdict.remaining, verdict.retry_after)
        };
        assert_eq!(ask(&mut log, 10_000), (true, 2, 1));
        assert_eq!(ask(&mut log, 10_400), (true, 1, 1));
        assert_eq!(ask(&mut log, 10_900), (true, 0, 1));
        assert_eq!(ask(&mut log, 10_999), (false, 0, 1));
        assert_eq!(ask(&mut log, 11_000), (true, 0, 1));
        assert_eq!(ask(&mut log, 11_001), (false, 0, 1));
        assert_eq!(log.ask(RateLimit::per_minute(3), Instant(11_001)).retry_after, 60);
        assert_eq!(log.ask(RULE, Instant(11_001)).reset, 12);
        // Refused calls are not counted.
        assert_eq!(log.last(), Some(Instant(11_000)));
        assert_eq!(SlidingLog::default().last(), None);
    }

    #[test]
    fn a_call_that_is_given_back_makes_room_once() {
        let mut log = SlidingLog::restore([10_000, 10_400, 10_400].map(Instant), Instant(10_400));
        assert!(!log.ask(RULE, Instant(10_500)).allowed);
        assert!(log.give_back(Instant(10_400)));
        assert!(!log.give_back(Instant(10_401)), "no such call");
        assert!(log.ask(RULE, Instant(10_500)).allowed);
        assert!(!log.ask(RULE, Instant(10_500)).allowed);
        // The remaining calls leave the window at their usual time.
        assert!(log.ask(RULE, Instant(11_000)).allowed);
        assert!(!log.ask(RULE, Instant(11_399)).allowed);
    }

    #[test]
    fn a_caller_that_waits_as_asked_is_allowed_even_after_the_limit_was_lowered() {
        let before = [10_000, 10_400, 20_900, 30_000, 40_000].map(Instant);
        for (limit, retry_after) in [(5, 20), (4, 21), (3, 31), (2, 40), (1, 50)] {
            let rule = RateLimit::per_minute(limit);
            let mut log = SlidingLog::restore(before, Instant(50_000));
            let verdict = log.ask(rule, Instant(50_000));
            assert_eq!((verdict.allowed, verdict.remaining), (false, 0));
            assert_eq!((verdict.reset, verdict.retry_after), (70, retry_after));
            let then = Instant(50_000 + 1000 * retry_after);
            assert!(!log.clone().ask(rule, then.plus(-1000)).allowed);
            assert!(log.ask(rule, then).allowed);
        }
        let nothing = RateLimit::per_minute(0);
        let verdict = SlidingLog::default().ask(nothing, Instant(50_000));
        assert_eq!((verdict.allowed, verdict.retry_after), (false, 1));
    }

    #[test]
    fn few_calls_are_counted_ahead_if_few_are_left() {
        let rule = RateLimit::per_minute(20);
        let ahead = Ahead { calls: 16, ms: 2_000, unused: None };
        let mut log = SlidingLog::default();
        let held = log.hold(rule, ahead, Instant(10_000));
        assert_eq!((held.calls, held.until, held.verdict.remaining), (2, Instant(12_000), 18));
        assert_eq!(log.hold(rule, ahead, Instant(10_001)).calls, 0, "another instance has them");
        log.give_back_unused(Some((held.until, 1)));
        assert_eq!(log.ask(rule, Instant(10_002)).remaining, 18);
        assert_eq!(log.clone().hold(rule, ahead, Instant(10_003)).calls, 1);
        for _ in 0..18 {
            assert!(log.ask(rule, Instant(10_004)).allowed);
        }
        let refused = log.ask(rule, Instant(10_005));
        assert_eq!((refused.allowed, refused.retry_after), (false, 60));
        assert_eq!(log.hold(rule, ahead, Instant(10_005)).calls, 0);
        // The call that was counted ahead leaves last.
        assert!((0..19).all(|_| log.ask(rule, Instant(70_004)).allowed));
        assert!(!log.ask(rule, Instant(71_999)).allowed);
        assert!(log.ask(rule, Instant(72_000)).allowed);
    }

    proptest! {
        #![proptest_config(overturn_core::testing::config())]
        #[test]
        fn no_window_exceeds_the_limit_and_no_call_is_refused_with_room(
            steps in prop::collection::vec(-50_i64..400, 1..200)
        ) {
            let mut log = SlidingLog::default();
            let mut clock = 1_000_000;
            let mut allowed: Vec<i64> = Vec::new();
            for step in steps {
                clock += step;
                let effective = allowed.last().map_or(clock, |last| clock.max(*last));
                let in_window = allowed.iter().filter(|at| effective - **at < 1_000).count();
                let verdict = log.ask(RULE, Instant(clock));
                prop_assert_eq!(verdict.allowed, in_window < 3);
                prop_assert!(verdict.retry_after >= 1);
                if verdict.allowed {
                    allowed.push(effective);
                }
            }
        }

        /// Calls that are counted ahead are made at any time before their end, also from a log that was stored in between.
        #[test]
        fn no_window_exceeds_the_limit_whenever_calls_that_are_counted_ahead_are_made(
            steps in prop::collection::vec((0_i64..120, 0_u8..5, 1_u32..9, 0_i64..500), 1..300)
        ) {
            let rule = RateLimit { limit: 24, window_ms: 1_000 };
            let mut log = SlidingLog::default();
            let mut now = Instant(1_000_000);
            let mut held: Vec<Instant> = Vec::new();
            let mut made: Vec<Instant> = Vec::new();
            for (step, what, calls, ms) in steps {
                now = now.plus(step);
                held.retain(|until| *until > now);
                match what {
                    0 | 1 => made.extend(log.ask(rule, now).allowed.then_some(now)),
                    2 => {
                        let given = log.hold(rule, Ahead { calls, ms, unused: None }, now);
                        held.extend((0..given.calls).map(|_| given.until));
                    }
                    3 => made.extend(held.pop().map(|_| now)),
                    _ => {
                        let stored: Vec<Instant> = log.calls.iter().chain(&log.ahead).copied().collect();
                        log = SlidingLog::restore(stored, now);
                    }
                }
                let in_window = made.iter().filter(|at| now.since(**at) < rule.window_ms).count();
                prop_assert!(in_window <= 24, "{in_window} calls");
            }
        }
    }
}
