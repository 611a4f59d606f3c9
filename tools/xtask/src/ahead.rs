//! What a whole run of `cargo xtask test` compiles ahead.
//!
//! Modules are compiled beside the steps before their own, at the lowest priority: the steps keep what they can use, and this
//! takes the rest. A step that needs a result runs the same command again. Then it waits for this one, finds the work done, or
//! fails with the output that is dropped here.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::build;
use crate::error::Result;
use crate::paths::Paths;
use crate::run::Process;
use crate::{locks, package, tools};

const POLL: Duration = Duration::from_millis(100);

/// Commands that run one after the other. Dropping this ends them.
#[derive(Debug)]
pub(crate) struct Ahead {
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Ahead {
    /// Starts them, in the order in which the steps need them.
    ///
    /// # Errors
    /// A compilation target cannot be installed.
    pub(crate) fn start(paths: &Paths) -> Result<Self> {
        tools::ensure_targets(paths)?;
        let job = |command: &Command, lock| Job { command: last(paths, command), lock };
        let mut jobs = Vec::new();
        jobs.extend(build::compilers(paths).iter().map(|each| job(each, None)));
        if let Some(installer) = tools::test_runner_installer(paths)? {
            jobs.push(job(&installer, Some(tools::test_runner_lock(paths))));
        }
        jobs.extend(package::compilers(paths).iter().map(|each| job(each, None)));
        Ok(Self::run(jobs))
    }

    fn run(mut jobs: Vec<Job>) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&ends);
        let thread = thread::spawn(move || {
            for job in &mut jobs {
                job.run(&ending);
                if ending.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        Self { ends, thread: Some(thread) }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic there has printed its reason, and no step depends on this thread.
            let _ = thread.join();
        }
    }
}

/// A command, and the lock that it must hold while it runs.
struct Job {
    command: Command,
    lock: Option<PathBuf>,
}

impl Job {
    /// Runs the command to its end, or until `ending`. It does not run while somebody else holds the lock, because a step does
    /// the same work then.
    fn run(&mut self, ending: &AtomicBool) {
        let free = self.lock.as_deref().map(locks::if_free);
        if matches!(free, Some(Ok(None) | Err(_))) {
            return;
        }
        let silent = self.command.stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut process) = Process::start(silent) else {
            return;
        };
        while matches!(process.ended(), Ok(None)) && !ending.load(Ordering::Relaxed) {
            thread::sleep(POLL);
        }
    }
}

/// The same command at the lowest priority.
fn last(paths: &Paths, command: &Command) -> Command {
    let mut nice = paths.command("nice");
    nice.args(["-n", "19"]).arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        nice.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nice.env(name, value),
            None => nice.env_remove(name),
        };
    }
    nice
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Instant;

    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn job(script: &str, lock: Option<PathBuf>) -> Job {
        let command = last(&Paths::find().unwrap(), &shell(script));
        Job { command, lock }
    }

    fn waits(start: Instant, until: impl Fn() -> bool) {
        while !until() {
            assert!(start.elapsed() < Duration::from_secs(60));
            thread::sleep(POLL);
        }
    }

    #[test]
    fn commands_run_in_order_whether_one_fails_or_not_and_end_with_the_run() {
        let file = std::env::temp_dir().join(format!("overturn-ahead-{}", std::process::id()));
        let writes = |word: &str, then: &str| job(&format!("echo {word} >> {}; {then}", file.display()), None);
        let start = Instant::now();
        let ahead =
            Ahead::run(vec![writes("one", ""), job("exit 1", None), writes("two", "sleep 600"), writes("never", "")]);
        waits(start, || fs::read_to_string(&file).unwrap_or_default() == "one\ntwo\n");
        drop(ahead);
        assert!(start.elapsed() < Duration::from_secs(60), "it ended");
        assert_eq!(fs::read_to_string(&file).unwrap(), "one\ntwo\n");
        fs::remove_file(file).unwrap();
    }

    #[test]
    fn a_command_holds_its_lock_and_is_left_out_while_somebody_else_has_it() {
        let folder = std::env::temp_dir().join(format!("overturn-jobs-{}", std::process::id()));
        let (lock, written, next) = (folder.join("lock"), folder.join("written"), folder.join("next"));
        let step = locks::wait(&lock).unwrap();
        let writes = format!("touch {}; sleep 600", written.display());
        let start = Instant::now();
        let ahead = Ahead::run(vec![job(&writes, Some(lock.clone())), job(&format!("touch {}", next.display()), None)]);
        waits(start, || next.exists());
        drop(ahead);
        assert!(!written.exists(), "a step holds the lock");
        drop(step);
        let ahead = Ahead::run(vec![job(&writes, Some(lock.clone()))]);
        waits(start, || written.exists());
        assert!(locks::if_free(&lock).unwrap().is_none());
        drop(ahead);
        assert!(locks::if_free(&lock).unwrap().is_some());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_command_keeps_its_folder_and_environment() {
        let paths = Paths::find().unwrap();
        let mut command = shell("test \"$PWD$ONE$TWO\" = /1 && test \"$(nice)\" = 19");
        command.current_dir("/").env("ONE", "1").env_remove("TWO");
        assert!(last(&paths, &command).status().unwrap().success());
    }
}
