//! Runs a Worker under workerd without a proxy, or the native program, and measures the process.

use overturn_tests::project;
use overturn_tests::server::{OPERATOR_TOKEN, SEALING_KEYS};
use overturn_tests::state::State;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// The Worker to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// This project's.
    Overturn,
    /// The same interface in TypeScript without limits, audit and log line.
    Peer,
    /// Only looks the key up and inserts.
    Floor,
    /// Only pipes documents to R2 and back.
    Pipe,
    /// This project's over one Durable Object instead of D1.
    Object,
    /// This project's over a Durable Object for each practice.
    Objects,
    /// This project's in the Durable Object of its database.
    Inside,
    /// This project's native program, on a copy of the database that the Worker has.
    Native,
}

impl Which {
    pub(crate) const ALL: [Self; 3] = [Self::Overturn, Self::Peer, Self::Floor];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Overturn => "overturn",
            Self::Peer => "peer",
            Self::Floor => "floor",
            Self::Pipe => "pipe",
            Self::Object => "object",
            Self::Objects => "objects",
            Self::Inside => "inside",
            Self::Native => "native",
        }
    }
}

/// The memory of a Worker's isolate in bytes: JavaScript and its buffers, which include the memory of wasm.
#[derive(Default)]
struct Heap {
    now: AtomicU64,
    most: AtomicU64,
}

/// A Worker that answers until it is dropped.
pub(crate) struct Worker {
    process: Child,
    /// Closing this pipe ends the server, even if this process is killed.
    alive: Option<ChildStdin>,
    pub(crate) port: u16,
    pid: u64,
    heap: Arc<Heap>,
    /// Removed with the server.
    _state: State,
}

impl Worker {
    /// Starts a Worker on a state.
    pub(crate) fn start(which: Which, state: State) -> Self {
        Self::serve(which, state, &[])
    }

    /// Starts a Worker whose every trip to the database takes so many milliseconds more.
    pub(crate) fn far(which: Which, state: State, ms: u32) -> Self {
        Self::serve(which, state, &["--delay-ms", &ms.to_string()])
    }

    /// Starts a Worker whose memory is watched. That costs time, so it is not measured together with speed.
    pub(crate) fn watched(which: Which, state: State) -> Self {
        Self::serve(which, state, &["--heap"])
    }

    /// Starts the native program on the databases of so many cells, which are in the folder `native` of the state.
    pub(crate) fn with_cells(state: State, cells: u16) -> Self {
        let mut command = on(&state.folder().join("native"));
        command.env("CELLS", cells.to_string());
        Self::begin(Which::Native, state, command)
    }

    /// Makes the database of a data folder.
    pub(crate) fn migrate(data: &Path) {
        let made = program().args(["migrate", "--data"]).arg(data).status();
        assert!(made.unwrap().success());
    }

    fn serve(which: Which, state: State, options: &[&str]) -> Self {
        let mut command = match which {
            Which::Native => native(&state),
            _ => workerd(which, &state),
        };
        command.args(options);
        Self::begin(which, state, command)
    }

    fn begin(which: Which, state: State, mut command: Command) -> Self {
        // Limits are on, and too high for any load to reach. Documents are measured without a scanner.
        let vars = json!({
            "SCANNER": "none",
            "UPLOADS_PER_MINUTE": "100000",
            "READS_PER_MINUTE": "100000",
            "SEALING_KEYS": SEALING_KEYS,
            "OPERATOR_TOKEN": OPERATOR_TOKEN,
            "CLAIMS_READS_PER_MINUTE": "100000",
            "CLAIMS_SENDS_PER_MINUTE": "100000",
        });
        let mut process = command
            .env("OVERTURN_VARS", vars.to_string())
            // The native program has its settings in the environment.
            .envs(vars.as_object().into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_str()?))))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        let mut lines = BufReader::new(process.stdout.take().unwrap());
        lines.read_line(&mut first).unwrap();
        let listening: Value =
            serde_json::from_str(&first).unwrap_or_else(|_| panic!("{} does not start: {first}", which.name()));
        let heap = Arc::new(Heap::default());
        let watching = Arc::clone(&heap);
        thread::spawn(move || watching.read(lines));
        Self {
            heap,
            alive: process.stdin.take(),
            port: listening["port"].as_u64().unwrap().try_into().unwrap(),
            // workerd is below Node, which names it.
            pid: listening["pid"].as_u64().unwrap_or(process.id().into()),
            process,
            _state: state,
        }
    }

    /// The bytes that the isolate has after a collection.
    pub(crate) fn idle_bytes(&self) -> u64 {
        // The host collects whenever nothing was asked for a second.
        thread::sleep(Duration::from_secs(3));
        let now = self.heap.now.load(Ordering::Relaxed);
        self.heap.most.store(now, Ordering::Relaxed);
        now
    }

    /// The most bytes that the isolate had since it was idle.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.heap.most.load(Ordering::Relaxed)
    }

    /// Waits until the process rests. V8 compiles in the background after the server says that it listens.
    pub(crate) fn settle(&self) {
        let mut before = self.cpu_ms();
        let mut still = 0;
        while still < 5 {
            thread::sleep(Duration::from_millis(50));
            let now = self.cpu_ms();
            still = if now > before { 0 } else { still + 1 };
            before = now;
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

fn workerd(which: Which, state: &State) -> Command {
    let mut command = project::command(&project::node());
    command.args(["tools/bench/serve.mjs", "--port=0", "--worker", which.name()]).arg("--state").arg(state.folder());
    command
}

/// The program as it is installed: every commit is on the disk before its answer.
fn native(state: &State) -> Command {
    let data = state.folder().join("native");
    fs::create_dir_all(&data).unwrap();
    // workerd leaves the last writes beside the file.
    for end in ["", "-wal"] {
        let from = state.database().with_extension(format!("sqlite{end}"));
        if from.exists() {
            fs::copy(from, data.join(format!("overturn.db{end}"))).unwrap();
        }
    }
    on(&data)
}

fn program() -> Command {
    project::command(project::root().join("target/native/overturn-server").to_str().unwrap())
}

fn on(data: &Path) -> Command {
    let mut command = program();
    command
        .args(["serve", "--with-parent", "--without-console"])
        .args(["--listen", "127.0.0.1:0", "--assets", "build/assets"])
        .arg("--data")
        .arg(data)
        // Its limit of an address is no setting, and one address sends everything.
        .envs([("ENVIRONMENT", "dev"), ("LIMITS", "unlimited")]);
    command
}

impl Heap {
    fn read(&self, lines: impl BufRead) {
        for line in lines.lines().map_while(Result::ok) {
            let said: Value = serde_json::from_str(&line).unwrap_or_default();
            if let Some(bytes) = said["heap"].as_u64() {
                self.now.store(bytes, Ordering::Relaxed);
                self.most.fetch_max(bytes, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.alive.take());
        let _ended = self.process.wait();
    }
}
