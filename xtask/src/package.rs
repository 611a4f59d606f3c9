//! `cargo xtask package`: the core for other runtimes as an npm package in build/package, ready for `npm pack`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::{build, npm, run, say, size, tools};

/// The module's name in the package.
pub(crate) const MODULE: &str = "overturn_core.wasm";

/// What a host loads has to stay below this, gzipped.
const LIMIT: u64 = 150_000;

/// The command line.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    check(paths)
}

/// Builds the package, and fails when it has grown too large.
pub(crate) fn check(paths: &Paths) -> Result {
    build(paths).map(drop)
}

/// Builds the package, says how large it is, and answers its folder.
pub(crate) fn build(paths: &Paths) -> Result<PathBuf> {
    tools::ensure_target(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    let folder = paths.build().join("package");
    // What is no longer part of it must go.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context(|| format!("cannot create {}", folder.display()))?;
    let mut loaded = copy_sources(paths, &folder)?;
    write_manifest(paths, &folder)?;
    let module = folder.join(MODULE);
    compile(paths, &module)?;
    loaded.push(module);
    let size = size::of(paths, loaded)?;
    say::out(&format!("build/package, what a host loads: {size}"));
    if size.gzipped >= LIMIT {
        return Err(format!("the package must stay under {} KB gzipped", LIMIT / 1000).into());
    }
    Ok(folder)
}

/// Copies what needs no making; answers what of it is loaded at run time.
fn copy_sources(paths: &Paths, folder: &Path) -> Result<Vec<PathBuf>> {
    let sources = paths.root.join("wasm/js");
    let entries =
        fs::read_dir(&sources).context(|| format!("cannot read {}", sources.display()))?;
    let mut loaded = Vec::new();
    for entry in entries {
        let path = entry.context(|| sources.display().to_string())?.path();
        let to = copy(&path, folder)?;
        if to.extension().is_some_and(|extension| extension == "js") {
            loaded.push(to);
        }
    }
    copy(&paths.root.join("wasm/README.md"), folder)?;
    Ok(loaded)
}

fn copy(file: &Path, folder: &Path) -> Result<PathBuf> {
    let to = folder.join(file.file_name().unwrap_or_default());
    fs::copy(file, &to).context(|| format!("cannot copy {}", file.display()))?;
    Ok(to)
}

/// The package has the version of the workspace. Put in as text, because the order of `exports` counts and a parsed
/// object does not keep it.
fn write_manifest(paths: &Paths, folder: &Path) -> Result {
    let source = paths.root.join("wasm/js/package.json");
    let text =
        fs::read_to_string(&source).context(|| format!("cannot read {}", source.display()))?;
    let version = format!("{{\n  \"version\": \"{}\",", env!("CARGO_PKG_VERSION"));
    let path = folder.join("package.json");
    fs::write(&path, text.replacen('{', &version, 1))
        .context(|| format!("cannot write {}", path.display()))
}

fn compile(paths: &Paths, module: &Path) -> Result {
    const TARGET: &str = "wasm32-unknown-unknown";
    let what = ["--package", "overturn-wasm", "--lib", "--release"];
    run::run(
        paths
            .command("cargo")
            .arg("build")
            .args(what)
            .args(["--target", TARGET]),
    )?;
    let compiled = build::target_dir(paths)?.join(format!("{TARGET}/release/overturn_wasm.wasm"));
    let strip = [
        "--strip-debug",
        "--strip-producers",
        "--strip-target-features",
    ];
    run::run(
        paths
            .command(paths.npm_bin().join("wasm-opt"))
            .arg("-O3")
            .args(strip)
            .arg(compiled)
            .arg("-o")
            .arg(module),
    )
}
