//! Runs the Worker under workerd, through tools/dev/serve.mjs, or the native program.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use serde_json::{Value, json};

use crate::error::{CommandError, Context, Result};
use crate::paths::Paths;
use crate::run::Process;
use crate::state::{Host, State};
use crate::{native, say};

/// What is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Serving {
    /// The service alone, which answers sooner.
    Service,
    /// The console before the service, as on the platform.
    Console,
    /// The same, with the entrance that tests change the database by.
    ConsoleUnderTest,
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    process: Process,
    /// Closing this pipe ends the server, even if this process is killed.
    alive: Option<ChildStdin>,
}

impl Server {
    /// Starts the service with the console on the host of a state, and waits until it listens. `vars` override those of
    /// wrangler.toml and .dev.vars.
    pub(crate) fn start(paths: &Paths, state: &State, port: u16, vars: &Value) -> Result<Self> {
        Self::start_logging(paths, state, port, vars, Serving::Console, say::out)
    }

    /// [`start`](Self::start), with the service's log written to `log`.
    pub(crate) fn start_logging(
        paths: &Paths,
        state: &State,
        port: u16,
        vars: &Value,
        serving: Serving,
        log: impl FnMut(&str) + Send + 'static,
    ) -> Result<Self> {
        let command = match state.host {
            Host::Workerd => workerd(paths, state, port, vars, serving),
            Host::Native => native(paths, state, port, vars, serving)?,
        };
        Self::run(command, log)
    }

    fn run(mut command: Command, log: impl FnMut(&str) + Send + 'static) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(&mut command)?;
        let alive = process.stdin();
        let listening = forward(process.stdout(), log);
        match listening.recv() {
            Ok(()) => Ok(Self { process, alive }),
            // The reason is on standard error.
            Err(_) => Err(unexpected(process.wait())),
        }
    }

    /// True while the server runs. Its end is an error, except after a signal to us.
    pub(crate) fn goes_on(&mut self) -> Result<bool> {
        match self.process.ended() {
            Ok(None) => Ok(true),
            Ok(Some(status)) => Err(unexpected(Ok(status))),
            Err(CommandError::Signal(_)) => {
                // The server flushes its buffers and stops workerd before it ends.
                let _ = self.process.wait();
                Ok(false)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Asks the server to stop, and waits until it has.
    pub(crate) fn stop(mut self) -> Result {
        self.alive = None;
        self.process.wait().map(drop)
    }
}

fn workerd(paths: &Paths, state: &State, port: u16, vars: &Value, serving: Serving) -> Command {
    let options: &[&str] = match serving {
        Serving::Service => &[],
        Serving::Console => &["--console"],
        Serving::ConsoleUnderTest => &["--console", "--main", "tests/server/main.mjs"],
    };
    let mut command = paths.wrangler_command("node");
    command
        .arg("tools/dev/serve.mjs")
        .args([OsString::from("--port"), port.to_string().into()])
        .args([OsString::from("--state"), state.folder.clone().into()])
        .args(options)
        .env("OVERTURN_VARS", vars.to_string());
    command
}

/// The native program, with the variables of wrangler.toml for developers.
fn native(paths: &Paths, state: &State, port: u16, vars: &Value, serving: Serving) -> Result<Command> {
    let options: &[&str] = match serving {
        Serving::Service => &["--without-console"],
        Serving::Console => &[],
        Serving::ConsoleUnderTest => &["--entrance", "--jobs-every", "0"],
    };
    let mut all = json!({ "ENVIRONMENT": "dev", "WEBHOOKS_LOCAL": "yes" });
    if let (Some(all), Some(vars)) = (all.as_object_mut(), vars.as_object()) {
        all.extend(vars.clone());
        all.insert("CELLS".to_owned(), state.cells.to_string().into());
    }
    let mut command = paths.command(native::program(paths, native::SERVER)?);
    command
        .args(["serve", "--with-parent", "--listen"])
        .arg(format!("127.0.0.1:{port}"))
        .args([OsString::from("--data"), state.folder.clone().into()])
        .args([OsString::from("--vars"), paths.root.join(".dev.vars").into()])
        .args([OsString::from("--assets"), paths.build().join("assets").into()])
        .args(options)
        .env("OVERTURN_VARS", all.to_string());
    Ok(command)
}

fn unexpected(ended: Result<std::process::ExitStatus>) -> CommandError {
    match ended {
        Ok(status) => format!("the server ended on its own ({status})").into(),
        Err(failure) => failure,
    }
}

/// Fails early if the port is in use, before the build and the migrations.
pub(crate) fn check_port(port: u16) -> Result {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map(|_| ())
        .context(|| format!("cannot listen on 127.0.0.1:{port}, choose another port with --port N"))
}

pub(crate) fn free_port() -> Result<u16> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .context(|| "cannot find a free port".to_owned())
}

/// Passes the Worker's lines on. The line that is for us goes through the channel.
fn forward(stdout: Option<ChildStdout>, mut log: impl FnMut(&str) + Send + 'static) -> Receiver<()> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut sender = Some(sender);
        let lines = stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
        for line in lines.map_while(std::result::Result::ok) {
            if !announce(&mut sender, &line) {
                log(&line);
            }
        }
    });
    receiver
}

fn announce(sender: &mut Option<Sender<()>>, line: &str) -> bool {
    let listening = |line: &str| -> Option<bool> {
        let event: Value = serde_json::from_str(line).ok()?;
        Some(event.get("event")? == "listening")
    };
    if sender.is_none() || listening(line) != Some(true) {
        return false;
    }
    sender.take().is_some_and(|sender| sender.send(()).is_ok())
}
