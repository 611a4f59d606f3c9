//! `cargo xtask`: everything a developer or CI does with Overturn, one command each.
//!
//! Whatever a command needs and does not find, it installs into the project's folder first.

#![allow(
    clippy::disallowed_methods,
    reason = "a native tool, which times its steps and makes fresh secrets"
)]

mod bench;
mod browser;
mod build;
mod check;
mod contract;
mod demo;
mod dev;
mod digest;
mod failure;
mod migrations;
mod npm;
mod operator;
mod package;
mod paths;
mod pure;
mod python;
mod reseal;
mod run;
mod runtimes;
mod say;
mod secrets;
mod serve;
mod size;
mod state;
mod steps;
mod tools;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use failure::{Failure, Result};
use paths::Paths;

const USAGE: &str = "\
cargo xtask dev [--port N] [--state DIR] [--fresh] [--limits unlimited] [--release]
    build the Worker and serve it with demo data on 127.0.0.1 until Ctrl-C, and build it anew after each edit; with --release,
    as it is deployed
cargo xtask code USER [--state DIR]
    say the code that the authenticator app of a user in demo.json shows now
cargo xtask test [NAME…] [--list] [--dev]
    run every check, or the named ones; CI runs exactly this. With --dev the Worker is built quickly, as it is not deployed
cargo xtask build [--dev]
    build the Worker into build/, where wrangler.toml looks for it; with --dev, quickly and not to be deployed
cargo xtask package
    build the npm package of the core into build/package, ready for `npm pack`
cargo xtask bench [core|checks|start|workers|growth|memory…] [--rounds N] [--turn-ms N] [--connections N…] [--load NAME…]
    measure side by side and print tables; the first four parts unless told otherwise
cargo xtask migrations land
    record the migrations that are new, after which they may not change
cargo xtask operator COMMAND …
    begin practices, let in staff and help people who are locked out; without a command, list them
cargo xtask reseal [--url URL]
    have a running service bring old claims under the current sealing key";

fn main() -> ExitCode {
    match run::watch_signals().and_then(|()| command(std::env::args_os().skip(1).collect())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Signal(signal)) => {
            ExitCode::from(u8::try_from(signal).map_or(1, |n| n.saturating_add(128)))
        }
        Err(Failure::Said) => ExitCode::FAILURE,
        Err(Failure::Message(message)) => {
            say::err(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

fn command(mut words: Vec<OsString>) -> Result {
    let name = if words.is_empty() {
        OsString::new()
    } else {
        words.remove(0)
    };
    let paths = Paths::find()?;
    if name == "operator" {
        return operator::command(&paths, words);
    }
    let args = lexopt::Parser::from_args(words);
    match name.to_str() {
        Some("dev") => dev::command(paths, args),
        Some("code") => operator::code(&paths, args),
        Some("test") => check::command(paths, args),
        Some("build") => build::command(paths, args),
        Some("package") => package::command(&paths, args),
        Some("bench") => bench::command(&paths, args),
        Some("migrations") => migrations::command(&paths, args),
        Some("reseal") => reseal::command(&paths, args),
        Some("help" | "--help" | "-h") => {
            say::out(USAGE);
            Ok(())
        }
        _ => Err(Failure::Message(format!("which command?\n{USAGE}"))),
    }
}
