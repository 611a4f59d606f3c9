//! `cargo xtask`: one command for each task of a developer or of CI.
//!
//! A command first installs the tools that it needs into the project's folder.

#![allow(clippy::disallowed_methods, reason = "a native tool, which times its steps and makes fresh secrets")]

mod advisories;
mod arrange;
mod assets;
mod backup;
mod bench;
mod browser;
mod build;
mod cells;
mod check;
mod clamd;
mod client_packages;
mod clients;
mod console;
mod contract;
mod demo;
mod deploy;
mod dev;
mod digest;
#[cfg(test)]
mod docs;
mod drill;
mod error;
#[cfg(test)]
mod handlers;
mod help;
mod layers;
mod locks;
mod migrations;
mod moving;
mod native;
mod npm;
mod operator;
mod package;
mod paths;
mod providers;
mod pure;
mod python;
mod reseal;
mod run;
mod runtimes;
mod say;
mod secrets;
mod serve;
mod sim;
mod size;
mod stamp;
mod state;
mod steps;
mod tools;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use error::{CommandError, Result};
use paths::Paths;

fn main() -> ExitCode {
    match run::watch_signals().and_then(|()| command(std::env::args_os().skip(1).collect())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError::Signal(signal)) => ExitCode::from(u8::try_from(signal).map_or(1, |n| n.saturating_add(128))),
        Err(CommandError::Said) => ExitCode::FAILURE,
        Err(CommandError::Message(message)) => {
            say::err(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

fn command(mut words: Vec<OsString>) -> Result {
    let name = if words.is_empty() { OsString::new() } else { words.remove(0) };
    let name = name.to_str().unwrap_or_default();
    if matches!(name, "help" | "--help" | "-h") {
        let about = words.first().and_then(|word| word.to_str());
        say::out(&about.and_then(help::page).map_or_else(help::overview, str::to_owned));
        return Ok(());
    }
    // The operator's program prints its own help.
    if name != "operator"
        && help::is_asked(&words)
        && let Some(page) = help::page(name)
    {
        say::out(page);
        return Ok(());
    }
    dispatch(name, words)
}

/// `cargo xtask cost`: estimates the monthly charge of the platform, for docs/COST.md.
fn cost(paths: &Paths, mut args: lexopt::Parser) -> Result {
    let args: Vec<_> = args.raw_args()?.collect();
    npm::ensure(paths, &npm::TOOLS)?;
    run::run(paths.wrangler_command("node").arg("tools/dev/cost.mjs").args(args))
}

fn dispatch(name: &str, words: Vec<OsString>) -> Result {
    let paths = Paths::find()?;
    match name {
        "operator" => return operator::command(&paths, words),
        "sim" => return sim::command(&paths, words),
        _ => {}
    }
    let args = lexopt::Parser::from_args(words);
    match name {
        "cost" => cost(&paths, args),
        "deploy" => deploy::command(&paths, args),
        "advisories" => advisories::command(&paths, args),
        "dev" => dev::command(paths, args),
        "code" => operator::code(&paths, args),
        "test" => check::command(paths, args),
        "console" => console::command(paths, args),
        "build" => build::command(paths, args),
        "package" => package::command(&paths, args),
        "backup" => backup::command(&paths, args),
        "drill" => drill::command(paths, args),
        "bench" => bench::command(paths, args),
        "migrations" => migrations::command(&paths, args),
        "reseal" => reseal::command(&paths, args),
        _ => Err(CommandError::Message(format!("which command?\n{}", help::overview()))),
    }
}
