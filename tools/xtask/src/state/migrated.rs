//! The state that new ones are copies of: a database with the migrations, and nothing else.

use std::fs;
use std::path::Path;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{build, cells, digest, locks, migrations, run};

/// What wrangler makes in a state folder.
pub(super) const STORED: &str = "v3";

/// Has wrangler apply the migrations that a cell of a state folder does not have yet.
pub(super) fn apply(paths: &Paths, folder: &Path, cell: u16) -> Result {
    let mut command = paths.wrangler_command("wrangler");
    command.args(["d1", "migrations", "apply", &cells::binding(cell)]);
    cells::locally(paths, &mut command, folder);
    run::output(&mut command).map(|_| ())
}

/// Copies that state into a folder that wrangler has made nothing in. It is made before, unless it is there. Each is a draft
/// until it is whole, so that an interruption leaves no half of it.
pub(super) fn copy_to(paths: &Paths, folder: &Path) -> Result {
    let all = build::target_dir(paths)?.join("migrated");
    let _alone = locks::wait(&all.with_extension("lock"))?;
    let made = all.join(key(paths)?);
    if !made.is_dir() {
        // Those of other migrations.
        let _ = fs::remove_dir_all(&all);
        apply(paths, &made.with_extension("draft"), 0)?;
        rename(&made.with_extension("draft"), &made)?;
    }
    let draft = folder.join("draft");
    let _ = fs::remove_dir_all(&draft);
    run::run(paths.command("cp").arg("-r").arg(made.join(STORED)).arg(&draft))?;
    rename(&draft, &folder.join(STORED))
}

fn rename(draft: &Path, folder: &Path) -> Result {
    fs::rename(draft, folder).context(|| format!("cannot rename {}", draft.display()))
}

/// Names all that such a state is made from.
fn key(paths: &Paths) -> Result<String> {
    let file = |name: &str| digest::of_file(&paths.root.join(name));
    let parts = [migrations::digest(paths)?, file("wrangler.toml")?, file("package-lock.json")?];
    Ok(digest::of(parts.join("\n").as_bytes()))
}
