//! Runs seeds, and makes a failing one smaller.

use crate::check;
use crate::clock;
use crate::log;
use crate::plan::Plan;
use crate::record::Recording;
use crate::trace::Trace;
use crate::world::World;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

/// What a run was.
#[derive(Default)]
pub struct Report {
    /// What did not hold, in words.
    pub problems: Vec<String>,
    /// The same for two stories that are the same.
    pub hash: u64,
    /// How many lines the story has.
    pub events: u64,
    /// How many calls its clients made.
    pub calls: u64,
    /// How long the world lasted.
    pub lasted: Duration,
    pub states: BTreeMap<&'static str, u64>,
    pub faults: BTreeMap<&'static str, u64>,
    /// What was called, if the plan says so.
    pub(crate) recording: Option<Recording>,
    /// The story, if it was asked for.
    pub story: Vec<String>,
}

/// Runs the world of a seed by a plan.
#[must_use]
pub fn run(seed: u64, plan: &Plan, keeps_story: bool) -> Report {
    let trace = Rc::new(Trace::new(keeps_story));
    let lived = catch_unwind(AssertUnwindSafe(|| live(seed, plan, &trace)));
    let mut report = lived.unwrap_or_else(|panicked| {
        let said = panicked.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panicked.downcast_ref::<&str>().map(|said| (*said).to_owned()));
        Report { problems: vec![format!("a panic: {}", said.unwrap_or_default())], ..Report::default() }
    });
    report.hash = trace.hash();
    report.events = trace.count();
    report.states = trace.seen();
    report.story = trace.lines();
    report
}

fn live(seed: u64, plan: &Plan, trace: &Rc<Trace>) -> Report {
    log::begin();
    clock::begin(plan.recorded.unwrap_or(clock::FRIDAY));
    let (world, due) = World::new(seed, plan, trace);
    world.live(due);
    let mut problems = world.problems();
    problems.extend(check::all(&world));
    // Some lines are for people who watch what staff do.
    let errors = log::errors().into_iter().filter(|line| plan.is_calm && !line.contains("patients_exceeded"));
    problems.extend(errors.map(|line| format!("without faults: {line}")));
    for problem in &problems {
        trace.tell(|| format!("WRONG {problem}"));
    }
    let (calls, lasted, faults) = (world.calls(), world.lasted(), world.faults.struck());
    let report = Report { problems, calls, lasted, faults, recording: world.recording(), ..Report::default() };
    // The tasks hold the world, and the world its tasks.
    world.scheduler.clear();
    report
}

/// The smallest plan that still fails with a seed, and what was left out of it.
#[must_use]
pub fn shrink(seed: u64, plan: &Plan) -> (Plan, Vec<String>) {
    let (mut plan, mut left_out) = (plan.clone(), Vec::new());
    while let Some((what, smaller)) =
        plan.smaller().into_iter().find(|(_, smaller)| !run(seed, smaller, false).problems.is_empty())
    {
        left_out.push(what);
        plan = smaller;
    }
    (plan, left_out)
}
