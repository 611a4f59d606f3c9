//! Runs the service: the built Worker under workerd, through tools/dev/serve.mjs, or the native program. Both have the entrance of
//! the tests (server/main.mjs, native/src/entrance.rs).

use crate::client::Client;
use crate::database::Database;
use crate::host;
use crate::log::Log;
use crate::mail::Inbox;
use crate::project;
use crate::state::State;
use serde_json::{Value, json};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// The sealing keys of the test servers.
pub const SEALING_KEYS: &str = "1:AvJOc3Az6XX0HyEGP/oP9c4LLHx1jG+pVTZC/r7ZVCQ=";

/// The operator token of the test servers.
pub const OPERATOR_TOKEN: &str = "operator-0123456789abcdefghijklmnopqrstuvwxyz";

/// Runs the server, and then removes the folder if one is named.
const RUN: &str = r#""$0" "$@"; [ -z "$REMOVE" ] || rm -rf -- "$REMOVE""#;

/// How many threads of the native program answer requests. Each remembers for itself what an isolate does, and several tests
/// are about what one isolate remembers.
const THREADS: &str = "1";

/// A server that answers requests until it is dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// Closing this pipe ends the server. It closes when this process ends, in every case.
    alive: Option<ChildStdin>,
    state: Option<State>,
    log: Arc<Log>,
    port: u16,
    cells: u16,
}

impl Server {
    /// The server without limits that the tests of a program share. It ends with the program.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(|| Self::lasting(&json!({ "LIMITS": "unlimited" })))
    }

    /// A server that ends with the program. Its state is then removed.
    pub fn lasting(vars: &Value) -> Self {
        Self::run(State::fresh(), vars, true)
    }

    /// Starts a server on a state. `vars` override those of wrangler.toml.
    pub fn start(state: State, vars: &Value) -> Self {
        Self::run(state, vars, false)
    }

    /// Starts a server whose settings may be wrong. The native program then refuses to start, and the error is its output.
    pub fn attempt(state: State, vars: &Value) -> Result<Self, Vec<String>> {
        Self::launch(state, vars, false)
    }

    /// Starts the native program as installations run it: several threads answer, a commit waits for the disk, and there is
    /// no entrance for tests.
    pub fn installed(state: State, vars: &Value, options: &[&str]) -> Self {
        let mut program = native(&state, &all(vars));
        program.args(options);
        or_panic(Self::spawn(&program, state, false))
    }

    fn run(state: State, vars: &Value, removes: bool) -> Self {
        or_panic(Self::launch(state, vars, removes))
    }

    fn launch(state: State, vars: &Value, removes: bool) -> Result<Self, Vec<String>> {
        let all = all(vars);
        let program = match host::is_native() {
            true => {
                let mut program = native(&state, &all);
                program.args(["--entrance", "--jobs-every", "0", "--threads", THREADS]);
                program
            }
            false => workerd(&state, &all),
        };
        let mut server = Self::spawn(&program, state, removes)?;
        if let Some(cells) = all["CELLS"].as_str() {
            server.cells = cells.parse().unwrap();
        }
        Ok(server)
    }

    fn spawn(program: &Command, state: State, removes: bool) -> Result<Self, Vec<String>> {
        let mut shell = project::command("sh");
        shell.args(["-c", RUN]).arg(program.get_program()).args(program.get_args());
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let mut process = shell
            .env("REMOVE", if removes { state.folder() } else { "".as_ref() })
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Log::default());
        log.collect(process.stdout.take().unwrap());
        log.collect(process.stderr.take().unwrap());
        let alive = process.stdin.take();
        let port = log.port();
        // If the start fails, dropping this ends the process.
        let mut server = Self { process, alive, state: Some(state), log, port: 0, cells: host::cells() };
        server.port = port?;
        Ok(server)
    }

    /// Stops the server and returns its state.
    pub fn stop(mut self) -> State {
        self.end();
        self.state.take().unwrap()
    }

    /// Kills the server in the middle of everything, as a crash would, and returns its state.
    pub fn kill(mut self) -> State {
        // The program is below a shell. workerd is below Node, in a process group of its own.
        let node = children(self.process.id());
        let below = node.iter().flat_map(|id| children(*id));
        let all: Vec<u32> = node.iter().copied().chain(below).collect();
        let ids = all.iter().map(u32::to_string);
        let killed = Command::new("kill").arg("-KILL").args(ids).status();
        assert!(killed.unwrap().success());
        let _status = self.process.wait();
        self.state.take().unwrap()
    }

    /// A client without credentials.
    pub fn client(&self) -> Client {
        Client::new(self.port)
    }

    pub fn database(&self) -> Database {
        Database::new(self.port)
    }

    pub fn log(&self) -> &Arc<Log> {
        &self.log
    }

    pub fn mails_to(&self, address: &str) -> Inbox {
        Inbox::new(&self.log, address)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// How many databases it has.
    pub fn cells(&self) -> u16 {
        self.cells
    }

    /// Its state folder.
    pub fn state(&self) -> &State {
        self.state.as_ref().unwrap()
    }

    fn end(&mut self) {
        drop(self.alive.take());
        let until = Instant::now() + Duration::from_secs(15);
        while self.process.try_wait().unwrap().is_none() {
            if Instant::now() > until {
                let group = format!("-{}", self.process.id());
                let _killed = Command::new("kill").args(["-KILL", "--", &group]).status();
                let _status = self.process.wait();
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

fn or_panic(started: Result<Server, Vec<String>>) -> Server {
    started.unwrap_or_else(|said| panic!("the server does not start: {}", said.join("\n")))
}

/// The secrets of every server, and the variables of this one.
fn all(vars: &Value) -> Value {
    let mut all = json!({ "SEALING_KEYS": SEALING_KEYS, "OPERATOR_TOKEN": OPERATOR_TOKEN });
    all.as_object_mut().unwrap().extend(vars.as_object().unwrap().clone());
    all
}

/// The built Worker under workerd.
fn workerd(state: &State, vars: &Value) -> Command {
    let mut program = Command::new(project::node());
    program
        .args(["tools/dev/serve.mjs", "--port", "0"])
        .args(["--main", "tests/server/main.mjs", "--state"])
        .arg(state.folder())
        .env("OVERTURN_VARS", vars.to_string());
    program
}

/// The native program, with the settings of wrangler.toml for developers.
fn native(state: &State, vars: &Value) -> Command {
    let cells = host::cells().to_string();
    let mut settings = json!({ "ENVIRONMENT": "dev", "WEBHOOKS_LOCAL": "yes", "CELLS": cells });
    let all = settings.as_object_mut().unwrap();
    all.extend(vars.as_object().unwrap().clone());
    let mut program = Command::new(project::native().get_program());
    program
        .args(["serve", "--listen", "127.0.0.1:0", "--assets", "build/assets"])
        .args(["--with-parent", "--without-console"])
        .arg("--data")
        .arg(state.folder());
    for (name, value) in all {
        match value.as_str() {
            Some(value) => program.env(name, value),
            // Null leaves a setting out.
            None => program.env_remove(name),
        };
    }
    program
}

/// The processes that a process has started.
fn children(parent: u32) -> Vec<u32> {
    let listed = Command::new("ps").args(["-eo", "pid=,ppid="]).output();
    let listed = String::from_utf8(listed.unwrap().stdout).unwrap();
    let ids = listed.lines().map(|line| {
        let mut ids = line.split_whitespace().map(|id| id.parse::<u32>().unwrap());
        (ids.next().unwrap(), ids.next().unwrap())
    });
    ids.filter(|(_, of)| *of == parent).map(|(id, _)| id).collect()
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}
