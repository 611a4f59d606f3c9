//! Estimates how long the rest of a file takes.
//!
//! A service with a rate limit takes claims in bursts: some seconds of sending, then a wait. The pace of the last
//! seconds would promise an end too early before a wait, and too late after it. So once the service has asked for a
//! wait, the pace is measured from the start to the end of that wait.

use crate::retry::Wait;
use std::time::{Duration, Instant};

/// The progress and the waits of a command.
#[derive(Debug)]
pub(crate) struct Pace {
    start: Instant,
    /// How much of the file is done, from 0 to 1.
    done: f64,
    /// How much was done when the service last asked for a wait, and when that wait ends.
    rate_wait: Option<RateWait>,
    /// When the wait ends.
    until: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
struct RateWait {
    done: f64,
    ends: Instant,
    /// The time from the wait before to this one.
    cycle: Duration,
}

impl Pace {
    pub(crate) fn new(start: Instant) -> Self {
        Self { start, done: 0.0, rate_wait: None, until: None }
    }

    /// Records how much of the file is done, from 0 to 1.
    pub(crate) fn reach(&mut self, done: f64) {
        self.done = done;
    }

    /// Records a wait. A wait because of a rate limit is expected to come again.
    pub(crate) fn wait(&mut self, now: Instant, wait: Wait) {
        let (Wait::Limited(time) | Wait::Failed(time)) = wait;
        let Some(ends) = now.checked_add(time) else {
            return;
        };
        self.until = Some(ends);
        if matches!(wait, Wait::Failed(_)) {
            return;
        }
        if self.done <= 0.0 {
            // Other callers used up the limit, so the time until now does not show our own pace.
            self.start = ends;
            return;
        }
        let before = self.rate_wait.map_or(self.start, |rate_wait| rate_wait.ends);
        self.rate_wait = Some(RateWait { done: self.done, ends, cycle: ends.saturating_duration_since(before) });
    }

    /// The time left, or `None` while there is too little to measure.
    pub(crate) fn left(&self, now: Instant) -> Option<Duration> {
        let waits = self.until.map(|until| until.saturating_duration_since(now));
        let waits = waits.unwrap_or_default();
        if let Some(rate_wait) = self.rate_wait.filter(|rate_wait| rate_wait.holds(now)) {
            let took = rate_wait.ends.saturating_duration_since(self.start);
            let rest = scaled(took, (1.0 - rate_wait.done) / rate_wait.done)?;
            let over = now.saturating_duration_since(rate_wait.ends);
            let until = rate_wait.ends.saturating_duration_since(now);
            return Some(rest.saturating_sub(over).saturating_add(until));
        }
        if self.done <= 0.0 {
            return None;
        }
        let took = now.saturating_duration_since(self.start);
        let rest = scaled(took, (1.0 - self.done) / self.done)?;
        Some(rest.saturating_add(waits))
    }
}

impl RateWait {
    /// True while another wait is to be expected. The limit counts as gone when no wait came for twice the usual time.
    fn holds(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.ends) <= self.cycle.saturating_mul(2)
    }
}

fn scaled(time: Duration, by: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(time.as_secs_f64() * by.max(0.0)).ok()
}

/// `5 s`, `3 min`, `2 h 10 min`: no finer than the estimate is exact.
pub(crate) fn words(left: Duration) -> String {
    let seconds = left.as_secs().saturating_add(u64::from(left.subsec_nanos() > 0));
    let minutes = seconds.div_ceil(60);
    match (minutes / 60, minutes % 60) {
        _ if seconds < 60 => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BURST: u64 = 10;
    const CYCLE: u64 = 60;

    /// Sends a file in `cycles` bursts of 10 s a minute, and asks every second how long the rest takes.
    fn answers(cycles: u64) -> Vec<(u64, Option<Duration>)> {
        let start = crate::system::instant();
        let at = |second: u64| start + Duration::from_secs(second);
        let mut pace = Pace::new(start);
        let mut said = Vec::new();
        // The last burst ends the file without a wait.
        for second in 0..CYCLE * (cycles - 1) + BURST {
            let (cycle, within) = (second / CYCLE, second % CYCLE);
            let burst = within.min(BURST) as f64 / BURST as f64;
            pace.reach((cycle as f64 + burst) / cycles as f64);
            if within == BURST {
                pace.wait(at(second), Wait::Limited(Duration::from_secs(CYCLE - BURST)));
            }
            said.push((second, pace.left(at(second))));
        }
        said
    }

    #[test]
    fn under_a_rate_limit_the_time_left_is_right_from_the_first_wait_on() {
        let cycles = 20;
        let ends = CYCLE * (cycles - 1) + BURST;
        for (second, left) in answers(cycles).into_iter().skip(10) {
            let left = left.unwrap().as_secs();
            let really = ends - second;
            // The estimate cannot know that no wait follows the last burst.
            let off = left.abs_diff(really);
            assert!(off <= CYCLE - BURST, "after {second} s: {left} s for {really} s");
        }
    }

    #[test]
    fn a_wait_is_part_of_the_time_left() {
        let start = crate::system::instant();
        let at = |second: u64| start + Duration::from_secs(second);
        let mut pace = Pace::new(start);
        assert_eq!(pace.left(at(1)), None);
        // Other callers used up the limit: our own pace is measured from the end of the wait.
        pace.wait(at(1), Wait::Limited(Duration::from_secs(59)));
        assert_eq!(pace.left(at(30)), None);
        pace.reach(0.5);
        assert_eq!(pace.left(at(70)), Some(Duration::from_secs(10)));
        // A temporary failure makes the end later but does not change the pace.
        pace.wait(at(70), Wait::Failed(Duration::from_secs(30)));
        assert_eq!(pace.left(at(70)), Some(Duration::from_secs(40)));
    }

    #[test]
    fn a_limit_that_is_gone_is_forgotten() {
        let start = crate::system::instant();
        let at = |second: u64| start + Duration::from_secs(second);
        let mut pace = Pace::new(start);
        pace.reach(0.01);
        pace.wait(at(10), Wait::Limited(Duration::from_secs(50)));
        assert_eq!(pace.left(at(60)), Some(Duration::from_secs(5940)));
        pace.reach(0.5);
        assert_eq!(pace.left(at(200)), Some(Duration::from_secs(200)));
    }

    #[test]
    fn the_words_are_no_finer_than_what_is_known() {
        for (ms, said) in [
            (0, "0 s"),
            (400, "1 s"),
            (59_000, "59 s"),
            (59_900, "1 min"),
            (61_000, "2 min"),
            (3_599_000, "1 h 0 min"),
            (7_800_000, "2 h 10 min"),
        ] {
            assert_eq!(words(Duration::from_millis(ms)), said);
        }
    }
}
