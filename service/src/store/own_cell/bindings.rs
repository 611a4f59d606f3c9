//! How wrangler's configurations name the databases of cells. `cargo xtask`, which is built without the service, takes this
//! file alone.

use serde_json::Value;

/// wrangler's configuration of a state folder with several cells, beside its databases. A folder with one cell has none.
pub const FILE: &str = "cells.toml";

/// The name of a cell's database.
#[must_use]
pub fn name(cell: u16) -> String {
    format!("DB_{cell:03}")
}

/// The configuration of a state folder with so many cells, for wrangler's commands. The first database is that of wrangler.toml.
#[must_use]
pub fn configuration(cells: u16, migrations: &str) -> String {
    let databases = (0..cells).map(|cell| {
        let database = if cell == 0 { "overturn-dev".to_owned() } else { format!("overturn-dev-{cell:03}") };
        let (binding, migrations) = (name(cell), Value::from(migrations));
        format!(
            "\n[[d1_databases]]\nbinding = \"{binding}\"\ndatabase_name = \"{database}\"\ndatabase_id = \"{database}\"\nmigrations_dir = {migrations}\n"
        )
    });
    let head = "name = \"overturn-dev\"\ncompatibility_date = \"2026-11-01\"\n";
    std::iter::once(head.to_owned()).chain(databases).collect()
}

/// How many cells the configuration of a state folder has, by its text.
#[must_use]
pub fn in_folder(text: &str) -> u16 {
    count(Some(text.lines().filter(|line| line.starts_with("binding = ")).count()))
}

/// How many cells an environment of wrangler.toml has, by its settings as JSON.
#[must_use]
pub fn in_environment(settings: &Value, environment: &str) -> u16 {
    let databases = settings.get(environment).and_then(|of| of.get("d1_databases")).and_then(Value::as_array);
    count(databases.map(Vec::len))
}

fn count(databases: Option<usize>) -> u16 {
    databases.map_or(1, |count| u16::try_from(count).unwrap_or(u16::MAX)).max(1)
}
