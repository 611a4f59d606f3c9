//! Starts child processes. Every command goes through here, so that no child outlives us.
//!
//! A child leads its own process group. A signal to us is passed on to the groups of all running children as SIGTERM.
//! Groups that still run after [`TIME_OUT`], or when the signal is repeated, get SIGKILL. When a child ends, the rest
//! of its group is killed. A child that is this program has children of its own, which would outlive it. So a repeated signal
//! is passed on to it, and SIGKILL comes after [`OWN_TIME_OUT`].

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::error::{CommandError, Context, Result};
use crate::say;

const TIME_OUT: Duration = Duration::from_secs(10);
/// Longer than such a child waits for its own children, and then cleans up.
const OWN_TIME_OUT: Duration = Duration::from_secs(30);

#[derive(Debug)]
struct Running {
    caught: Option<i32>,
    groups: Vec<Group>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Group {
    leader: Pid,
    /// True if the leader is this program.
    is_own: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { caught: None, groups: Vec::new() });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Signals the groups of all children, and those of this program with `own`.
fn signal_all(signal: Signal, own: Option<Signal>) {
    for Group { leader, is_own } in &running().groups {
        if let Some(signal) = if *is_own { own } else { Some(signal) } {
            // The group may already have ended.
            let _ = kill_process_group(*leader, signal);
        }
    }
}

/// From here on, SIGINT, SIGTERM and SIGHUP first end the children, then us with [`CommandError::Signal`].
pub(crate) fn watch_signals() -> Result {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context(|| "cannot watch for signals".to_owned())?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let first = running().caught.replace(signal).is_none();
            signal_all(if first { Signal::TERM } else { Signal::KILL }, Some(Signal::TERM));
            if first {
                thread::spawn(|| {
                    thread::sleep(TIME_OUT);
                    signal_all(Signal::KILL, None);
                    thread::sleep(OWN_TIME_OUT.saturating_sub(TIME_OUT));
                    signal_all(Signal::KILL, Some(Signal::KILL));
                });
            }
        }
    });
    Ok(())
}

/// A running child. Dropping it kills its whole group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Group,
    what: String,
}

impl Process {
    /// Starts `command` in its own process group. It gets no standard input unless the command sets one.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let what = describe(command);
        // The lock is kept until the child is registered, so that a signal cannot come in between.
        let mut running = running();
        if let Some(signal) = running.caught {
            return Err(CommandError::Signal(signal));
        }
        let child = command.process_group(0).spawn().context(|| format!("cannot run `{what}`"))?;
        let is_own = env::current_exe().is_ok_and(|own| own == command.get_program());
        let group = Group { leader: Pid::from_child(&child), is_own };
        running.groups.push(group);
        Ok(Self { child, group, what })
    }

    /// The child's standard input, if it was piped and not taken before.
    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// The child's standard output, if it was piped and not taken before.
    pub(crate) fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// The exit status, or `None` while it runs. [`CommandError::Signal`] after a signal to us.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let status = self.child.try_wait().context(|| format!("cannot wait for `{}`", self.what))?;
        match running().caught {
            Some(signal) => Err(CommandError::Signal(signal)),
            None => Ok(status),
        }
    }

    /// Waits until the child ends. [`CommandError::Signal`] after a signal to us.
    pub(crate) fn wait(&mut self) -> Result<ExitStatus> {
        let status = self.child.wait().context(|| format!("cannot wait for `{}`", self.what))?;
        match running().caught {
            Some(signal) => Err(CommandError::Signal(signal)),
            None => Ok(status),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = kill_process_group(self.group.leader, Signal::KILL);
        let _ = self.child.wait();
        running().groups.retain(|group| *group != self.group);
    }
}

/// How many processes this machine runs at once.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(2, usize::from)
}

/// Runs `command` with our output and without input. Fails unless it exits with 0.
pub(crate) fn run(command: &mut Command) -> Result {
    command.stdin(Stdio::null());
    let mut process = Process::start(command)?;
    succeeded(&process.wait()?, &process.what)
}

/// Runs `command` with our output. If it fails, it has printed the reason itself.
pub(crate) fn passed_on(command: &mut Command) -> Result {
    command.stdin(Stdio::null());
    let mut process = Process::start(command)?;
    match process.wait()? {
        status if status.success() => Ok(()),
        // A process that a signal ends says nothing.
        status if status.code().is_none() => succeeded(&status, &process.what),
        _ => Err(CommandError::Said),
    }
}

/// Runs `command`, passes its output on, and returns its standard output if it exits with 0.
pub(crate) fn echo(command: &mut Command) -> Result<String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut process = Process::start(command)?;
    let mut printed = String::new();
    let lines = process.stdout().into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
    for line in lines.map_while(std::result::Result::ok) {
        say::out(&line);
        printed.push_str(&line);
        printed.push('\n');
    }
    succeeded(&process.wait()?, &process.what).map(|()| printed)
}

/// Runs `command` and returns its standard output. If it fails, the error has its whole output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let captured = capture(command)?;
    match succeeded(&captured.status, &describe(command)) {
        Err(CommandError::Message(message)) => {
            Err(format!("{message}\n{}{}", captured.out, captured.err).trim_end().to_owned().into())
        }
        other => other.map(|()| captured.out),
    }
}

/// Runs `command` and returns its standard output, even if it fails.
pub(crate) fn printed(command: &mut Command) -> Result<String> {
    capture(command).map(|captured| captured.out)
}

/// True if `command` can be started and exits with 0. Its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    capture(command).is_ok_and(|captured| captured.status.success())
}

struct Captured {
    status: ExitStatus,
    out: String,
    err: String,
}

fn capture(command: &mut Command) -> Result<Captured> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Process::start(command)?;
    let err = process.child.stderr.take();
    // Both pipes are read in parallel, because a full pipe blocks the child.
    let err = thread::spawn(move || read(err));
    let out = read(process.stdout());
    let status = process.wait()?;
    Ok(Captured { status, out, err: err.join().unwrap_or_default() })
}

fn read(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // The output before a read error is still worth showing.
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn succeeded(status: &ExitStatus, what: &str) -> Result {
    if status.success() {
        return Ok(());
    }
    let how = status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"));
    Err(format!("`{what}` failed with {how}").into())
}

/// The command as a person would type it, with the program's name only.
fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    std::iter::once(program).chain(command.get_args()).map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
