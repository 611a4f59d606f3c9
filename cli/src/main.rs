//! `overturn`, on the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    overturn_cli::run(std::env::args_os())
}
