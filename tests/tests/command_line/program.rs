//! The program with a practice's key.

use overturn_tests::project;
use overturn_tests::tenant::Tenant;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A file of claims, removed when dropped.
pub(crate) struct File(PathBuf);

impl File {
    /// One item a line.
    pub(crate) fn of_lines(name: &str, items: impl IntoIterator<Item = Value>) -> Self {
        let path = project::scratch().join(format!("{name}-{}.ndjson", std::process::id()));
        let lines: String = items.into_iter().map(|item| format!("{item}\n")).collect();
        fs::create_dir_all(project::scratch()).unwrap();
        fs::write(&path, lines).unwrap();
        Self(path)
    }

    /// As an argument.
    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

/// The program, not started yet, calling a port of this machine.
pub(crate) fn program(tenant: &Tenant<'_>, port: u16, args: &[&str]) -> Command {
    let mut command = project::overturn();
    command
        .args(args)
        .env("OVERTURN_URL", format!("http://127.0.0.1:{port}"))
        .env("OVERTURN_API_KEY", &tenant.key.text)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// How a program ended.
pub(crate) struct Ended {
    /// `None` when it was killed.
    pub(crate) status: Option<i32>,
    /// What it printed, one JSON object a line.
    pub(crate) events: Vec<Value>,
    /// What it noted.
    pub(crate) notes: String,
}

impl Ended {
    /// A number of the last event.
    pub(crate) fn count(&self, name: &str) -> u64 {
        let summary = self.events.last().expect("a summary");
        assert_eq!(summary["event"], "summary");
        summary[name].as_u64().unwrap()
    }
}

/// Waits for its end.
pub(crate) fn end(child: Child) -> Ended {
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    Ended {
        status: output.status.code(),
        events: out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
        notes: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs it against the practice's own server.
pub(crate) fn run(tenant: &Tenant<'_>, args: &[&str]) -> Ended {
    end(program(tenant, tenant.server.port(), args).spawn().unwrap())
}
