//! Many seeds on all processors, and what they reached together.

use crate::plan::Plan;
use crate::run::{Report, run};
use crate::states;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What many runs did together.
#[derive(Default)]
pub struct Sums {
    pub seeds: u64,
    pub calls: u64,
    pub events: u64,
    pub lasted: Duration,
    pub states: BTreeMap<&'static str, u64>,
    pub faults: BTreeMap<&'static str, u64>,
    /// The seeds that failed.
    pub failed: Vec<u64>,
}

impl Sums {
    fn add(&mut self, seed: u64, report: &Report) {
        self.seeds += 1;
        self.calls += report.calls;
        self.events += report.events;
        self.lasted += report.lasted;
        for (name, count) in &report.states {
            *self.states.entry(name).or_default() += count;
        }
        for (name, count) in &report.faults {
            *self.faults.entry(name).or_default() += count;
        }
        if !report.problems.is_empty() {
            self.failed.push(seed);
        }
    }

    /// The states that no run reached.
    #[must_use]
    pub fn unreached(&self) -> Vec<&'static str> {
        states::ALL.iter().copied().filter(|state| !self.states.contains_key(state)).collect()
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self, took: Duration) -> String {
        let (seeds, seconds, failed) = (self.seeds, took.as_secs_f64(), self.failed.len());
        format!("{seeds} seeds in {seconds:.1} s, {:.1} a second, {failed} failed", seeds as f64 / seconds.max(0.001))
    }

    /// All of it in words.
    #[must_use]
    pub fn said(&self, took: Duration) -> String {
        let mut said = String::new();
        let years = self.lasted.as_secs_f64() / (365.0 * 24.0 * 3600.0);
        let (calls, events, progress) = (self.calls, self.events, self.progress(took));
        let _written = writeln!(said, "{progress}; {calls} calls and {events} events in {years:.3} virtual years");
        if !self.failed.is_empty() {
            let _written = writeln!(said, "failed: {:?}", self.failed);
        }
        for (name, count) in &self.faults {
            let _written = writeln!(said, "  {count:>8} {name}");
        }
        let reached = states::ALL.len() - self.unreached().len();
        let _written = writeln!(said, "{reached} of {} states were reached", states::ALL.len());
        for (name, count) in &self.states {
            let _written = writeln!(said, "  {count:>8} {name}");
        }
        for state in self.unreached() {
            let _written = writeln!(said, "  not once: {state}");
        }
        said
    }
}

/// Runs seeds on all processors for some time at most. Each report is told as it comes, and the sums each minute. Returns how
/// long it took.
#[expect(clippy::disallowed_methods, reason = "how long the machine took is no part of a run")]
pub fn over(
    seeds: Range<u64>,
    most: Option<Duration>,
    told: &(dyn Fn(u64, &Report) + Sync),
    each_minute: &(dyn Fn(&Sums, Duration) + Sync),
) -> (Sums, Duration) {
    let began = std::time::Instant::now();
    let (next, sums) = (AtomicU64::new(seeds.start), Mutex::new((Sums::default(), 0)));
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while most.is_none_or(|most| began.elapsed() < most) {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let report = run(seed, &Plan::of(seed), false);
                    told(seed, &report);
                    let (sums, minutes) = &mut *sums.lock().unwrap_or_else(PoisonError::into_inner);
                    sums.add(seed, &report);
                    let took = began.elapsed();
                    if took.as_secs() / 60 > *minutes {
                        *minutes = took.as_secs() / 60;
                        each_minute(sums, took);
                    }
                }
            });
        }
    });
    let (mut sums, _) = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    sums.failed.sort_unstable();
    (sums, began.elapsed())
}

/// The commit of the working tree, by which a failing seed is run again.
#[must_use]
pub fn commit() -> String {
    let asked = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    asked.ok().and_then(|said| String::from_utf8(said.stdout).ok()).map_or("?".into(), |said| said.trim().to_owned())
}
