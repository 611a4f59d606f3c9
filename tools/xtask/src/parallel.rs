//! Runs independent steps of `cargo xtask test` two at a time.
//!
//! Most of these steps keep one core busy. Each runs in a process of its own, so that its output can be printed as a whole
//! when it ends.

use std::env;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::build::Profile;
use crate::error::{CommandError, Context, Result};
use crate::paths::Paths;
use crate::run;
use crate::steps::Step;

const AT_ONCE: usize = 2;

/// The option with which `cargo xtask test` runs one step without a heading and a summary.
pub(crate) const BARE: &str = "bare";

/// Calls `attempt` for every step, in order and two at a time, until it returns false. Then no other step begins.
pub(crate) fn run(steps: &[&'static Step], attempt: impl Fn(&'static Step) -> bool + Sync) {
    let waiting = Mutex::new(steps.iter().copied());
    // A function, so that the lock is not held during the step.
    let next = || take(&waiting).next();
    let worker = || {
        while let Some(step) = next() {
            if !attempt(step) {
                take(&waiting).by_ref().for_each(drop);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(worker);
        }
    });
}

fn take<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a step in a process of its own. Returns its result, and what it printed.
pub(crate) fn apart(paths: &Paths, step: &Step) -> (Result, String) {
    let path = paths.root.join(format!("target/steps/{}.log", step.name));
    let result = started(paths, step, &path).and_then(|mut command| run::passed_on(&mut command));
    (result, fs::read_to_string(path).unwrap_or_default())
}

fn started(paths: &Paths, step: &Step, log: &std::path::Path) -> Result<Command> {
    let unwritable = || format!("cannot write {}", log.display());
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder).context(unwritable)?;
    }
    let out = File::create(log).context(unwritable)?;
    let err = out.try_clone().context(unwritable)?;
    let program = env::current_exe().context(|| "the path of this program".to_owned())?;
    let mut command = paths.command(program);
    command
        .args(["test", &format!("--{BARE}"), step.name])
        .args((paths.profile == Profile::Release).then_some("--release"))
        .arg(format!("--host={}", paths.host.name()))
        .stdout(Stdio::from(out))
        .stderr(Stdio::from(err));
    Ok(command)
}

/// True after a signal to us.
pub(crate) fn is_signal(result: &Result) -> bool {
    matches!(result, Err(CommandError::Signal(_)))
}
