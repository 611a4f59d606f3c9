//! The npm package, as `npm pack` makes it, in every runtime it is for. wasm/tests has what is tried.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::{browser, npm, package, python, run};

/// Builds the package and tries it everywhere.
pub(crate) fn check(paths: &Paths) -> Result {
    let built = package::build(paths)?;
    npm::ensure(paths, &npm::RUNTIMES)?;
    let folder = npm::RUNTIMES.folder(paths);
    unpack(paths, &built, &folder.join("node_modules/@overturn/core"))?;
    let here = |program: PathBuf| {
        let mut command = paths.wrangler_command(program);
        command.current_dir(&folder);
        command
    };
    let node = |script: &str| {
        let mut command = here(paths.node());
        command.arg(script);
        command
    };
    run::run(&mut node("run.mjs"))?;
    run::run(&mut node("readme.mjs"))?;
    run::run(&mut node("workerd.mjs"))?;
    run::run(node("browser.mjs").env("OVERTURN_BROWSER", browser::ensure(paths)?.command_line()))?;
    run::run(
        here(deno(&folder)?)
            // No permission is given: the package needs none.
            .args(["run", "--no-remote", "--no-prompt", "run.mjs"])
            .env("DENO_DIR", paths.root.join("target/deno"))
            .env("DENO_NO_UPDATE_CHECK", "1"),
    )?;
    types(&here(folder.join("node_modules/.bin/tsc")))?;
    run::run(
        python::with_libraries(paths)?
            .arg("wasm/python/check.py")
            .arg(built.join(package::MODULE))
            .arg("wasm/tests/golden.json")
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}

/// Puts the package where Node looks for it, with just the files that would be published.
fn unpack(paths: &Paths, built: &Path, to: &Path) -> Result {
    let packed = paths.root.join("target/packed");
    let _ = fs::remove_dir_all(&packed);
    let _ = fs::remove_dir_all(to);
    for folder in [&*packed, to] {
        fs::create_dir_all(folder).context(|| format!("cannot create {}", folder.display()))?;
    }
    let printed = run::output(
        paths
            .command("npm")
            .args(["pack", "--loglevel=error", "--pack-destination"])
            .args([&*packed, built]),
    )?;
    let tarball = packed.join(printed.lines().last().unwrap_or_default());
    run::run(
        paths
            .command("tar")
            .args(["--strip-components=1", "-xzf"])
            .arg(tarball)
            .arg("-C")
            .arg(to),
    )
}

/// npm installs the one package of Deno that is for this system.
fn deno(folder: &Path) -> Result<PathBuf> {
    let packages = folder.join("node_modules/@deno");
    fs::read_dir(&packages)
        .context(|| format!("cannot read {}", packages.display()))?
        .filter_map(|entry| Some(entry.ok()?.path().join("deno")))
        .find(|program| program.is_file())
        .ok_or_else(|| "npm has no Deno for this system".into())
}

/// Compiles what uses the types, as Node resolves packages and as bundlers do.
fn types(tsc: &Command) -> Result {
    for (module, resolution) in [("nodenext", "nodenext"), ("esnext", "bundler")] {
        let mut command = Command::new(tsc.get_program());
        if let Some(folder) = tsc.get_current_dir() {
            command.current_dir(folder);
        }
        run::run(command.args([
            "-p",
            "types",
            "--module",
            module,
            "--moduleResolution",
            resolution,
        ]))?;
    }
    Ok(())
}
