//! How fast Overturn is, beside what a user would pick instead; `cargo xtask bench` runs this.

mod batch;
mod drive;
mod load;
mod native;
mod options;
mod rounds;
mod senders;
mod table;
mod worker;
mod workers;

use options::Options;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match Options::read(lexopt::Parser::from_env()) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("bench: {error}");
            return ExitCode::FAILURE;
        }
    };
    for what in &options.what {
        match what.as_str() {
            "core" => native::run(options.rounds),
            "workers" => workers::run(&options),
            other => {
                eprintln!("bench: there is no {other}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
