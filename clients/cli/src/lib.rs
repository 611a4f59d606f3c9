//! `overturn`: makes claims from remittances, validates files of claims, sends them, reads their status, and plays a payer. It uses the service's own rules.
//!
//! **In scope:** reading files, calling the service, reporting results. **Out of scope:** what makes a claim valid,
//! which [`overturn_core`] decides, and calls, which
//! [`overturn_client`] makes.
//!
//! ```text
//! input ──► check ──► batch ──► retry ──► report
//! a claim   core's    up to     retries,  lines, and
//! a time    rules     100       waits     a table
//! ```
//!
//! The program keeps nothing on disk. The service knows which claims it has, and sending one again changes nothing. To
//! finish an interrupted send, run it again.

mod address;
mod args;
mod capped;
mod check;
mod endpoint;
mod error;
mod feed;
mod frame;
mod input;
mod interrupt;
mod listen;
mod pace;
mod payer;
mod person;
mod progress;
mod remit;
mod rotate;
mod screen;
mod send;
mod small;
mod status;
mod system;
mod table;
mod text;
mod trigger;
mod validate;

use crate::args::{Args, Command};
use crate::screen::Screen;
use clap::Parser;
use overturn_client::{answer, batch, call, retry};
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs a command line, beginning with the program's name. `--help` describes the exit status.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let mut screen = Screen::new(args.json);
    let result = interrupt::watch().and_then(|interrupt| match args.command {
        Command::Validate(args) => validate::command(&args, &interrupt, &mut screen),
        Command::Send(args) => send::command(&args, &interrupt, &mut screen),
        Command::Status(args) => status::command(&args, &interrupt, &mut screen),
        Command::Remit(args) => remit::command(&args, &interrupt, &mut screen),
        Command::Rotate(args) => rotate::command(&args, &interrupt, &mut screen),
        Command::Listen(args) => listen::command(&args, &interrupt, &mut screen),
        Command::Trigger(args) => trigger::command(&args, &interrupt, &mut screen),
        Command::Payer(args) => payer::command(&args, &interrupt, &screen),
    });
    match result.and_then(|end| screen.finish().map(|()| end)) {
        Ok(end) => end.into(),
        Err(failure) => {
            screen.fail(&failure);
            error::code(&failure)
        }
    }
}

/// Prints clap's message. Help and version are not errors.
fn usage(error: &clap::Error) -> ExitCode {
    // A closed pipe is not an error.
    let _printed = error.print();
    if error.use_stderr() { error::USAGE.into() } else { ExitCode::SUCCESS }
}
