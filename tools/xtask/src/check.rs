//! `cargo xtask test`: runs the steps of [`STEPS`] in order, up to the first failure or all of them.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lexopt::Arg;

use crate::ahead::Ahead;
use crate::build::Profile;
use crate::error::{CommandError, Result};
use crate::paths::Paths;
use crate::state::Host;
use crate::steps::{STEPS, Step};
use crate::{parallel, say};

/// The result of a step.
struct Done {
    name: &'static str,
    passed: bool,
    seconds: f32,
    /// The last lines of a step that failed beside others. Theirs may follow its own.
    printed: Option<String>,
}

/// How many lines the end of a run repeats of each step that failed beside others.
const REPEATED: usize = 40;

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    paths.profile = Profile::Development;
    let mut names = Vec::new();
    let (mut keeps_going, mut bare) = (false, false);
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("list") => {
                list();
                return Ok(());
            }
            Arg::Long(parallel::BARE) => bare = true,
            Arg::Long("keep-going") => keeps_going = true,
            Arg::Long("release") => paths.profile = Profile::Release,
            Arg::Long("host") => {
                let name = args.value()?;
                let host = name.to_str().and_then(Host::named);
                paths.host = host.ok_or("--host knows `native` and `workerd`")?;
            }
            Arg::Value(name) => names.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().into()),
        }
    }
    check_names(&names)?;
    let chosen = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    let steps: Vec<&'static Step> = STEPS.iter().filter(chosen).collect();
    if bare {
        return steps.iter().try_for_each(|step| (step.run)(&paths));
    }
    let start = Instant::now();
    let _ahead = match names.is_empty() {
        true => Some(Ahead::start(&paths)?),
        false => None,
    };
    let runner = Runner { paths: &paths, keeps_going, say: &say::out, apart: parallel::apart };
    let done = runner.run(&steps)?;
    say::out(&format!("{}\n{}", repeated(&done), summary(&done)));
    say::err(&format!("all in {:.0} s", start.elapsed().as_secs_f32()));
    verdict(&done)
}

/// How steps are attempted.
struct Runner<'a> {
    paths: &'a Paths,
    keeps_going: bool,
    say: &'a (dyn Fn(&str) + Sync),
    /// Runs a step beside others. Returns its result, and what it printed.
    apart: fn(&Paths, &Step) -> (Result, String),
}

