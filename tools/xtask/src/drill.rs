//! `cargo xtask drill`: restores a backup into a fresh state folder and proves that the service works with it.
//!
//! The restored copy is served on this machine, as dev. The drill never touches the original database. All unencrypted
//! data is in one folder that only its owner can enter. The drill removes it at the end.

mod checks;
mod report;
mod rows;
mod sending;

use std::env;
use std::fs;
use std::path::PathBuf;

use lexopt::{Arg, ValueExt};
use serde_json::json;

use crate::backup::{self, Private, Source};
use crate::demo::Demo;
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::state::State;
use crate::{build, cells, npm, operator, say, secrets};
use checks::Copy;
pub(crate) use checks::{node, parse};
use report::Report;
use sending::Sent;

/// The default number of claims to read over HTTP.
const CLAIMS: u32 = 10_000;

/// What to restore, and how much of it to read.
struct Options {
    from: From,
    claims: u32,
}

enum From {
    /// Makes a backup of a cell now.
    Source(Source, u16),
    /// Uses an existing backup.
    File(PathBuf),
}

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    let mut options =
        Options { from: From::Source(Source::Local(paths.root.join(".wrangler/state")), 0), claims: CLAIMS };
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("state") => options.from = From::Source(Source::Local(args.value()?.into()), 0),
            Arg::Long("remote") => {
                options.from = From::Source(Source::remote(&args.value()?.string()?)?, 0);
            }
            Arg::Long("from") => options.from = From::File(args.value()?.into()),
            Arg::Long("claims") => options.claims = args.value()?.parse()?,
            other => return Err(other.unexpected().into()),
        }
    }
    paths.profile = build::Profile::Development;
    npm::ensure(&paths, &npm::TOOLS)?;
    drill(&paths, &options)
}

/// The step of `cargo xtask test`: drills a separate database with demo data.
pub(crate) fn check(paths: &Paths) -> Result {
    npm::ensure(paths, &npm::TOOLS)?;
    let state = State::open(&paths.root.join("target/drill-source"), true)?;
    secrets::ensure(paths)?;
    state.migrate(paths)?;
    Demo::ensure(paths, &state, "http://127.0.0.1", &json!({}))?;
    let from = From::Source(Source::Local(state.folder), 0);
    drill(paths, &Options { from, claims: CLAIMS })
}

fn drill(paths: &Paths, options: &Options) -> Result {
    build::build(paths)?;
    secrets::ensure(paths)?;
    match &options.from {
        From::File(_) => drill_one(paths, options),
        From::Source(source, _) => cells::each(source.cells(paths)?, |cell| {
            drill_one(paths, &Options { from: From::Source(source.clone(), cell), ..*options })
        }),
    }
}

fn drill_one(paths: &Paths, options: &Options) -> Result {
    let private = Private::new(&paths.root.join("target/drill"))?;
    let mut report = Report::begin();
    let done = steps(paths, options, &private, &mut report);
    say::out(&report.text());
    done
}

fn steps(paths: &Paths, options: &Options, private: &Private, report: &mut Report) -> Result {
    let keys = sealing_keys(paths, &options.from)?;
    let (file, identity, sent) = match &options.from {
        From::Source(source, cell) => {
            let sent = report.step("send the drill's own claims", || match cell {
                0 => sending::send(paths, source),
                _ => Ok(Sent::none("skipped: its practice lives in the first cell")),
            })?;
            let (identity, recipient) = encryption(paths)?;
            let file = private.file("backup.sql.age");
            report.step("export and encrypt", || {
                backup::write(paths, (source, *cell), private, &file, recipient.as_deref())?;
                Ok(size(&file))
            })?;
            (file, identity, sent)
        }
        From::File(file) => {
            let file = std::path::absolute(file).context(|| "the backup".to_owned())?;
            (file, None, Sent::none("skipped: the backup was made before"))
        }
    };
    let restored = State::open(&private.file("restored"), false)?;
    report.step("decrypt and restore", || {
        backup::restore(paths, &file, private, identity.as_deref(), &restored)?;
        Ok(size(&restored.folder))
    })?;
    let copy = Copy { paths, private, state: restored, keys };
    let counted = report.step("every row is back, and the trail with it", || copy.rows(&file, identity.as_deref()))?;
    report.note(&counted.tables);
    // The backup may be older than the program.
    report.step("apply newer migrations", || copy.state.migrate(paths).map(|()| String::new()))?;
    let right = copy.another("right-keys")?;
    let wrong = copy.another("wrong-keys")?;
    report
        .step("the service answers for every claim, and a resend is known", || copy.answers(options.claims, &sent))?;
    report.step("what is sealed opens with the keys of its time", || right.opens())?;
    report.step("and with no other keys", || wrong.stays_shut())?;
    Ok(())
}

/// The keys that the backup is sealed with.
fn sealing_keys(paths: &Paths, from: &From) -> Result<String> {
    match from {
        From::Source(source, _) => source.sealing_keys(paths),
        From::File(_) => env::var(operator::KEYS).map_err(|_| {
            format!("set {} to the sealing keys of the time of the backup, from where you keep them", operator::KEYS)
                .into()
        }),
    }
}

/// Identity and recipient: those of the environment, or a new pair if it has neither.
fn encryption(paths: &Paths) -> Result<(Option<String>, Option<String>)> {
    let is_set = |name| env::var_os(name).is_some();
    match (is_set(backup::RECIPIENTS), is_set(backup::IDENTITY)) {
        (true, true) => Ok((None, None)),
        (false, false) => {
            let (identity, recipient) = backup::keygen(paths)?;
            Ok((Some(identity), Some(recipient)))
        }
        _ => Err(format!("set both {} and {}, or neither", backup::RECIPIENTS, backup::IDENTITY).into()),
    }
}

fn size(path: &std::path::Path) -> String {
    fn bytes(path: &std::path::Path) -> u64 {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let below: u64 = entries.map(|entry| bytes(&entry.path())).sum();
        let own = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        below.saturating_add(own.map_or(0, |file| file.len()))
    }
    format!("{} KB", bytes(path).div_ceil(1000))
}
