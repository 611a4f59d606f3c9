//! Compares the speed of Overturn with its alternatives; `cargo xtask bench` runs this.

mod batch;
mod cells;
mod checks;
mod documents;
mod drive;
mod flood;
mod growth;
mod load;
mod memory;
mod native;
mod objects;
mod options;
mod rounds;
mod senders;
mod start;
mod table;
mod worker;
mod workers;

use options::Options;
use std::process::ExitCode;

/// A part of the benchmark: its name, and the function that measures and prints.
type Part = (&'static str, fn(&Options));

/// How many parts run by default: the first ones, which take minutes together.
const USUAL: usize = 4;

const PARTS: [Part; 11] = [
    ("core", native::run),
    ("checks", checks::run),
    ("start", start::run),
    ("workers", workers::run),
    ("far", workers::run_far),
    ("objects", objects::run),
    ("growth", growth::run),
    ("cells", cells::run),
    ("memory", memory::run),
    ("flood", flood::run),
    ("documents", documents::run),
];

fn main() -> ExitCode {
    let options = match Options::read(lexopt::Parser::from_env()) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("bench: {error}");
            return ExitCode::FAILURE;
        }
    };
    let known = |name: &String| PARTS.iter().any(|(part, _)| part == name);
    if let Some(unknown) = options.parts.iter().find(|name| !known(name)) {
        eprintln!("bench: there is no {unknown}; there are {}", PARTS.map(|(name, _)| name).join(", "));
        return ExitCode::FAILURE;
    }
    for (n, (name, run)) in PARTS.into_iter().enumerate() {
        let is_usual = options.parts.is_empty() && n < USUAL;
        if is_usual || options.parts.iter().any(|part| part == name) {
            run(&options);
        }
    }
    ExitCode::SUCCESS
}
