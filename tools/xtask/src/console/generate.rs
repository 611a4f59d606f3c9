//! The generated sources of the console: the types of the API, and the rules of `core` and `service`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{assets, build, native, npm, run, say};

/// The names of the files.
const NAMES: [&str; 2] = ["api.ts", "rules.ts"];

/// Where the files are checked in.
fn folder(paths: &Paths) -> PathBuf {
    paths.root.join("console/src/generated")
}

/// Writes the files.
pub(super) fn write(paths: &Paths) -> Result {
    write_into(paths, &folder(paths))
}

/// Fails if a file that is checked in is not what would be written now.
pub(super) fn check(paths: &Paths) -> Result {
    let fresh = paths.root.join("target/console/generated");
    write_into(paths, &fresh)?;
    for name in NAMES {
        let read = |folder: &Path| {
            let path = folder.join(name);
            fs::read(&path).context(|| format!("cannot read {}", path.display()))
        };
        if read(&fresh)? != read(&folder(paths))? {
            return Err(format!("console/src/generated/{name} is stale: run `cargo xtask console generate`").into());
        }
    }
    say::out("the generated files are fresh");
    Ok(())
}

fn write_into(paths: &Paths, folder: &Path) -> Result {
    build::texts(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    npm::ensure(paths, &npm::CONSOLE)?;
    let [types, rules] = NAMES.map(|name| folder.join(name));
    fs::create_dir_all(folder).context(|| format!("cannot create {}", folder.display()))?;
    let mut generator = paths.command(paths.node());
    generator.arg("console/generate.mjs");
    run::run(generator.arg(assets::folder(paths).join("accounts.json")).arg(types))?;
    let example = native::example(paths, "console_rules")?;
    let printed = run::output(&mut paths.command(example))?;
    fs::write(&rules, printed).context(|| format!("cannot write {}", rules.display()))
}
