//! The virus scanner: a real clamd, with signatures of the tests, and fakes that misbehave.
//!
//! `cargo xtask test http` installs clamd if the machine has none. Its signature database knows only the EICAR test file
//! ([`eicar`]), anywhere in a document.

mod fake;
#[path = "../../tools/xtask/src/clamd/own.rs"]
mod own;

pub use fake::{FakeClamd, Manner};

use crate::project;
use own::Setup;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Kills the process `$0` unless it reads a line first. The end of its input means that the starting process is gone.
const WATCH: &str = "read -r ended || kill -9 \"$0\"";

/// The EICAR test file.
pub fn eicar() -> Vec<u8> {
    own::eicar().into_bytes()
}

/// A clamd that ends when it is dropped, and with the program in any case.
#[derive(Debug)]
pub struct Clamd {
    program: PathBuf,
    configuration: PathBuf,
    folder: PathBuf,
    port: u16,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    process: Child,
    /// Kills clamd when this process ends.
    guard: Child,
}

impl Clamd {
    /// A clamd that takes documents of 60 MB.
    pub fn start() -> Self {
        Self::with_limits("60M", "60M")
    }

    /// A clamd with a longest stream and a largest file, such as `1M`. It answers that a stream is too long. In a file
    /// that is too large it looks for nothing, and reports its own limit as an alert.
    pub fn with_limits(longest_stream: &str, largest_file: &str) -> Self {
        Self::configured(longest_stream, largest_file, own::NEEDED)
    }

    /// A clamd that says nothing of what one of these settings is for: `AlertExceedsMax`, `AlertEncryptedDoc`.
    pub fn without(setting: &str) -> Self {
        let (on, off) = (format!("{setting} yes"), format!("{setting} no"));
        assert!(own::NEEDED.contains(&on), "{setting}");
        Self::configured("60M", "60M", &own::NEEDED.replace(&on, &off))
    }

    fn configured(longest_stream: &str, largest_file: &str, more: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let program = own::find(&project::root().join(".tools/bin"));
        let program = program.expect("no clamd: `cargo xtask test http` installs it");
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = project::scratch().join(format!("clamd-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let setup = Setup { folder: &folder, port: free_port(), database: None, longest_stream, largest_file, more };
        let mut clamd =
            Self { program, configuration: setup.write().unwrap(), port: setup.port, running: None, folder };
        clamd.restart();
        clamd
    }

    /// Where it listens, as `SCANNER_ADDRESS`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The variables of a server that scans with it.
    pub fn vars(&self) -> Value {
        json!({ "LIMITS": "unlimited", "SCANNER_ADDRESS": self.address() })
    }

    /// Stops it in the middle of everything. Connections are still taken by the system, and nothing is answered.
    pub fn hang(&self) {
        self.signal("-STOP");
    }

    /// Continues after [`Self::hang`].
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    /// Ends it. Nothing listens on its port.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Starts it on the same port, and waits until it answers.
    pub fn restart(&mut self) {
        self.running = None;
        self.running = Some(Running::start(&self.program, &self.configuration));
        crate::wait::until("clamd starts", || self.answers());
    }

    fn answers(&self) -> bool {
        let ask = || {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.write_all(b"zPING\0")?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer)?;
            std::io::Result::Ok(answer)
        };
        ask().is_ok_and(|answer| answer == b"PONG\0")
    }

    fn signal(&self, signal: &str) {
        let id = self.running.as_ref().unwrap().process.id().to_string();
        let done = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Clamd {
    fn drop(&mut self) {
        self.kill();
        let _gone = fs::remove_dir_all(&self.folder);
    }
}

impl Running {
    fn start(program: &PathBuf, configuration: &PathBuf) -> Self {
        let process = Command::new(program)
            .arg("--config-file")
            .arg(configuration)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let guard =
            Command::new("sh").args(["-c", WATCH, &process.id().to_string()]).stdin(Stdio::piped()).spawn().unwrap();
        Self { process, guard }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SIGKILL also ends a stopped process.
        let _ended = self.process.kill();
        let _status = self.process.wait();
        drop(self.guard.stdin.take().map(|mut pipe| pipe.write_all(b"ended\n")));
        let _status = self.guard.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
