//! Overturn as one program: the service over SQLite, files and SMTP, for tests, laptops, and a group's own server.

mod assets;
mod authorities;
mod bucket;
mod cache;
mod clock;
mod config;
mod database;
mod entrance;
mod error;
mod files;
mod health;
mod http;
mod identity;
mod jobs;
mod limiter;
mod lock;
mod log;
mod mailer;
mod metrics;
mod moving;
mod network;
mod options;
mod outbound;
mod queue;
mod server;
mod tasks;
mod thread;

use error::{Context as _, Result};
use options::Command;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::tell(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    match options::parse(lexopt::Parser::from_env())? {
        Command::Help => tell(options::HELP),
        Command::Serve(options) => server::serve(&options),
        Command::Health { at } => health::ask(at),
        Command::Migrate { data, keys } => {
            let _ours = lock::Lock::take(&data)?;
            database::migrate_all(&database::files(&data, settings(keys)?.cells()?)?)
        }
        Command::Execute { data, file, cell } => {
            let files = database::found(&data);
            let database = files.iter().nth(cell.into()).ok_or_else(|| format!("there is no cell {cell}"))?;
            database::execute(database, &file)
        }
        Command::Check { data, keys } => tell(&moving::check(&data, &settings(keys)?)?),
        Command::Copy { from, to, keys } => tell(&moving::copy(&from, &to, &settings(keys)?)?),
        Command::Backup { data, file } => database::backup_all(&database::found(&data), &file),
    }
}

fn settings(source: options::Source) -> Result<config::Settings> {
    config::Settings::load(source.vars.as_deref(), source.secrets)
}

fn tell(text: &str) -> Result<()> {
    let said = std::io::stdout().write_all(text.as_bytes());
    said.context(|| "cannot write".into())
}
