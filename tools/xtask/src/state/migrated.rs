//! The state that new ones are copies of: a database with the migrations, and nothing else.

use std::fs;
use std::path::Path;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{build, digest, locks, migrations, run};

/// What wrangler makes in a state folder.
pub(super) const STORED: &str = "v3";

/// Has wrangler apply the migrations that a state folder does not have yet.
pub(super) fn apply(paths: &Paths, folder: &Path) -> Result {
    let mut command = paths.wrangler_command("wrangler");
    command.args(["d1", "migrations", "apply", "DB", "--local", "--persist-to"]).arg(folder);
    run::output(&mut command).map(|_| ())
}

/// Copies that state into a folder that wrangler has made nothing in. It is made before, unless it is there.
pub(super) fn copy_to(paths: &Paths, folder: &Path) -> Result {
    let all = build::target_dir(paths)?.join("migrated");
    let _alone = locks::wait(&all.with_extension("lock"))?;
    let made = all.join(key(paths)?);
    if !made.is_dir() {
        // Those of other migrations.
        emptied(&all)?;
        whole(&made, |draft| apply(paths, draft))?;
    }
    whole(&folder.join(STORED), |draft| copy(&made.join(STORED), draft))
}

/// Names all that such a state is made from.
fn key(paths: &Paths) -> Result<String> {
    let file = |name: &str| digest::of_file(&paths.root.join(name));
    let parts = [migrations::digest(paths)?, file("wrangler.toml")?, file("package-lock.json")?];
    Ok(digest::of(parts.join("\n").as_bytes()))
}

/// Makes a folder under another name until it is whole, so that an interruption leaves no half of it.
fn whole(folder: &Path, fill: impl FnOnce(&Path) -> Result) -> Result {
    let draft = folder.with_extension("draft");
    emptied(&draft)?;
    fill(&draft)?;
    fs::rename(&draft, folder).context(|| format!("cannot rename {}", draft.display()))
}

/// A folder that has nothing in it.
fn emptied(folder: &Path) -> Result {
    if folder.exists() {
        fs::remove_dir_all(folder).context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).context(|| format!("cannot make {}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result {
    let failed = || format!("cannot copy {} to {}", from.display(), to.display());
    fs::create_dir_all(to).context(failed)?;
    for entry in fs::read_dir(from).context(failed)? {
        let entry = entry.context(failed)?;
        let to = to.join(entry.file_name());
        if entry.file_type().context(failed)?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to).context(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{copy, whole};

    #[test]
    fn an_interrupted_copy_leaves_nothing_and_the_next_one_is_whole() {
        let root = std::env::temp_dir().join(format!("overturn-migrated-{}", std::process::id()));
        let (made, state) = (root.join("made"), root.join("state/v3"));
        fs::create_dir_all(made.join("d1")).unwrap();
        fs::write(made.join("d1/rows"), "all").unwrap();
        let interrupted = whole(&state, |draft| {
            fs::write(draft.join("rows"), "half").unwrap();
            Err("stopped".into())
        });
        assert!(interrupted.is_err() && !state.exists());
        whole(&state, |draft| copy(&made, draft)).unwrap();
        assert_eq!(fs::read_to_string(state.join("d1/rows")).unwrap(), "all");
        assert!(!state.join("rows").exists());
        fs::remove_dir_all(root).unwrap();
    }
}
