//! `overturn`: validates files of claims, sends them and reads their status, by the rules of the service itself.
//!
//! **In scope:** reading files, talking to the service, and saying what came of it. **Out of scope:** what a valid
//! claim is, which [`overturn_core`] says.
//!
//! ```text
//! input ──► check ──► batch ──► courier ──► report
//! a claim   core's    up to     retries,    lines, and
//! a time    rules     100       waits       a table
//! ```
//!
//! Nothing is kept on disk. The service knows which claims it has, and sending one again changes nothing, so a send
//! that was interrupted is finished by running it again.

mod address;
mod ambient;
mod answer;
mod args;
mod batch;
mod call;
mod capped;
mod check;
mod courier;
mod failure;
mod feed;
mod input;
mod interrupt;
mod pace;
mod progress;
mod retry_after;
mod screen;
mod send;
mod status;
mod table;
mod text;
mod validate;

use crate::args::{Args, Command};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::screen::Screen;
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs a command line, the program's name first. The exit status is described in `--help`.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let mut screen = Screen::new(args.json);
    let result = Interrupt::watch().and_then(|interrupt| match args.command {
        Command::Validate(args) => validate::command(&args, &interrupt, &mut screen),
        Command::Send(args) => send::command(&args, &interrupt, &mut screen),
        Command::Status(args) => status::command(&args, &interrupt, &mut screen),
    });
    match result.and_then(|end| screen.finish().map(|()| end)) {
        Ok(end) => end.into(),
        Err(failure) => {
            screen.fail(&failure);
            failure.into()
        }
    }
}

/// What clap has to say: help and version are no errors.
fn usage(error: &clap::Error) -> ExitCode {
    // A closed pipe is no reason to fail.
    let _printed = error.print();
    if error.use_stderr() {
        Failure::USAGE.into()
    } else {
        ExitCode::SUCCESS
    }
}
