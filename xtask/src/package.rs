//! `cargo xtask package`: the core for other runtimes as an npm package in build/package, ready for `npm pack`.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::{build, npm, run, say, size, tools};

/// The module's name in the package.
pub(crate) const MODULE: &str = "overturn_core.wasm";

/// What a host loads has to stay below this, gzipped.
const LIMIT: u64 = 150_000;

/// What each kind of host loads.
const HOSTS: [(&str, &[&str]); 3] = [
    ("a Worker", &["workerd.js", "api.js", MODULE]),
    ("every other host", &["index.js", "api.js", "module.js"]),
    ("a host that requires it", &["index.cjs"]),
];

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

/// Builds the package, says how large it is for each kind of host, and answers its folder.
pub(crate) fn build(paths: &Paths) -> Result<PathBuf> {
    tools::ensure_target(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    let folder = paths.build().join("package");
    // What is no longer part of it must go.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context(|| format!("cannot create {}", folder.display()))?;
    copy_sources(paths, &folder)?;
    write_manifest(paths, &folder)?;
    let module = folder.join(MODULE);
    compile(paths, &module)?;
    write_text(&module, &folder)?;
    write_common_js(paths, &folder)?;
    for (host, files) in HOSTS {
        let size = size::of(paths, files.iter().map(|file| folder.join(file)))?;
        say::out(&format!("build/package, what {host} loads: {size}"));
        if size.gzipped >= LIMIT {
            return Err(format!("the package must stay under {} KB gzipped", LIMIT / 1000).into());
        }
    }
    Ok(folder)
}

/// Copies what needs no making.
fn copy_sources(paths: &Paths, folder: &Path) -> Result {
    let sources = paths.root.join("wasm/js");
    let entries =
        fs::read_dir(&sources).context(|| format!("cannot read {}", sources.display()))?;
    for entry in entries {
        copy(
            &entry.context(|| sources.display().to_string())?.path(),
            folder,
        )?;
    }
    for file in ["wasm/README.md", "LICENSE"] {
        copy(&paths.root.join(file), folder)?;
    }
    // The same types for who requires the package: TypeScript tells the two by the name of the file.
    copy_to(&sources.join("index.d.ts"), &folder.join("index.d.cts"))
}

/// The module as text in a module of JavaScript, which survives every bundler.
fn write_text(module: &Path, folder: &Path) -> Result {
    let bytes = fs::read(module).context(|| format!("cannot read {}", module.display()))?;
    let text = format!(
        "// overturn_core.wasm in base64.\nexport default \"{}\";\n",
        BASE64.encode(&bytes)
    );
    let path = folder.join("module.js");
    fs::write(&path, text).context(|| format!("cannot write {}", path.display()))
}

/// The package for `require`, in one file.
fn write_common_js(paths: &Paths, folder: &Path) -> Result {
    let mut esbuild = paths.command(paths.npm_bin().join("esbuild"));
    esbuild.current_dir(folder).args([
        "index.js",
        "--bundle",
        "--format=cjs",
        "--platform=neutral",
        "--outfile=index.cjs",
    ]);
    run::output(&mut esbuild).map(drop)
}

fn copy(file: &Path, folder: &Path) -> Result {
    copy_to(file, &folder.join(file.file_name().unwrap_or_default()))
}

fn copy_to(file: &Path, to: &Path) -> Result {
    fs::copy(file, to).context(|| format!("cannot copy {}", file.display()))?;
    Ok(())
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
