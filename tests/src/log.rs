//! The log lines of a server.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;
use std::{process, thread};

const TIME_OUT: Duration = Duration::from_secs(60);

/// A server starts within a second on an idle machine. It takes longer while builds or other servers run.
const START: Duration = Duration::from_secs(120);
/// The server prints this about a missing secret and starts anyway.
const WARNING: &str = "not in .dev.vars";

/// The server prints this and ends if it cannot start.
const FAILED: [&str; 2] = ["serve: ", "error: "];

/// The lines received so far.
#[derive(Debug, Default)]
pub struct Log {
    lines: Mutex<Vec<String>>,
    more: Condvar,
}

impl Log {
    /// Collects the lines of a pipe.
    pub(crate) fn collect(self: &Arc<Self>, pipe: impl Read + Send + 'static) {
        let log = Arc::clone(self);
        thread::spawn(move || {
            let lines = BufReader::new(pipe).split(b'\n').map_while(Result::ok);
            for line in lines {
                let line = String::from_utf8_lossy(&line).into_owned();
                // A batch failed its trial (`native/src/database/trial.rs`), maybe one that no request waits for.
                if line.starts_with("on trial:") {
                    let _said = writeln!(io::stderr(), "{line}");
                    process::exit(101);
                }
                log.hold().push(line);
                log.more.notify_all();
            }
        });
    }

    pub fn lines(&self) -> Vec<String> {
        self.hold().clone()
    }

    /// The log lines of one request. Waits until there is one.
    pub fn of(&self, request_id: &str) -> Vec<Value> {
        let find = |line: &String| -> Option<Value> {
            let line: Value = serde_json::from_str(line).ok()?;
            (line["request_id"] == request_id).then_some(line)
        };
        let missing = |lines: &mut Vec<String>| !lines.iter().rev().any(|line| find(line).is_some());
        let (lines, waited) = self.more.wait_timeout_while(self.hold(), TIME_OUT, missing).unwrap();
        assert!(!waited.timed_out(), "no line of request {request_id}");
        lines.iter().filter_map(find).collect()
    }

    /// Waits a while for a matching line. True if there is one.
    pub fn has(&self, wanted: impl Fn(&Value) -> bool) -> bool {
        let fits = |line: &String| serde_json::from_str(line).is_ok_and(|line| wanted(&line));
        let missing = |lines: &mut Vec<String>| !lines.iter().any(fits);
        let waited = self.more.wait_timeout_while(self.hold(), TIME_OUT, missing).unwrap();
        !waited.1.timed_out()
    }

    /// Waits for the next line that `read` accepts, after `skipped` accepted ones.
    pub(crate) fn nth<T>(&self, skipped: usize, time_out: Duration, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let find = |lines: &Vec<String>| {
            let lines = lines.iter().filter_map(|line| serde_json::from_str(line).ok());
            lines.filter_map(|line| read(&line)).nth(skipped)
        };
        let missing = |lines: &mut Vec<String>| find(lines).is_none();
        let (lines, _) = self.more.wait_timeout_while(self.hold(), time_out, missing).unwrap();
        find(&lines)
    }

    /// Waits for the line with the port. The error has all output.
    pub(crate) fn port(&self) -> Result<u16, Vec<String>> {
        let find = |line: &String| -> Option<u16> {
            let line: Value = serde_json::from_str(line).ok()?;
            let port = line["port"].as_u64().filter(|_| line["event"] == "listening");
            port?.try_into().ok()
        };
        let failed = |line: &str| FAILED.iter().any(|failed| line.starts_with(failed));
        let unready = |lines: &mut Vec<String>| {
            !lines.iter().any(|line| find(line).is_some() || (failed(line) && !line.contains(WARNING)))
        };
        let (lines, _) = self.more.wait_timeout_while(self.hold(), START, unready).unwrap();
        lines.iter().find_map(find).ok_or_else(|| lines.clone())
    }

    /// The port of the native program's figures.
    pub fn metrics_port(&self) -> u16 {
        let read = |line: &Value| line["metrics"].as_u64().filter(|_| line["event"] == "listening");
        self.nth(0, START, read).and_then(|port| port.try_into().ok()).expect("the program tells its figures")
    }

    fn hold(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().unwrap()
    }
}
