//! Calls that a limit counts: in no minute are more accepted than the limit says, and none is refused without a reason. Isolates
//! have calls ahead, which count although they may not be made: at most half of the limit, in these worlds.

use std::collections::BTreeMap;

/// The length of each window.
const WINDOW: u64 = 60 * crate::clock::SECOND;

/// A call with the virtual times at which it was sent and answered.
#[derive(Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) began: u64,
    /// `None` if no answer came.
    pub(crate) ended: Option<u64>,
    /// True if it passed the limit; `None` if its answer does not say so.
    pub(crate) passed: Option<bool>,
}

/// The sends of each key, by its place in the model.
#[derive(Default)]
pub(crate) struct Limits(BTreeMap<usize, Vec<Counted>>);

impl Limits {
    pub(crate) fn count(&mut self, key: usize, call: Counted) {
        self.0.entry(key).or_default().push(call);
    }

    /// What does not fit a limit.
    pub(crate) fn problems(&self, most: usize) -> Vec<String> {
        let all = self.0.iter();
        all.flat_map(|(key, calls)| calls.iter().filter_map(move |call| wrong(calls, *call, most).map(|is| (key, is))))
            .map(|(key, wrong)| format!("sends of key {key}, of which a minute takes {most}: {wrong}"))
            .collect()
    }
}

fn wrong(calls: &[Counted], call: Counted, most: usize) -> Option<String> {
    let ended = call.ended?;
    if call.passed == Some(false) {
        // It was counted at some moment of the call; so were those that may have filled its window.
        let may_count = |other: &&Counted| {
            let is_late = other.ended.is_some_and(|at| at + WINDOW < call.began);
            other.passed != Some(false) && other.began < ended && !is_late
        };
        let others = calls.iter().filter(may_count).count();
        return (others < most.div_ceil(2)).then(|| format!("one is refused at {ended} after {others} others"));
    }
    // All of these were counted within one window.
    let is_within = |other: &&Counted| {
        let is_in_time = other.ended.is_some_and(|at| at < call.began + WINDOW);
        other.passed == Some(true) && other.began >= call.began && is_in_time
    };
    let passed = calls.iter().filter(is_within).count();
    (passed > most).then(|| format!("{passed} pass within a minute from {}", call.began))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(at: u64, passed: bool) -> Counted {
        Counted { began: at, ended: Some(at + 1), passed: Some(passed) }
    }

    #[test]
    fn a_window_takes_as_many_as_the_limit_says() {
        let mut limits = Limits::default();
        for at in [0, 10, WINDOW + 20] {
            limits.count(0, call(at, true));
        }
        limits.count(0, call(20, false));
        assert_eq!(limits.problems(2), Vec::<String>::new());
        assert_eq!(limits.problems(1).len(), 1, "two passed");
        assert_eq!(limits.problems(5).len(), 1, "one was refused after two");
    }
}
