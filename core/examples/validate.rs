//! Validates a send request without calling the service.
//!
//! ```sh
//! cargo run --package overturn-core --example validate < request.json
//! ```
//!
//! Prints the errors and the advice as JSON. Exits with 1 when there are errors.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program of a sender, which has a clock and a terminal"
)]

use overturn_core::base::instant::Instant;
use overturn_core::claims::check::check;
use std::error::Error;
use std::io::{Read, stdin};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut body = Vec::new();
    stdin().read_to_end(&mut body)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    let report = check(&body, Instant(i64::try_from(now)?));
    println!("{}", serde_json::to_string(&report)?);
    Ok(if report.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
