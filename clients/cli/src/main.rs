//! The program `overturn`.

use std::process::ExitCode;

fn main() -> ExitCode {
    overturn_cli::run(std::env::args_os())
}
