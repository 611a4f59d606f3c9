//! What a whole run of `cargo xtask test` compiles ahead.
//!
//! A module for production is linked on one core, for a minute or more. So it is compiled beside the steps before its own, at
//! the lowest priority: they keep what they can use, and this takes the rest. A step that needs a result runs the same command
//! again. Then it waits for this one, finds the work done, or fails with the output that is dropped here.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::build::{self, Profile};
use crate::error::Result;
use crate::paths::Paths;
use crate::run::Process;
use crate::{package, tools};

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
        let mut commands = match paths.profile {
            Profile::Release => build::compilers(paths).into(),
            Profile::Development => Vec::new(),
        };
        commands.extend(tools::test_runner_installer(paths)?);
        commands.extend(package::compilers(paths));
        Ok(Self::run(
            commands
                .iter()
                .map(|command| last(paths, command))
                .collect(),
        ))
    }

    fn run(mut commands: Vec<Command>) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&ends);
        let thread = thread::spawn(move || {
            for command in &mut commands {
                let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
                let Ok(mut process) = Process::start(silent) else {
                    continue;
                };
                while matches!(process.ended(), Ok(None)) {
                    if ending.load(Ordering::Relaxed) {
                        return;
                    }
                    thread::sleep(POLL);
                }
            }
        });
        Self {
            ends,
            thread: Some(thread),
        }
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

/// The same command at the lowest priority.
fn last(paths: &Paths, command: &Command) -> Command {
    let mut nice = paths.command("nice");
    nice.args(["-n", "19"])
        .arg(command.get_program())
        .args(command.get_args());
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

    #[test]
    fn commands_run_in_order_whether_one_fails_or_not_and_end_with_the_run() {
        let file = std::env::temp_dir().join(format!("overturn-ahead-{}", std::process::id()));
        let writes =
            |word: &str, then: &str| shell(&format!("echo {word} >> {}; {then}", file.display()));
        let paths = Paths::find().unwrap();
        let commands = [
            writes("one", ""),
            shell("exit 1"),
            writes("two", "sleep 600"),
            writes("never", ""),
        ];
        let start = Instant::now();
        let ahead = Ahead::run(
            commands
                .iter()
                .map(|command| last(&paths, command))
                .collect(),
        );
        while fs::read_to_string(&file).unwrap_or_default() != "one\ntwo\n" {
            assert!(start.elapsed() < Duration::from_secs(60));
            thread::sleep(POLL);
        }
        drop(ahead);
        assert!(start.elapsed() < Duration::from_secs(60), "it ended");
        assert_eq!(fs::read_to_string(&file).unwrap(), "one\ntwo\n");
        fs::remove_file(file).unwrap();
    }

    #[test]
    fn a_command_keeps_its_folder_and_environment() {
        let paths = Paths::find().unwrap();
        let mut command = shell("test \"$PWD$ONE$TWO\" = /1 && test \"$(nice)\" = 19");
        command.current_dir("/").env("ONE", "1").env_remove("TWO");
        assert!(last(&paths, &command).status().unwrap().success());
    }
}
