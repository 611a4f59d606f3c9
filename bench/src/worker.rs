//! Runs a Worker under workerd without a proxy, and measures its process.

use overturn_tests::project;
use overturn_tests::server::{OPERATOR_TOKEN, SEALING_KEYS};
use overturn_tests::state::State;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, Stdio};

/// The Worker to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// This project's.
    Overturn,
    /// The same job in TypeScript.
    Peer,
    /// The same TypeScript without limits, audit and log line.
    Lean,
    /// Only authenticates and inserts.
    Floor,
}

impl Which {
    pub(crate) const ALL: [Self; 4] = [Self::Overturn, Self::Peer, Self::Lean, Self::Floor];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Overturn => "overturn",
            Self::Peer => "peer",
            Self::Lean => "lean",
            Self::Floor => "floor",
        }
    }
}

/// A Worker that answers until it is dropped.
pub(crate) struct Worker {
    process: Child,
    /// Closing this pipe ends the server, even if this process is killed.
    alive: Option<ChildStdin>,
    pub(crate) port: u16,
    pid: u64,
    /// Removed with the server.
    _state: State,
}

impl Worker {
    /// Starts a Worker on a state.
    pub(crate) fn start(which: Which, state: State) -> Self {
        // Limits are on, and too high for any load to reach.
        let vars = json!({
            "SEALING_KEYS": SEALING_KEYS,
            "OPERATOR_TOKEN": OPERATOR_TOKEN,
            "CLAIMS_READS_PER_MINUTE": "100000",
            "CLAIMS_SENDS_PER_MINUTE": "100000",
        });
        let mut process = project::command(&project::node())
            .args([
                "bench/serve.mjs",
                "--port=0",
                "--worker",
                which.name(),
                "--state",
            ])
            .arg(state.folder())
            .env("OVERTURN_VARS", vars.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        let mut lines = BufReader::new(process.stdout.take().unwrap());
        lines.read_line(&mut first).unwrap();
        let listening: Value = serde_json::from_str(&first)
            .unwrap_or_else(|_| panic!("{} does not start: {first}", which.name()));
        Self {
            alive: process.stdin.take(),
            port: listening["port"].as_u64().unwrap().try_into().unwrap(),
            pid: listening["pid"].as_u64().unwrap(),
            process,
            _state: state,
        }
    }

    /// Milliseconds of CPU that its process has used.
    pub(crate) fn cpu_ms(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap();
        // The process name may contain anything, so parse after its closing bracket. utime and stime are the fields 14
        // and 15.
        let (_, rest) = stat.rsplit_once(')').unwrap();
        let ticks = rest.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.map(|ticks| ticks.parse::<u64>().unwrap()).sum();
        ticks as f64 * 1000.0 / rustix::param::clock_ticks_per_second() as f64
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.alive.take());
        let _ended = self.process.wait();
    }
}
