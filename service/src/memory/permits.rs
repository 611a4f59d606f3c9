//! Calls of a key that its limiter has counted ahead, so that they need not ask.
//!
//! The limiter counts each at the end of its time, whenever it is made. So no window ever has more calls than the limit,
//! and a caller near the limit gets none. Calls that are not made are given back with the next ones.

use crate::request::limit::{Ahead, Held, Unused, Verdict};
use overturn_core::base::instant::Instant;

/// For how long a caller with many calls gets calls ahead, and how many at most.
const BUSY_MS: i64 = 2_000;
const MOST: i64 = 64;
/// For how long any other caller gets one.
const CALM_MS: i64 = 30_000;
/// After this long, an answer of the limiter is not waited for.
const LOST_MS: i64 = 5_000;

/// The calls that a key has ahead.
#[derive(Default)]
pub(crate) struct Permits {
    /// They end then, by the clock of this isolate.
    held: Option<(Held, Instant)>,
    /// The calls since the last ones were asked for, and since when.
    made: i64,
    since: Option<Instant>,
    /// Until then, more are on their way.
    asked_until: Option<Instant>,
}

impl Permits {
    /// The verdict on a call that was counted ahead, which is used up, and until when it was. `None` if the limiter has to be
    /// asked.
    pub(crate) fn take(&mut self, now: Instant) -> Option<(Verdict, Instant)> {
        self.made = self.made.saturating_add(1);
        let (held, _) = self.held.as_mut().filter(|(_, ends)| now < *ends)?;
        held.calls = held.calls.checked_sub(1)?;
        let Verdict { remaining, reset, .. } = held.verdict;
        // Calls may have left the window since.
        let reset = reset.max(now.0.div_euclid(1_000));
        let verdict = Verdict { remaining: remaining.saturating_add(held.calls), reset, ..held.verdict };
        Some((verdict, held.until))
    }

    /// What is left, to be given back, with a call that was taken and is not made.
    pub(crate) fn leave(&mut self, taken: Option<Instant>) -> Unused {
        let left = self.held.take().filter(|(held, _)| held.calls > 0);
        match (left, taken) {
            (Some((left, _)), Some(taken)) if left.until == taken => Some((taken, left.calls.saturating_add(1))),
            (Some((left, _)), _) => Some((left.until, left.calls)),
            (None, taken) => taken.map(|taken| (taken, 1)),
        }
    }

    /// What to ask for, if none is left and nothing is on its way.
    pub(crate) fn next(&mut self, now: Instant) -> Option<Ahead> {
        let has_some = self.held.is_some_and(|(held, ends)| held.calls > 0 && now < ends);
        if self.asked_until > Some(now) || has_some {
            return None;
        }
        let expected =
            self.since.map(|since| self.made.saturating_mul(BUSY_MS).div_euclid(now.since(since).max(BUSY_MS)));
        let expected = expected.filter(|calls| *calls > 1);
        let (calls, ms) = expected.map_or((1, CALM_MS), |calls| (calls.min(MOST), BUSY_MS));
        let unused = self.leave(None);
        *self = Self { held: None, made: 0, since: Some(now), asked_until: Some(now.plus(LOST_MS)) };
        Some(Ahead { calls: u32::try_from(calls).unwrap_or(1), ms, unused })
    }

    /// The limiter has counted these, which were asked for at an instant. If there is no room for any, it is not asked
    /// again at once.
    pub(crate) fn hold(&mut self, held: Held, ahead: Ahead, asked: Instant) {
        self.asked_until = (held.calls == 0).then(|| asked.plus(LOST_MS));
        self.held = Some((held, asked.plus(ahead.ms)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::limit::{RateLimit, SlidingLog};

    const RULE: RateLimit = RateLimit::per_minute(600);

    fn refill(permits: &mut Permits, log: &mut SlidingLog, at: i64) -> Option<Ahead> {
        let ahead = permits.next(Instant(at))?;
        permits.hold(log.hold(RULE, ahead, Instant(at)), ahead, Instant(at));
        Some(ahead)
    }

    #[test]
    fn a_calm_caller_has_one_call_ahead_and_a_busy_one_has_many() {
        let (mut permits, mut log) = (Permits::default(), SlidingLog::default());
        assert_eq!(permits.take(Instant(100_000)), None);
        let one = Ahead { calls: 1, ms: CALM_MS, unused: None };
        assert_eq!(refill(&mut permits, &mut log, 100_000), Some(one));
        assert_eq!(permits.next(Instant(100_001)), None, "one is there");
        assert_eq!(permits.take(Instant(100_010)).map(|(verdict, _)| verdict.remaining), Some(599));
        assert_eq!(permits.take(Instant(100_011)), None, "it is used");
        // A few quick calls get no more than they were. The calls of two seconds are expected again.
        let few = refill(&mut permits, &mut log, 100_020);
        assert_eq!(few, Some(Ahead { calls: 2, ms: BUSY_MS, unused: None }));
        for _ in 0..40 {
            permits.take(Instant(100_030));
        }
        let many = refill(&mut permits, &mut log, 101_000);
        assert_eq!(many, Some(Ahead { calls: 40, ms: BUSY_MS, unused: None }));
        let remaining: Vec<_> = (0..40).map(|_| permits.take(Instant(101_030)).map(|(it, _)| it.remaining)).collect();
        assert_eq!((remaining[0], remaining[39]), (Some(596), Some(557)));
        assert_eq!(permits.take(Instant(101_031)), None);
    }

    #[test]
    fn calls_end_with_their_time_and_what_was_not_made_is_given_back() {
        let (mut permits, mut log) = (Permits::default(), SlidingLog::default());
        permits.take(Instant(100_000));
        refill(&mut permits, &mut log, 100_000);
        assert_eq!(permits.take(Instant(130_000)), None);
        let ahead = permits.next(Instant(130_000)).unwrap();
        assert_eq!(ahead.unused, Some((Instant(130_000), 1)));
        assert_eq!(permits.leave(None), None, "it is given back once");
        assert_eq!(permits.next(Instant(130_001)), None, "they are on their way");
        assert!(permits.next(Instant(135_000)).is_some(), "the answer was lost");
    }

    #[test]
    fn a_caller_near_the_limit_has_none_and_the_limiter_is_rarely_asked() {
        let (mut permits, mut log) = (Permits::default(), SlidingLog::default());
        for _ in 0..593 {
            assert!(log.ask(RULE, Instant(100_000)).allowed);
        }
        assert!(refill(&mut permits, &mut log, 100_000).is_some());
        assert_eq!(permits.take(Instant(100_001)), None);
        assert_eq!(permits.next(Instant(104_999)), None);
        assert!(permits.next(Instant(105_000)).is_some());
    }

    #[test]
    fn a_call_that_was_taken_and_is_not_made_is_given_back_with_the_others() {
        let (mut permits, mut log) = (Permits::default(), SlidingLog::default());
        refill(&mut permits, &mut log, 100_000);
        let (_, taken) = permits.take(Instant(100_001)).unwrap();
        assert_eq!(permits.leave(Some(taken)), Some((Instant(130_000), 1)));
        permits.take(Instant(100_002));
        permits.take(Instant(100_002));
        refill(&mut permits, &mut log, 100_010);
        assert_eq!(permits.leave(Some(taken)), Some((Instant(102_010), 3)), "others than the taken one");
    }
}
