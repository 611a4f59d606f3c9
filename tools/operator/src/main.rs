//! Commands that the operator runs on the service's database, with the service's own code.
//!
//! * `operator demo [CELLS]` prints the demo data of a development database as one JSON object, for `cargo xtask dev`.
//! * `operator history DEMO_JSON DATABASE…` fills its practices with claims in every state, while no service runs.
//! * `operator code` prints the current code of an authenticator app, for `cargo xtask code`.
//! * `operator drill` prints keys for a restored copy of a database, for `cargo xtask drill`.
//! * Every other command belongs to `cargo xtask operator`: [`options`] parses it, [`commands`] runs it.

#![allow(clippy::disallowed_methods, reason = "a native tool, which makes fresh ids and keys")]

mod cells;
mod commands;
mod database;
mod demo;
mod drill;
mod options;
mod service;
mod sql;
mod verify;

use std::env;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::time::SystemTime;

use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use overturn_service::auth::totp::TotpSecret;
use rusqlite::{Connection, OpenFlags};

fn main() -> ExitCode {
    let (line, code) = match run() {
        Ok(said) => (writeln!(std::io::stdout(), "{said}"), ExitCode::SUCCESS),
        Err(error) => (writeln!(std::io::stderr(), "error: {error}"), ExitCode::FAILURE),
    };
    line.map_or(ExitCode::FAILURE, |()| code)
}

fn run() -> Result<String, Box<dyn Error>> {
    if env::args_os().any(|word| word == "--help" || word == "-h") {
        return Ok(options::USAGE.to_owned());
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let ctx = Ctx::new(Instant(i64::try_from(now.as_millis())?), random()?);
    match env::args().nth(1).as_deref() {
        Some("demo") => {
            let cells = env::args().nth(2).map_or(Ok(1), |cells| cells.parse())?;
            Ok(demo::made(&ctx, cells, &random)?.to_string())
        }
        Some("history") => history(ctx.now),
        Some("code") => code(ctx.now),
        Some("drill") => Ok(drill::keys(env::args().skip(2), &ctx, &random)?.to_string()),
        _ => commands::run(&options::parse(env::args_os().skip(1))?, &ctx),
    }
}

/// Fills the practices of a state folder with claims.
fn history(now: Instant) -> Result<String, Box<dyn Error>> {
    let mut words = env::args_os().skip(2);
    let demo = words.next().ok_or("history DEMO_JSON DATABASE…")?;
    let demo = serde_json::from_str(&fs::read_to_string(demo)?)?;
    // A wrong path must not make a new database.
    let there = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let databases = words.map(|file| Connection::open_with_flags(file, there)).collect::<Result<Vec<_>, _>>()?;
    // Of several, the first cell has the staff. wrangler's names of files do not say which that is.
    let is_later = |db: &Connection| db.query_row("SELECT 1 FROM own_cell WHERE number > 0", [], |_| Ok(())).is_ok();
    let database = databases.into_iter().find(|db| !is_later(db)).ok_or("there is no first cell")?;
    demo::filled(&demo, database, now, &random)?;
    Ok(String::new())
}

/// The current code of the secret in the environment.
fn code(now: Instant) -> Result<String, Box<dyn Error>> {
    let secret = env::var("TOTP_SECRET")?;
    let secret = TotpSecret::from_base32(&secret).ok_or("TOTP_SECRET is not 20 bytes in base32")?;
    Ok(secret.code_at(now))
}

fn random<const N: usize>() -> Result<[u8; N], Box<dyn Error>> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
