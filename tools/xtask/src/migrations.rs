//! Checks that migrations are append-only. A landed migration is never edited, because databases that have applied it
//! would not apply the change.
//!
//! edge/migrations/LANDED lists every migration with its digest. So the check needs no git history and works in a
//! shallow clone, and a change of a landed migration shows in a review as a changed line. Before the first installation,
//! the list is empty and the schema is the only migration. `cargo xtask deploy --check` refuses what has not landed.

use std::fs;
use std::path::PathBuf;

use lexopt::{Arg, ValueExt};

use crate::backup::Source;
use crate::error::{CommandError, Context, Result};
use crate::paths::Paths;
use crate::{cells, digest, npm, run, say};

const HEADER: &str = "# Migrations that may not change any more. `cargo xtask migrations land` adds the new ones.\n";

#[derive(Debug, PartialEq, Eq)]
struct Migration {
    digest: String,
    name: String,
}

/// Runs the command line.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    match args.next()? {
        Some(Arg::Value(word)) if word == "land" => {}
        Some(Arg::Value(word)) if word == "apply" => return apply(paths, args),
        Some(other) => return Err(other.unexpected().into()),
        None => return Err("`cargo xtask migrations land` and `apply` are what there is".into()),
    }
    let (landed, files) = (landed(paths)?, files(paths)?);
    let new = unlanded(&landed, &files).map_err(CommandError::Message)?;
    if new.is_empty() {
        say::out("no new migration");
        return Ok(());
    }
    let mut list = fs::read_to_string(list(paths)).unwrap_or_else(|_| HEADER.to_owned());
    for migration in new {
        list.push_str(&format!("{}  {}\n", migration.digest, migration.name));
        say::out(&format!("landed {}", migration.name));
    }
    fs::write(self::list(paths), list).context(|| "cannot write LANDED".to_owned())
}

/// Applies the migrations to each cell, also behind one that fails. What is applied stays, so a second run does the rest.
fn apply(paths: &Paths, mut args: lexopt::Parser) -> Result {
    let source = match args.next()? {
        Some(Arg::Long("remote")) => Source::remote(&args.value()?.string()?)?,
        Some(Arg::Long("state")) => Source::Local(args.value()?.into()),
        _ => return Err("name the databases with --remote ENV or --state DIR".into()),
    };
    npm::ensure(paths, &npm::TOOLS)?;
    cells::each(source.cells(paths)?, |cell| run::run(&mut source.wrangler(paths, &["migrations", "apply"], cell)))
}

/// Checks that no landed migration has changed and that every migration is listed, except the schema before it lands.
pub(crate) fn check(paths: &Paths) -> Result {
    let (landed, files) = (landed(paths)?, files(paths)?);
    match unlanded(&landed, &files).map_err(CommandError::Message)? {
        [] => Ok(()),
        [_] if landed.is_empty() => Ok(()),
        [new, ..] => Err(not_landed(new).into()),
    }
}

/// What must land before the migrations are applied to a database that stays.
pub(crate) fn to_land(paths: &Paths) -> Result<Option<String>> {
    let (landed, files) = (landed(paths)?, files(paths)?);
    let new = unlanded(&landed, &files).map_err(CommandError::Message)?;
    Ok(new.first().map(not_landed))
}

fn not_landed(migration: &Migration) -> String {
    format!("{} is not in LANDED: `cargo xtask migrations land` adds it", migration.name)
}

/// The migrations that are not listed yet, or an error if the list contradicts the files.
fn unlanded<'a>(landed: &[Migration], files: &'a [Migration]) -> std::result::Result<&'a [Migration], String> {
    match files.split_at_checked(landed.len()) {
        Some((old, new)) if old == landed => Ok(new),
        _ => Err(match landed.iter().find(|migration| !files.contains(migration)) {
            Some(Migration { name, .. }) => {
                format!("{name} has changed since it landed, or is gone: undo that and write a new migration")
            }
            None => "a new migration would run before one that landed: give it a higher number".to_owned(),
        }),
    }
}

/// One digest of all migrations.
pub(crate) fn digest(paths: &Paths) -> Result<String> {
    let digests: Vec<String> = files(paths)?.into_iter().map(|file| file.digest).collect();
    Ok(digest::of(digests.join("\n").as_bytes()))
}

fn folder(paths: &Paths) -> PathBuf {
    paths.root.join("edge/migrations")
}

fn list(paths: &Paths) -> PathBuf {
    folder(paths).join("LANDED")
}

fn landed(paths: &Paths) -> Result<Vec<Migration>> {
    let list = fs::read_to_string(list(paths)).unwrap_or_default();
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (digest, name) = line.split_once("  ").ok_or_else(|| format!("LANDED: not `digest  name`: {line}"))?;
            Ok(Migration { digest: digest.to_owned(), name: name.to_owned() })
        })
        .collect()
}

/// In the order in which they run.
fn files(paths: &Paths) -> Result<Vec<Migration>> {
    let folder = folder(paths);
    let entries = fs::read_dir(&folder).context(|| format!("cannot read {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.context(|| format!("cannot read {}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "sql") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push(Migration { digest: digest::of_file(&path)?, name });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{Migration, unlanded};

    fn migrations(text: &str) -> Vec<Migration> {
        let both = |word: &str| word.split_once(':').map(|(name, digest)| (name.to_owned(), digest.to_owned()));
        let pairs = text.split_whitespace().filter_map(both);
        pairs.map(|(name, digest)| Migration { digest, name }).collect()
    }

    #[test]
    fn landed_migrations_stay_and_new_ones_come_after_them() {
        let cases = [
            ("", "1:a 2:b", Ok(2)),
            ("1:a", "1:a 2:b", Ok(1)),
            ("1:a 2:b", "1:a 2:b", Ok(0)),
            ("1:a 2:b", "1:a 2:x", Err("2 has changed")),
            ("1:a 2:b", "1:a", Err("2 has changed")),
            ("1:a 2:b", "2:b", Err("1 has changed")),
            ("1:a 3:c", "1:a 2:b 3:c", Err("a new migration would run before")),
        ];
        for (landed, files, expected) in cases {
            let (landed, files) = (migrations(landed), migrations(files));
            match (unlanded(&landed, &files), expected) {
                (Ok(new), Ok(count)) => assert_eq!(new.len(), count),
                (Err(error), Err(start)) => assert!(error.starts_with(start), "{error}"),
                (found, expected) => panic!("{found:?} instead of {expected:?}"),
            }
        }
    }
}
