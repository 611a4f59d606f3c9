//! `cargo xtask test`: runs the steps of [`STEPS`], up to the first failure or all of them.
//!
//! Two steps run at a time, because most of them keep one core busy. Each has a process of its own, so that its output can be
//! printed as a whole when it ends.

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use lexopt::Arg;

use crate::build::Profile;
use crate::error::{CommandError, Context, Result};
use crate::native::Features;
use crate::paths::Paths;
use crate::state::Host;
use crate::steps::{STEPS, Step};
use crate::{run, say};

/// The result of a step.
struct Done {
    name: &'static str,
    passed: bool,
    seconds: f32,
    printed: String,
}

/// How many lines the end of a run repeats of each step that failed. A record of a run may keep its end only.
const REPEATED: usize = 40;

/// Runs the command line. A step that is named alone runs in this process.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    paths.profile = Profile::Development;
    paths.features = Features::All;
    let mut names = Vec::new();
    let mut keeps_going = false;
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("list") => {
                STEPS.iter().for_each(|step| say::out(&format!("{:14}{}", step.name, step.what)));
                return Ok(());
            }
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
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        return Err(format!("there is no step {unknown}; `cargo xtask test --list` shows them").into());
    }
    let chosen = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    let steps: Vec<&'static Step> = STEPS.iter().filter(chosen).collect();
    if let [step] = &steps[..] {
        return (step.run)(&paths);
    }
    let start = Instant::now();
    let done = attempt(&steps, keeps_going, |step| apart(&paths, step), say::out)?;
    let (text, result) = conclusion(&done);
    say::out(&text);
    say::err(&format!("all in {:.0} s", start.elapsed().as_secs_f32()));
    result
}

/// Runs steps in order and two at a time, up to the first failure or all of them. Returns an error only after a signal.
fn attempt(
    steps: &[&'static Step],
    keeps_going: bool,
    run: impl Fn(&Step) -> (Result, String) + Sync,
    say: impl Fn(&str) + Sync,
) -> Result<Vec<Done>> {
    let (waiting, done) = (Mutex::new(steps.iter()), Mutex::new(Vec::new()));
    // A function, so that the lock is not held during the step.
    let next = || take(&waiting).next();
    let worker = || {
        while let Some(step) = next() {
            let start = Instant::now();
            let (result, printed) = run(step);
            let signal = matches!(result, Err(CommandError::Signal(_)));
            if signal || (result.is_err() && !keeps_going) {
                take(&waiting).by_ref().for_each(drop);
            }
            if signal {
                return result;
            }
            let (name, passed) = (step.name, result.is_ok());
            // Held while the block is printed, so that two do not mix.
            let mut done = take(&done);
            let ended = Done { name, passed, seconds: start.elapsed().as_secs_f32(), printed };
            say(&format!("\n== {name}: {}\n{}\n== {}", step.what, ended.printed.trim_end(), row(&ended)));
            done.push(ended);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let other = scope.spawn(worker);
        worker().and(other.join().unwrap_or_else(|_| Err("a step panicked".into())))
    })?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn take<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a step in a process of its own. Returns its result, and what it printed.
fn apart(paths: &Paths, step: &Step) -> (Result, String) {
    let log = paths.root.join(format!("target/steps/{}.log", step.name));
    let result = started(paths, step, &log).and_then(|mut command| run::passed_on(&mut command));
    let mut printed = fs::read_to_string(log).unwrap_or_default();
    if let Err(CommandError::Message(reason)) = &result {
        printed.push_str(reason);
        printed.push('\n');
    }
    (result, printed)
}

fn started(paths: &Paths, step: &Step, log: &Path) -> Result<Command> {
    let unwritable = || format!("cannot write {}", log.display());
    fs::create_dir_all(log.parent().unwrap_or(log)).context(unwritable)?;
    let out = File::create(log).context(unwritable)?;
    let err = out.try_clone().context(unwritable)?;
    let mut command = paths.command(env::current_exe().context(|| "the path of this program".to_owned())?);
    command
        .args(["test", step.name])
        .args((paths.profile == Profile::Release).then_some("--release"))
        .arg(format!("--host={}", paths.host.name()))
        .stdout(Stdio::from(out))
        .stderr(Stdio::from(err));
    Ok(command)
}

fn row(Done { name, passed, seconds, .. }: &Done) -> String {
    format!("{name:14}{}{seconds:>9.1} s", if *passed { "passed" } else { "FAILED" })
}

/// The last lines of what failed, and a row for each step. The result fails if a step failed, and says how to repeat it.
fn conclusion(done: &[Done]) -> (String, Result) {
    let failed: Vec<&Done> = done.iter().filter(|step| !step.passed).collect();
    let mut text = String::new();
    for step in &failed {
        let lines: Vec<&str> = step.printed.trim_end().lines().collect();
        let last = lines.get(lines.len().saturating_sub(REPEATED)..).unwrap_or_default().join("\n");
        text.push_str(&format!("\n== {} FAILED, and ended with\n{last}\n", step.name));
    }
    let rows: Vec<String> = done.iter().map(row).collect();
    let passed = done.len().saturating_sub(failed.len());
    text.push_str(&format!("\n{}\n\n{passed} passed, {} failed", rows.join("\n"), failed.len()));
    if failed.is_empty() {
        return (text, Ok(()));
    }
    let names: Vec<&str> = failed.iter().map(|step| step.name).collect();
    let names = names.join(" ");
    let failed = format!("failed: {names}\nonce mended, `cargo xtask test {names}` runs just that");
    (text, Err(failed.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    static GOOD: Step = Step { name: "good", what: "", run: |_| Ok(()) };
    static BAD: Step = Step { name: "bad", what: "", run: |_| Err(CommandError::Said) };
    static STOPPED: Step = Step { name: "stopped", what: "", run: |_| Err(CommandError::Signal(15)) };

    fn attempted(steps: &[&'static Step], keeps_going: bool) -> Result<Vec<Done>> {
        let paths = Paths::find().unwrap();
        attempt(steps, keeps_going, |step| ((step.run)(&paths), "why".to_owned()), |_| ())
    }

    #[test]
    fn a_failed_step_fails_the_run_and_ends_it_unless_it_is_to_keep_going_and_a_signal_always_ends_it() {
        assert!(conclusion(&attempted(&[&GOOD, &GOOD], false).unwrap()).1.is_ok());
        for keeps_going in [false, true] {
            let steps: Vec<_> = [&BAD, &BAD].into_iter().chain([&GOOD; 20]).collect();
            let done = attempted(&steps, keeps_going).unwrap();
            assert_eq!(done.len() == steps.len(), keeps_going, "{}", done.len());
            let (text, result) = conclusion(&done);
            assert!(result.is_err() && text.contains("== bad FAILED, and ended with\nwhy\n"), "{text}");
            let stopped = attempted(&[&GOOD, &STOPPED, &GOOD], keeps_going);
            assert!(matches!(stopped, Err(CommandError::Signal(15))));
        }
    }
}
