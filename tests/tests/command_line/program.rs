//! The program with a practice's key.

use overturn_tests::prelude::*;
use overturn_tests::project;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A file of claims. Dropping this removes it.
pub(crate) struct File(PathBuf);

impl File {
    /// A file with one item on each line.
    pub(crate) fn of_lines(name: &str, items: impl IntoIterator<Item = Value>) -> Self {
        let path = project::scratch().join(format!("{name}-{}.ndjson", std::process::id()));
        let lines: String = items.into_iter().map(|item| format!("{item}\n")).collect();
        fs::create_dir_all(project::scratch()).unwrap();
        fs::write(&path, lines).unwrap();
        Self(path)
    }

    /// The path, as an argument.
    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

/// The program, not yet started, with a port of this machine as its service.
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

/// The result of a program.
pub(crate) struct Ended {
    /// `None` if it was killed.
    pub(crate) status: Option<i32>,
    /// Its output, one JSON object on each line.
    pub(crate) events: Vec<Value>,
    /// Its notes on standard error.
    pub(crate) notes: String,
}

impl Ended {
    /// A number in the last event.
    pub(crate) fn count(&self, name: &str) -> u64 {
        let summary = self.events.last().expect("a summary");
        assert_eq!(summary["event"], "summary");
        summary[name].as_u64().unwrap()
    }
}

/// Waits until the program ends.
pub(crate) fn end(child: Child) -> Ended {
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    Ended {
        status: output.status.code(),
        events: out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        notes: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program against the practice's server.
pub(crate) fn run(tenant: &Tenant<'_>, args: &[&str]) -> Ended {
    end(program(tenant, tenant.server.port(), args).spawn().unwrap())
}
