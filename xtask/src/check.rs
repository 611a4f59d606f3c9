//! `cargo xtask test`: runs the steps of [`STEPS`] in order, up to the first failure or all of them.

use std::time::Instant;

use lexopt::Arg;

use crate::build::Profile;
use crate::failure::{Failure, Result};
use crate::paths::Paths;
use crate::say;
use crate::steps::{STEPS, Step};

/// The result of a step.
struct Done {
    name: &'static str,
    passed: bool,
    seconds: f32,
}

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    let mut names = Vec::new();
    let mut keeps_going = false;
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("list") => {
                list();
                return Ok(());
            }
            Arg::Long("keep-going") => keeps_going = true,
            Arg::Long("dev") => paths.profile = Profile::Development,
            Arg::Value(name) => names.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().into()),
        }
    }
    check_names(&names)?;
    let chosen = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    let done = run(
        &paths,
        &mut STEPS.iter().filter(chosen),
        keeps_going,
        &say::out,
    )?;
    say::out(&format!("\n{}", summary(&done)));
    verdict(&done)
}

/// Runs the steps up to the first failure, or all of them. Returns an error only after a signal.
fn run(
    paths: &Paths,
    steps: &mut dyn Iterator<Item = &Step>,
    keeps_going: bool,
    say: &dyn Fn(&str),
) -> Result<Vec<Done>> {
    let mut done = Vec::new();
    for step in steps {
        say(&format!("\n== {}: {}", step.name, step.what));
        let start = Instant::now();
        let result = (step.run)(paths);
        let seconds = start.elapsed().as_secs_f32();
        let passed = result.is_ok();
        match result {
            Ok(()) => say(&format!("== {} passed in {seconds:.1} s", step.name)),
            Err(Failure::Signal(signal)) => return Err(Failure::Signal(signal)),
            Err(failure) => {
                say(&format!("== {} FAILED after {seconds:.1} s", step.name));
                if let Failure::Message(message) = failure {
                    say(&format!("step {} failed: {message}", step.name));
                }
            }
        }
        done.push(Done {
            name: step.name,
            passed,
            seconds,
        });
        if !passed && !keeps_going {
            break;
        }
    }
    Ok(done)
}

/// Fails if a step failed, and says how to repeat the failed steps.
fn verdict(done: &[Done]) -> Result {
    let failed: Vec<&str> = done
        .iter()
        .filter(|step| !step.passed)
        .map(|step| step.name)
        .collect();
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
    match names
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        Some(unknown) => {
            Err(format!("there is no step {unknown}; `cargo xtask test --list` shows them").into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, STEPS, check_names, run, summary, verdict};
    use crate::failure::{Failure, Result};
    use crate::paths::Paths;
    use crate::steps::Step;

    const fn step(name: &'static str, run: fn(&Paths) -> Result) -> Step {
        Step {
            name,
            what: "a step of this test",
            run,
        }
    }

    const GOOD: Step = step("good", |_| Ok(()));
    const BAD: Step = step("bad", |_| Err("it is broken".into()));
    const SAID: Step = step("said", |_| Err(Failure::Said));
    const STOPPED: Step = step("stopped", |_| Err(Failure::Signal(15)));

    fn names(steps: &[Step], keeps_going: bool) -> Result<Vec<(&'static str, bool)>> {
        let done = run(&Paths::find()?, &mut steps.iter(), keeps_going, &|_| ())?;
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
        let steps = [GOOD, BAD, SAID, GOOD];
        let all = [
            ("good", true),
            ("bad", false),
            ("said", false),
            ("good", true),
        ];
        assert_eq!(names(&steps, false).unwrap(), all[..2]);
        assert_eq!(names(&steps, true).unwrap(), all);
    }

    #[test]
    fn a_signal_ends_the_run_in_either_case() {
        for keeps_going in [false, true] {
            let stopped = names(
                &[BAD, STOPPED, GOOD][usize::from(!keeps_going)..],
                keeps_going,
            );
            assert!(matches!(stopped, Err(Failure::Signal(15))));
        }
    }

    #[test]
    fn the_last_line_counts_both_results_and_a_failure_fails_the_run() {
        let done = |name, passed| Done {
            name,
            passed,
            seconds: 1.25,
        };
        let mixed = [
            done("fmt", true),
            done("http", false),
            done("contract", false),
        ];
        let text = summary(&mixed);
        assert_eq!(text.lines().last(), Some("1 passed, 2 failed"));
        assert!(text.contains("http          FAILED      1.2 s\n"), "{text}");
        let Err(Failure::Message(message)) = verdict(&mixed) else {
            panic!("it failed")
        };
        assert!(message.contains("cargo xtask test http contract"));
        assert!(verdict(&[done("fmt", true)]).is_ok());
        assert_eq!(summary(&[]).lines().last(), Some("0 passed, 0 failed"));
    }
}
