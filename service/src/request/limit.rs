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

/// The instants of the allowed calls, oldest first.
///
/// A log is exact, unlike counters: no window of the given length ever has more than `limit` calls, wherever it starts.
/// It has at most `limit` instants, because refused calls are not counted.
#[derive(Clone, Default, Debug)]
pub struct SlidingLog {
    calls: VecDeque<Instant>,
}

impl SlidingLog {
    /// A log from stored instants, oldest first.
    #[must_use]
    pub fn restore(calls: impl IntoIterator<Item = Instant>) -> Self {
        Self { calls: calls.into_iter().collect() }
    }

    /// Checks one call at `now`, and counts it if it is allowed.
    ///
    /// `now` never counts as earlier than the last counted call, so a clock that was set back does not free any calls.
    pub fn ask(&mut self, rule: RateLimit, now: Instant) -> Verdict {
        let now = self.calls.back().map_or(now, |last| now.max(*last));
        self.forget(rule, now);
        let limit = usize::try_from(rule.limit).unwrap_or(usize::MAX);
        let allowed = self.calls.len() < limit;
        if allowed {
            self.calls.push_back(now);
        }
        let leaves = |call: Option<&Instant>| call.map_or(now, |at| at.plus(rule.window_ms));
        // After a limit was lowered, the log may hold too many calls. All but `limit - 1` must leave.
        let surplus = self.calls.len().saturating_sub(limit.max(1));
        Verdict {
            allowed,
            limit: rule.limit,
            remaining: u32::try_from(limit.saturating_sub(self.calls.len())).unwrap_or(u32::MAX),
            reset: seconds_up(leaves(self.calls.front()).0),
            retry_after: seconds_up(leaves(self.calls.get(surplus)).since(now)).max(1),
        }
    }

    /// What [`Self::ask`] would answer. It counts nothing.
    #[must_use]
    pub fn peek(&self, rule: RateLimit, now: Instant) -> Verdict {
        self.clone().ask(rule, now)
    }

    /// Removes one call that was counted at an instant, as if it had not been made. Returns true if there was one.
    pub fn give_back(&mut self, at: Instant) -> bool {
        let counted = self.calls.iter().rposition(|call| *call == at);
        counted.is_some_and(|n| self.calls.remove(n).is_some())
    }

    /// Removes the calls that left the window ending at `now`.
    pub fn forget(&mut self, rule: RateLimit, now: Instant) {
        while self.calls.front().is_some_and(|oldest| now.since(*oldest) >= rule.window_ms) {
            self.calls.pop_front();
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
        let mut log = SlidingLog::restore([10_000, 10_400, 10_400].map(Instant));
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
            let mut log = SlidingLog::restore(before);
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
    }
}
