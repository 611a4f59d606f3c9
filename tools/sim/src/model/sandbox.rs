//! Sandboxes, as their developers were told: how far a clock may be ahead, and what the scripts say of each claim.

use overturn_core::base::instant::{DAY_MS, Instant};
use std::ops::RangeInclusive;

/// The beginnings of claim numbers, each with the statuses that follow `received` and the days after which they do.
pub(crate) const SCRIPTS: [(&str, &[(i64, &str)]); 8] = [
    ("RECOVER", &[(1, "reviewing"), (3, "in_appeal"), (35, "recovered")]),
    ("PART", &[(1, "reviewing"), (3, "in_appeal"), (35, "recovered")]),
    ("CLOSE", &[(1, "reviewing"), (3, "in_appeal"), (35, "closed")]),
    ("SILENT", &[(1, "reviewing"), (3, "in_appeal")]),
    ("RECORDS", &[(1, "reviewing"), (3, "in_appeal"), (55, "recovered")]),
    ("REPORT", &[(1, "reviewing"), (3, "in_report")]),
    ("SIGN", &[(1, "reviewing")]),
    ("PLAIN", &[]),
];

/// A claim that was sent to a sandbox.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) number: String,
    /// The place of its script.
    pub(crate) script: usize,
    /// Its id, once it was told.
    pub(crate) id: Option<String>,
    /// When it may have arrived, by the clock of the sandbox in milliseconds.
    arrived: (i64, i64),
    /// How many steps of its script an answer has shown.
    seen: usize,
}

/// A practice's sandbox.
#[derive(Clone, Debug)]
pub(crate) struct Sandbox {
    pub(crate) practice: usize,
    pub(crate) id: String,
    /// How far its clock is ahead at least and at most, in milliseconds.
    ahead: (i64, i64),
    /// How far clocks of isolates are off, in milliseconds.
    skew: i64,
    /// The last time that its clock has said, and at which nothing that was due was left.
    settled: i64,
    pub(crate) trials: Vec<Trial>,
    /// Whether it is being emptied. `None` if nobody answered that.
    pub(crate) emptying: Option<bool>,
}

impl Sandbox {
    pub(crate) fn new(practice: usize, id: String, skew_ms: u64) -> Self {
        let skew = i64::try_from(skew_ms).unwrap_or(i64::MAX);
        Self { practice, id, ahead: (0, 0), skew, settled: i64::MIN, trials: Vec::new(), emptying: Some(false) }
    }

    /// What its clock may say in the course of a call.
    fn says(&self, (began, ended): (Instant, Instant)) -> RangeInclusive<i64> {
        began.0 + self.ahead.0 - self.skew..=ended.0 + self.ahead.1 + self.skew
    }

    /// Its clock is asked to advance to this time, or to as long after what it says.
    pub(crate) fn advancing(&mut self, now: Instant, to: i64) {
        self.ahead.1 = self.ahead.1.max(to - now.0 + self.skew);
    }

    /// Its clock was advanced to this time at least.
    pub(crate) fn advanced(&mut self, now: Instant, to: i64) {
        self.ahead.0 = self.ahead.0.max(to - now.0 - self.skew);
    }

    /// Its clock says something. Returns what is wrong with that.
    pub(crate) fn said(&mut self, during: (Instant, Instant), says: i64, waiting: u64) -> Option<String> {
        if waiting == 0 {
            self.settled = self.settled.max(says);
        }
        let may_say = self.says(during);
        let off = [says - may_say.start(), may_say.end() - says];
        (!may_say.contains(&says)).then(|| format!("the clock of a sandbox says {says}, off by {off:?} ms"))
    }

    /// A claim is sent for the first time.
    pub(crate) fn sends(&mut self, number: String, script: usize, now: Instant) -> usize {
        let arrived = (*self.says((now, now)).start(), i64::MAX);
        self.trials.push(Trial { number, script, id: None, arrived, seen: 0 });
        self.trials.len() - 1
    }

    /// A send of a claim was answered. Returns what is wrong with the answer.
    pub(crate) fn sent(&mut self, place: usize, now: Instant, (created, id): (bool, &str)) -> Option<String> {
        let latest = *self.says((now, now)).end();
        let trial = &mut self.trials[place];
        let wrong = trial.id.as_ref().is_some_and(|known| created || known != id);
        let wrong = wrong.then(|| format!("{} of a sandbox is {id}, created {created}, after {trial:?}", trial.number));
        trial.id.get_or_insert_with(|| id.to_owned());
        trial.arrived.1 = trial.arrived.1.min(latest);
        wrong
    }

    /// The status of a claim was told. Returns what is wrong with it.
    pub(crate) fn told(&mut self, place: usize, now: Instant, (id, status): (&str, &str)) -> Option<String> {
        let latest = *self.says((now, now)).end();
        let settled = self.settled;
        let trial = &mut self.trials[place];
        let steps = SCRIPTS[trial.script].1;
        let taken = |after: i64| steps.iter().take_while(|(days, _)| days * DAY_MS <= after).count();
        let least = trial.seen.max(taken(settled.saturating_sub(trial.arrived.1)));
        let most = taken(latest.saturating_sub(trial.arrived.0));
        let shown = (least..=most).find(|n| status == n.checked_sub(1).map_or("received", |n| steps[n].1));
        trial.seen = shown.unwrap_or(trial.seen);
        let fits = shown.is_some() && trial.id.get_or_insert_with(|| id.to_owned()) == id;
        (!fits).then(|| format!("{trial:?} of a sandbox is told as {id}, {status}, after {least} to {most} steps"))
    }

    /// It was emptied, and its clock is back.
    pub(crate) fn emptied(&mut self) {
        *self = Self::new(self.practice, std::mem::take(&mut self.id), self.skew.unsigned_abs());
    }
}