impl Runner<'_> {
    /// Runs the steps up to the first failure, or all of them. Returns an error only after a signal. Neighbors that may run
    /// beside each other do.
    fn run(&self, steps: &[&'static Step]) -> Result<Vec<Done>> {
        let mut done = Vec::new();
        for group in steps.chunk_by(|one, next| one.parallel && next.parallel) {
            match group {
                [step] => done.push(self.alone(step)?),
                _ => done.extend(self.in_parallel(group)?),
            }
            if !self.keeps_going && done.iter().any(|step| !step.passed) {
                break;
            }
        }
        Ok(done)
    }

    fn alone(&self, step: &'static Step) -> Result<Done> {
        (self.say)(&heading(step));
        let start = Instant::now();
        let result = (step.run)(self.paths);
        self.judge(step, result, start)
    }

    fn in_parallel(&self, steps: &[&'static Step]) -> Result<Vec<Done>> {
        let names: Vec<_> = steps.iter().map(|step| step.name).collect();
        (self.say)(&format!("\n== two at a time: {}", names.join(", ")));
        let done = Mutex::new(Vec::new());
        parallel::run(steps, |step| {
            let start = Instant::now();
            let (result, printed) = (self.apart)(self.paths, step);
            let signal = parallel::is_signal(&result);
            // Held while the block is printed, so that two do not mix.
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            (self.say)(&format!("{}\n{}", heading(step), printed.trim_end()));
            let mut judged = self.judge(step, result, start);
            if let Ok(failed) = judged.as_mut()
                && !failed.passed
            {
                failed.printed = Some(last_lines(&printed));
            }
            let passed = judged.as_ref().is_ok_and(|step| step.passed);
            done.push(judged);
            passed || (self.keeps_going && !signal)
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }

    /// Says how a step ended.
    fn judge(&self, step: &Step, result: Result, start: Instant) -> Result<Done> {
        let (seconds, name) = (start.elapsed().as_secs_f32(), step.name);
        let passed = result.is_ok();
        match result {
            Ok(()) => (self.say)(&format!("== {name} passed in {seconds:.1} s")),
            Err(CommandError::Signal(signal)) => return Err(CommandError::Signal(signal)),
            Err(failure) => {
                (self.say)(&format!("== {name} FAILED after {seconds:.1} s"));
                if let CommandError::Message(message) = failure {
                    (self.say)(&format!("step {name} failed: {message}"));
                }
            }
        }
        Ok(Done { name, passed, seconds, printed: None })
    }
}

fn heading(step: &Step) -> String {
    format!("\n== {}: {}", step.name, step.what)
}

fn last_lines(printed: &str) -> String {
    let lines: Vec<&str> = printed.trim_end().lines().collect();
    let first = lines.len().saturating_sub(REPEATED);
    lines.get(first..).unwrap_or_default().join("\n")
}

/// The last lines of each step that failed beside others. A record of a run may keep its end only.
fn repeated(done: &[Done]) -> String {
    let block = |step: &Done| {
        let printed = step.printed.as_ref()?;
        Some(format!("\n== {} FAILED, and ended with\n{printed}\n", step.name))
    };
    done.iter().filter_map(block).collect()
}

/// Fails if a step failed, and says how to repeat the failed steps.
fn verdict(done: &[Done]) -> Result {
    let failed: Vec<&str> = done.iter().filter(|step| !step.passed).map(|step| step.name).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let names = failed.join(" ");
    Err(format!("failed: {names}\nonce mended, `cargo xtask test {names}` runs just that").into())
}

/// One row for each step that ran. The last line has the counts of passed and failed steps.
fn summary(done: &[Done]) -> String {
    let row = |step: &Done| {
        let result = if step.passed { "passed" } else { "FAILED" };
        format!("{:14}{result}{:>9.1} s\n", step.name, step.seconds)
    };
    let rows: String = done.iter().map(row).collect();
    let passed = done.iter().filter(|step| step.passed).count();
    let failed = done.len().saturating_sub(passed);
    format!("{rows}\n{passed} passed, {failed} failed")
}

fn list() {
    for step in STEPS {
        say::out(&format!("{:14}{}", step.name, step.what));
    }
}

fn check_names(names: &[String]) -> Result {
    match names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        Some(unknown) => Err(format!("there is no step {unknown}; `cargo xtask test --list` shows them").into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, REPEATED, Runner, STEPS, check_names, last_lines, repeated, summary, verdict};
    use std::sync::Mutex;

    use crate::error::{CommandError, Result};
    use crate::paths::Paths;
    use crate::steps::Step;

    const fn step(name: &'static str, run: fn(&Paths) -> Result) -> Step {
        Step { name, what: "a step of this test", run, parallel: false }
    }

    const fn parallel(step: Step) -> Step {
        Step { parallel: true, ..step }
    }

    static GOOD: Step = step("good", |_| Ok(()));
    static BAD: Step = step("bad", |_| Err("it is broken".into()));
    static SAID: Step = step("said", |_| Err(CommandError::Said));
    static STOPPED: Step = step("stopped", |_| Err(CommandError::Signal(15)));
    static FIRST: Step = parallel(step("first", |_| Ok(())));
    static SECOND: Step = parallel(step("second", |_| Err("it is broken".into())));
    static THIRD: Step = parallel(step("third", |_| Ok(())));
    static FOURTH: Step = parallel(step("fourth", |_| Err(CommandError::Signal(15))));

    fn printed(steps: &[&'static Step], keeps_going: bool) -> (Result<Vec<Done>>, String) {
        let printed = Mutex::new(String::new());
        let say = |line: &str| {
            let mut printed = printed.lock().unwrap();
            printed.push_str(line);
            printed.push('\n');
        };
        let runner = Runner {
            paths: &Paths::find().unwrap(),
            keeps_going,
            say: &say,
            apart: |paths, step| ((step.run)(paths), format!("of {}\n", step.name)),
        };
        let done = runner.run(steps);
        (done, printed.into_inner().unwrap())
    }

    fn names(steps: &[&'static Step], keeps_going: bool) -> Result<Vec<(&'static str, bool)>> {
        let done = printed(steps, keeps_going).0?;
        Ok(done.iter().map(|step| (step.name, step.passed)).collect())
    }

    #[test]
    fn every_step_can_be_named_and_nothing_else() {
        let names: Vec<String> = STEPS.iter().map(|step| step.name.to_owned()).collect();
        assert!(check_names(&names).is_ok());
        assert!(check_names(&["frobnicate".to_owned()]).is_err());
    }

    #[test]
    fn the_first_failure_ends_the_run_unless_it_is_to_keep_going() {
        let steps = [&GOOD, &BAD, &SAID, &GOOD];
        let all = [("good", true), ("bad", false), ("said", false), ("good", true)];
        assert_eq!(names(&steps, false).unwrap(), all[..2]);
        assert_eq!(names(&steps, true).unwrap(), all);
    }

    #[test]
    fn steps_beside_each_other_all_run_and_each_prints_one_block() {
        let steps = [&FIRST, &SECOND, &THIRD, &GOOD];
        let (done, printed) = printed(&steps, true);
        let mut done: Vec<_> = done.unwrap().iter().map(|step| (step.name, step.passed)).collect();
        assert_eq!(done.pop(), Some(("good", true)), "it waits for all of them");
        done.sort_unstable();
        assert_eq!(done, [("first", true), ("second", false), ("third", true)]);
        let block = "== first: a step of this test\nof first\n== first passed in 0.0 s\n";
        assert!(printed.contains(block), "{printed}");
        let block = "of second\n== second FAILED after 0.0 s\nstep second failed: it is broken\n";
        assert!(printed.contains(block), "{printed}");
    }

    #[test]
    fn the_end_of_a_run_repeats_the_last_lines_of_what_failed_beside_others() {
        let done = printed(&[&FIRST, &SECOND, &THIRD], true).0.unwrap();
        let end = "\n== second FAILED, and ended with\nof second\n";
        assert_eq!(repeated(&done), end);
        let last = "line\n".repeat(REPEATED);
        assert_eq!(last_lines(&format!("first\n{last}")), last.trim_end());
        assert_eq!(last_lines(""), "");
    }

    #[test]
    fn a_failure_beside_others_ends_the_run_and_a_signal_too() {
        let steps = [&SECOND, &SECOND, &THIRD, &GOOD];
        let done = names(&steps, false).unwrap();
        assert!(!done.is_empty() && done.iter().all(|step| *step == ("second", false)), "{done:?}");
        for keeps_going in [false, true] {
            let stopped = names(&[&FOURTH, &FOURTH, &THIRD, &GOOD], keeps_going);
            assert!(matches!(stopped, Err(CommandError::Signal(15))));
        }
    }

    #[test]
    fn a_signal_ends_the_run_in_either_case() {
        for keeps_going in [false, true] {
            let stopped = names(&[&BAD, &STOPPED, &GOOD][usize::from(!keeps_going)..], keeps_going);
            assert!(matches!(stopped, Err(CommandError::Signal(15))));
        }
    }

    #[test]
    fn the_last_line_counts_both_results_and_a_failure_fails_the_run() {
        let done = |name, passed| Done { name, passed, seconds: 1.25, printed: None };
        let mixed = [done("fmt", true), done("http", false), done("contract", false)];
        let text = summary(&mixed);
        assert_eq!(text.lines().last(), Some("1 passed, 2 failed"));
        assert!(text.contains("http          FAILED      1.2 s\n"), "{text}");
        let Err(CommandError::Message(message)) = verdict(&mixed) else { panic!("it failed") };
        assert!(message.contains("cargo xtask test http contract"));
        assert!(verdict(&[done("fmt", true)]).is_ok());
        assert_eq!(summary(&[]).lines().last(), Some("0 passed, 0 failed"));
    }
}
