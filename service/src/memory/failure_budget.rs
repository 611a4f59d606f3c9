//! How many sign-ins from unknown devices may fail in one isolate (interface: Limits).
//!
//! An unknown device has no cookie of an earlier sign-in to the account. Each attempt costs a password hash, which holds
//! the isolate's only thread. So an isolate lets only a few of them fail in a window, and fewer during a flood. A
//! flood is a window in which attempts from many networks are refused. These attempts far outnumber those of people, so
//! the few hashes during a flood would hardly help a person. The claims interface gets their time instead. Attempts of
//! one network alone are not a flood, because one network must not keep the others out. People on known devices, and
//! those with a mailed link, are not counted here.

use crate::request::limit::{RateLimit, SlidingLog, Verdict};
use overturn_core::base::instant::Instant;
use std::collections::VecDeque;

/// Failed attempts of a window during a flood.
const FAILURES_IN_A_FLOOD: u32 = 1;

/// What the isolate allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FailureRules {
    /// Failed attempts.
    pub(crate) failures: RateLimit,
    /// Networks with refused attempts that make a flood.
    pub(crate) flood: RateLimit,
}

/// The attempts from unknown devices in one isolate.
#[derive(Clone, Default, Debug)]
pub(crate) struct FailureBudget {
    /// Attempts that failed, or whose password is being checked.
    failed: SlidingLog,
    /// The networks that were refused last, and when, oldest first: at most as many as make a flood.
    refused: VecDeque<(String, Instant)>,
}

impl FailureBudget {
    /// Whether one more attempt may fail now. Counts a refusal, but no attempt.
    pub(crate) fn may_fail(&mut self, rules: FailureRules, network: &str, now: Instant) -> Verdict {
        let verdict = self.failed.peek(self.failures(rules, now), now);
        if !verdict.allowed {
            self.refuse(rules, network, now);
        }
        verdict
    }

    /// Counts an attempt as failed before its password is checked, or refuses it.
    pub(crate) fn begin(&mut self, rules: FailureRules, now: Instant) -> Verdict {
        let failures = self.failures(rules, now);
        self.failed.ask(failures, now)
    }

    /// Counts an attempt of a network that was refused for another reason.
    pub(crate) fn refuse(&mut self, rules: FailureRules, network: &str, now: Instant) {
        self.refused.retain(|(other, _)| other != network);
        self.refused.push_back((network.into(), now));
        if self.refused.len() > size(rules.flood) {
            self.refused.pop_front();
        }
    }

    /// Takes back the attempt that began at an instant: its password was right.
    pub(crate) fn give_back(&mut self, began_at: Instant) {
        self.failed.give_back(began_at);
    }

    fn failures(&self, rules: FailureRules, now: Instant) -> RateLimit {
        let mut failures = rules.failures;
        let is_recent = |(_, at): &(String, Instant)| now.since(*at) < rules.flood.window_ms;
        if self.refused.len() >= size(rules.flood) && self.refused.front().is_some_and(is_recent) {
            failures.limit = failures.limit.min(FAILURES_IN_A_FLOOD);
        }
        failures
    }
}

fn size(rule: RateLimit) -> usize {
    usize::try_from(rule.limit).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    const RULES: FailureRules = FailureRules {
        failures: RateLimit { limit: 5, window_ms: 20_000 },
        flood: RateLimit { limit: 10, window_ms: 20_000 },
    };

    fn attempt(budget: &mut FailureBudget, network: i64, at: i64) -> bool {
        let (network, at) = (network.to_string(), Instant(at));
        budget.may_fail(RULES, &network, at).allowed && budget.begin(RULES, at).allowed
    }

    /// How many attempts of a period are checked, if so many networks try in turn, one every five milliseconds.
    fn flood(budget: &mut FailureBudget, networks: i64, period: Range<i64>) -> usize {
        let attempts = period.step_by(5);
        attempts.filter(|at| attempt(budget, at / 5 % networks, *at)).count()
    }

    #[test]
    fn a_few_may_fail_and_what_was_right_is_given_back() {
        let mut budget = FailureBudget::default();
        for n in 0..5 {
            assert!(budget.begin(RULES, Instant(n)).allowed);
        }
        let refused = budget.may_fail(RULES, "", Instant(5));
        assert_eq!((refused.allowed, refused.retry_after), (false, 20));
        budget.give_back(Instant(2));
        assert!(budget.may_fail(RULES, "", Instant(6)).allowed);
        assert!(budget.begin(RULES, Instant(6)).allowed);
        assert!(!budget.begin(RULES, Instant(7)).allowed);
    }

    #[test]
    fn a_flood_gets_one_attempt_a_window_until_it_ends() {
        let mut budget = FailureBudget::default();
        assert_eq!(flood(&mut budget, 200, 0..20_000), 5);
        assert_eq!(flood(&mut budget, 200, 20_000..40_000), 1);
        assert_eq!(flood(&mut budget, 200, 40_000..60_000), 1);
        assert_eq!(flood(&mut budget, 200, 80_000..80_100), 5);
    }

    #[test]
    fn a_flood_that_waits_for_turns_is_seen_before_the_second_turn() {
        let mut budget = FailureBudget::default();
        assert!(budget.begin(RULES, Instant(0)).allowed);
        for network in 0..10 {
            budget.refuse(RULES, &network.to_string(), Instant(100));
        }
        assert!(!budget.begin(RULES, Instant(150)).allowed);
        assert!(budget.begin(RULES, Instant(20_100)).allowed);
    }

    #[test]
    fn nine_networks_are_no_flood() {
        for networks in [1, 9] {
            let mut budget = FailureBudget::default();
            assert_eq!(flood(&mut budget, networks, 0..20_000), 5);
            assert_eq!(flood(&mut budget, networks, 20_000..40_000), 5);
        }
    }

    #[test]
    fn a_few_refusals_are_no_flood() {
        let mut budget = FailureBudget::default();
        for n in 0..14 {
            assert_eq!(attempt(&mut budget, n, n * 100), n < 5);
        }
        for n in 0..5 {
            assert!(attempt(&mut budget, n, 20_400 + n));
        }
    }
}
