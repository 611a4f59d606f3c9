//! The databases of an installation with several cells: their bindings, and how many a place has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::error::{CommandError, Context, Result};
use crate::paths::Paths;
use crate::{run, say};

/// wrangler's configuration of a state folder with several cells, beside its databases. A folder with one cell has none.
const CONFIGURATION: &str = "cells.toml";

/// The binding of a cell's database.
pub(crate) fn binding(cell: u16) -> String {
    format!("DB_{cell:03}")
}

/// The configuration for wrangler's commands about a state folder.
pub(crate) fn configuration(paths: &Paths, state: &Path) -> PathBuf {
    let own = state.join(CONFIGURATION);
    if own.is_file() { own } else { paths.root.join("wrangler.toml") }
}

/// Names the database of a cell in a state folder to wrangler.
pub(crate) fn locally(paths: &Paths, command: &mut Command, state: &Path) {
    command.args(["--local", "--persist-to"]).arg(state).arg("--config").arg(configuration(paths, state));
}

/// Writes the configuration of a state folder. The first database is that of wrangler.toml.
pub(crate) fn configure(paths: &Paths, state: &Path, cells: u16) -> Result {
    if cells < 2 {
        return Ok(());
    }
    let migrations = paths.root.join("edge/migrations");
    let databases = (0..cells).map(|cell| {
        let name = if cell == 0 { "overturn-dev".to_owned() } else { format!("overturn-dev-{cell:03}") };
        format!(
            "\n[[d1_databases]]\nbinding = \"{}\"\ndatabase_name = \"{name}\"\ndatabase_id = \"{name}\"\nmigrations_dir = {}\n",
            binding(cell),
            Value::from(migrations.to_string_lossy())
        )
    });
    let head = "name = \"overturn-dev\"\ncompatibility_date = \"2026-11-01\"\n";
    let file = state.join(CONFIGURATION);
    let text = std::iter::once(head.to_owned()).chain(databases).collect::<String>();
    fs::write(&file, text).context(|| format!("cannot write {}", file.display()))
}

/// How many cells a state folder of workerd is configured for.
pub(crate) fn configured(state: &Path) -> u16 {
    let text = fs::read_to_string(state.join(CONFIGURATION)).unwrap_or_default();
    let count = text.lines().filter(|line| line.starts_with("binding = ")).count();
    u16::try_from(count).unwrap_or(u16::MAX).max(1)
}

/// How many cells an environment of wrangler.toml has.
pub(crate) fn remote(paths: &Paths, environment: &str) -> Result<u16> {
    let mut node = paths.wrangler_command("node");
    let printed = run::output(node.args(["tools/dev/configuration.mjs", environment]))?;
    let settings: Value = serde_json::from_str(&printed).context(|| "wrangler.toml".to_owned())?;
    let databases = settings.pointer(&format!("/{environment}/d1_databases")).and_then(Value::as_array);
    Ok(u16::try_from(databases.map_or(1, Vec::len)).unwrap_or(u16::MAX))
}

/// The file of a cell beside that of the first one: `x-001.sql.age` beside `x.sql.age`.
pub(crate) fn beside(first: &Path, cell: u16) -> PathBuf {
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let (stem, end) = name.split_at(name.find('.').unwrap_or(name.len()));
    let number = if cell == 0 { String::new() } else { format!("-{cell:03}") };
    first.with_file_name(format!("{stem}{number}{end}"))
}

/// Does something for each cell, also for those behind one that fails. With several, each is named when it begins and when it
/// fails.
pub(crate) fn each(cells: u16, mut work: impl FnMut(u16) -> Result) -> Result {
    if cells == 1 {
        return work(0);
    }
    let mut failed = Vec::new();
    for cell in 0..cells {
        say::err(&format!("cell {cell} of {cells}, {}", binding(cell)));
        match work(cell) {
            Ok(()) => {}
            Err(CommandError::Signal(signal)) => return Err(CommandError::Signal(signal)),
            Err(CommandError::Said) => failed.push(binding(cell)),
            Err(CommandError::Message(message)) => {
                say::err(&format!("cell {cell}: {message}"));
                failed.push(binding(cell));
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", ")).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_fails_stops_no_other_and_is_named() {
        let mut done = Vec::new();
        let ended = each(4, |cell| {
            done.push(cell);
            if cell % 2 == 1 { Err("no answer".into()) } else { Ok(()) }
        });
        assert_eq!(done, [0, 1, 2, 3]);
        assert!(matches!(ended, Err(CommandError::Message(said)) if said == "failed: DB_001, DB_003"));
    }

    #[test]
    fn the_configuration_of_a_state_says_how_many_cells_it_has() {
        let folder = std::env::temp_dir().join(format!("overturn-cells-toml-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let paths = Paths::find().unwrap();
        for (cells, expected) in [(1, 1), (3, 3)] {
            configure(&paths, &folder, cells).unwrap();
            assert_eq!(configured(&folder), expected);
        }
        assert_eq!(configuration(&paths, &folder), folder.join(CONFIGURATION));
        let text = fs::read_to_string(folder.join(CONFIGURATION)).unwrap();
        let whole = fs::read_to_string(paths.root.join("wrangler.toml")).unwrap();
        for line in text.lines().take(2).chain(["database_id = \"overturn-dev\""]) {
            assert!(whole.lines().any(|other| other == line), "{line}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_files_of_cells_have_their_numbers_before_the_endings() {
        let names = [0, 1].map(|cell| beside(Path::new("a/overturn.sql.age"), cell));
        assert_eq!(names, ["a/overturn.sql.age", "a/overturn-001.sql.age"].map(PathBuf::from));
    }
}
