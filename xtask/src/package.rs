//! `cargo xtask package`: the core for other runtimes as an npm package in build/package, ready for `npm pack`.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::tools::{self, Tools};
use crate::{build, run, say, size};

/// The module without imports, for hosts without JavaScript.
pub(crate) const MODULE: &str = "overturn_core.wasm";
/// The module made by wasm-bindgen, and the JavaScript that calls it.
const JS_MODULE: &str = "core_bg.wasm";
const JS_GLUE: &str = "core.js";

/// The limit for the files that a host loads, in gzipped bytes.
const LIMIT: u64 = 150_000;

/// The files that each kind of host loads.
const HOSTS: [(&str, &[&str]); 4] = [
    (
        "a Worker",
        &[
            "workerd.js",
            "api.js",
            "json.js",
            "pack.js",
            JS_GLUE,
            JS_MODULE,
        ],
    ),
    (
        "every other host",
        &[
            "index.js",
            "api.js",
            "json.js",
            "pack.js",
            JS_GLUE,
            "module.js",
        ],
    ),
    ("a host that requires it", &["index.cjs"]),
    ("a host without JavaScript", &[MODULE]),
];

/// Runs the command line.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    check(paths)
}

/// Builds the package, and fails if it is over the limit.
pub(crate) fn check(paths: &Paths) -> Result {
    build(paths).map(drop)
}

/// Builds the package, prints its size for each kind of host, and returns its folder.
pub(crate) fn build(paths: &Paths) -> Result<PathBuf> {
    let tools = tools::ensure(paths)?;
    let folder = paths.build().join("package");
    // Files from an older build must go.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context(|| format!("cannot create {}", folder.display()))?;
    copy_sources(paths, &folder)?;
    write_manifest(paths, &folder)?;
    optimize(paths, &compile(paths, &[])?, &folder.join(MODULE))?;
    write_bindings(paths, &tools, &folder)?;
    write_text(&folder)?;
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

/// Copies the files that need no build step.
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
    // The same types for `require`: TypeScript tells the two apart by the file name.
    copy_to(&sources.join("index.d.ts"), &folder.join("index.d.cts"))
}

/// Writes the module as text into a JavaScript module, which every bundler can handle.
fn write_text(folder: &Path) -> Result {
    let module = folder.join(JS_MODULE);
    let bytes = fs::read(&module).context(|| format!("cannot read {}", module.display()))?;
    let text = format!(
        "// core_bg.wasm in base64.
export default \"{}\";
",
        BASE64.encode(&bytes)
    );
    let path = folder.join("module.js");
    fs::write(&path, text).context(|| format!("cannot write {}", path.display()))
}

/// Makes the package for `require`, as one file.
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

/// Writes the workspace's version into package.json. It replaces text, because the order of `exports` matters and a
/// parsed object does not keep it.
fn write_manifest(paths: &Paths, folder: &Path) -> Result {
    let source = paths.root.join("wasm/js/package.json");
    let text =
        fs::read_to_string(&source).context(|| format!("cannot read {}", source.display()))?;
    let version = format!("{{\n  \"version\": \"{}\",", env!("CARGO_PKG_VERSION"));
    let path = folder.join("package.json");
    fs::write(&path, text.replacen('{', &version, 1))
        .context(|| format!("cannot write {}", path.display()))
}

/// Compiles the crate with these features, and returns the path of the module.
fn compile(paths: &Paths, features: &[&str]) -> Result<PathBuf> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let what = ["--package", "overturn-wasm", "--lib", "--release"];
    run::run(
        paths
            .command("cargo")
            .arg("build")
            .args(what)
            .args(features)
            .args(["--target", TARGET]),
    )?;
    Ok(build::target_dir(paths)?.join(format!("{TARGET}/release/overturn_wasm.wasm")))
}

/// Makes the module for JavaScript. Its glue code loads no file, because bundlers lose files in different ways.
fn write_bindings(paths: &Paths, tools: &Tools, folder: &Path) -> Result {
    let module = compile(paths, &["--features", "js"])?;
    let options = [
        "--target=web",
        "--out-name=core",
        "--omit-default-module-path",
        "--no-typescript",
        "--remove-producers-section",
        "--remove-name-section",
    ];
    run::output(
        paths
            .command(&tools.wasm_bindgen.path)
            .arg(module)
            .arg("--out-dir")
            .arg(folder)
            .args(options),
    )?;
    let module = folder.join(JS_MODULE);
    optimize(paths, &module, &module)
}

fn optimize(paths: &Paths, module: &Path, to: &Path) -> Result {
    let options = [
        "-O3",
        "--enable-mutable-globals",
        "--enable-sign-ext",
        "--enable-nontrapping-float-to-int",
        "--enable-bulk-memory",
        "--enable-multivalue",
        "--enable-reference-types",
        "--strip-debug",
        "--strip-producers",
        "--strip-target-features",
    ];
    run::run(
        paths
            .command(paths.npm_bin().join("wasm-opt"))
            .args(options)
            .arg(module)
            .arg("-o")
            .arg(to),
    )
}
