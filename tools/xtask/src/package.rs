//! `cargo xtask package`: the core and remittances for other runtimes as an npm package in build/package, ready for `npm pack`.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use lexopt::Arg;

use crate::build::programs::Shrink;
use crate::build::{Profile, remit};
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{build, client_packages, run, say, size, stamp, tools};

/// The module without imports, for hosts without JavaScript.
pub(crate) const MODULE: &str = "overturn_core.wasm";
/// The module for remittances, which imports nothing either. All hosts load this one.
pub(crate) const REMIT_MODULE: &str = "overturn_remit.wasm";
/// The module for a payer.
const PAYER_MODULE: &str = "overturn_payer.wasm";
/// The module made by wasm-bindgen, and the JavaScript that calls it.
const JS_MODULE: &str = "core_bg.wasm";
const JS_GLUE: &str = "core.js";

/// Options of wasm-bindgen.
const BINDGEN: [&str; 6] = [
    "--target=web",
    "--out-name=core",
    "--omit-default-module-path",
    "--no-typescript",
    "--remove-producers-section",
    "--remove-name-section",
];

/// What the modules for other hosts may use: no vector instructions.
pub(crate) const FEATURES: [&str; 6] = [
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-reference-types",
];

const SHRINK: Shrink =
    Shrink { features: &FEATURES, options: &["-O3", "--strip-debug", "--strip-producers", "--strip-target-features"] };

/// The limit for the files that a host loads to check claims, in gzipped bytes.
const LIMIT: u64 = 110_000;

/// The same for remittances.
const REMIT_LIMIT: u64 = 345_000;

/// The same for a payer.
const PAYER_LIMIT: u64 = 145_000;

/// What a program imports, each with types of its own.
const ENTRIES: [&str; 3] = ["index", "remit", "payer"];

/// The files that each kind of host loads, and their limit. A host that only checks claims loads nothing else.
const HOSTS: [(&str, u64, &[&str]); 11] = [
    ("a Worker", LIMIT, &["workerd.js", "api.js", "host.js", "json.js", "pack.js", JS_GLUE, JS_MODULE]),
    ("every other host", LIMIT, &["index.js", "api.js", "host.js", "json.js", "pack.js", JS_GLUE, "module.js"]),
    ("a host that requires it", LIMIT, &["index.cjs"]),
    ("a host without JavaScript", LIMIT, &[MODULE]),
    ("a Worker for remittances", REMIT_LIMIT, &["remit_workerd.js", "run.js", "host.js", REMIT_MODULE]),
    ("every other host for remittances", REMIT_LIMIT, &["remit.js", "run.js", "host.js", "remit_module.js"]),
    ("a host that requires it for remittances", REMIT_LIMIT, &["remit.cjs"]),
    ("a host without JavaScript for remittances", REMIT_LIMIT, &[REMIT_MODULE]),
    ("a Worker for a payer", PAYER_LIMIT, &["payer_workerd.js", "play.js", PAYER_MODULE]),
    ("every other host for a payer", PAYER_LIMIT, &["payer.js", "play.js", "host.js", "payer_module.js"]),
    ("a host that requires it for a payer", PAYER_LIMIT, &["payer.cjs"]),
];

/// Runs the command line.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    match args.next()? {
        Some(Arg::Value(word)) if word == "clients" => client_packages::build(paths).map(drop),
        Some(other) => Err(other.unexpected().into()),
        None => check(paths),
    }
}

/// Builds the package. For production, fails if it is over the limit.
pub(crate) fn check(paths: &Paths) -> Result {
    build(paths).map(drop)
}

/// Builds the package unless it is built, and returns its folder. For production, prints its size for each kind of host, which has
/// limits.
pub(crate) fn build(paths: &Paths) -> Result<PathBuf> {
    let bindgen = tools::ensure(paths)?;
    let folder = paths.build().join("package");
    // Two steps of `cargo xtask test` may want it at the same time.
    let _alone = build::lock(paths, "package.lock")?;
    let modules = compile(paths)?;
    // Beside the folder, because everything in it is published.
    let stamp = folder.with_extension("stamp");
    let (inputs, options) = inputs(paths, &modules)?;
    stamp::ensure(
        paths,
        &stamp,
        &inputs,
        &options,
        || stamp::files(&folder),
        || link(paths, &bindgen, &modules, &folder),
    )?;
    if paths.profile == Profile::Development {
        return Ok(folder);
    }
    for (host, limit, files) in HOSTS {
        let size = size::of(paths, files.iter().map(|file| folder.join(file)))?;
        say::out(&format!("build/package, what {host} loads: {size}"));
        if size.gzipped >= limit {
            return Err(format!("what {host} loads must stay under {} KB gzipped", limit / 1000).into());
        }
    }
    Ok(folder)
}

/// Everything that goes into the package: files, and what else decides how they are made. The module says the version of
/// wasm-bindgen.
fn inputs(paths: &Paths, modules: &[PathBuf; 4]) -> Result<(Vec<PathBuf>, String)> {
    let mut files = stamp::files(&paths.root.join("clients/wasm/js"))?;
    files.extend(modules.iter().cloned());
    // The lock file has the versions of wasm-opt and esbuild.
    files.extend(["clients/wasm/README.md", "LICENSE", "package-lock.json"].map(|name| paths.root.join(name)));
    let sources = [include_str!("package.rs"), env!("CARGO_PKG_VERSION")];
    Ok((files, format!("{}{}{sources:?}", SHRINK.inputs(paths), remit::SHRINK.inputs(paths))))
}

/// Writes the files of the package.
fn link(paths: &Paths, bindgen: &Path, modules: &[PathBuf; 4], folder: &Path) -> Result {
    let [plain, for_js, remit, payer] = modules;
    // Files from an older build must go.
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).context(|| format!("cannot create {}", folder.display()))?;
    copy_sources(paths, folder)?;
    write_manifest(paths, folder)?;
    SHRINK.copy(paths, plain, &folder.join(MODULE))?;
    remit::SHRINK.copy(paths, remit, &folder.join(REMIT_MODULE))?;
    write_bindings(paths, bindgen, for_js, folder)?;
    write_text(folder, JS_MODULE, "module.js")?;
    remit::SHRINK.copy(paths, payer, &folder.join(PAYER_MODULE))?;
    write_text(folder, REMIT_MODULE, "remit_module.js")?;
    write_text(folder, PAYER_MODULE, "payer_module.js")?;
    ENTRIES.iter().try_for_each(|name| write_common_js(paths, folder, name))
}

/// Copies the files that need no build step.
fn copy_sources(paths: &Paths, folder: &Path) -> Result {
    let sources = paths.root.join("clients/wasm/js");
    let entries = fs::read_dir(&sources).context(|| format!("cannot read {}", sources.display()))?;
    for entry in entries {
        copy(&entry.context(|| sources.display().to_string())?.path(), folder)?;
    }
    for file in ["clients/wasm/README.md", "LICENSE"] {
        copy(&paths.root.join(file), folder)?;
    }
    // The same types for `require`: TypeScript tells the two apart by the file name.
    ENTRIES.iter().try_for_each(|name| {
        let types = sources.join(format!("{name}.d.ts"));
        copy_to(&types, &folder.join(format!("{name}.d.cts")))
    })
}

/// Writes a module as text into a JavaScript module, which every bundler can handle.
fn write_text(folder: &Path, name: &str, script: &str) -> Result {
    let module = folder.join(name);
    let bytes = fs::read(&module).context(|| format!("cannot read {}", module.display()))?;
    let text = format!(
        "// {name} in base64.
export default \"{}\";
",
        BASE64.encode(&bytes)
    );
    let path = folder.join(script);
    fs::write(&path, text).context(|| format!("cannot write {}", path.display()))
}

/// Makes an entry of the package for `require`, as one file.
fn write_common_js(paths: &Paths, folder: &Path, name: &str) -> Result {
    let mut esbuild = paths.command(paths.npm_bin().join("esbuild"));
    esbuild
        .current_dir(folder)
        .args(["--bundle", "--format=cjs", "--platform=neutral"])
        .arg(format!("{name}.js"))
        .arg(format!("--outfile={name}.cjs"));
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
    let source = paths.root.join("clients/wasm/js/package.json");
    let text = fs::read_to_string(&source).context(|| format!("cannot read {}", source.display()))?;
    let version = format!("{{\n  \"version\": \"{}\",", env!("CARGO_PKG_VERSION"));
    let path = folder.join("package.json");
    fs::write(&path, text.replacen('{', &version, 1)).context(|| format!("cannot write {}", path.display()))
}

/// Compiles the modules: for hosts without JavaScript, for JavaScript, for remittances and for a payer. Cargo writes the first two
/// to one place, so they are copied.
fn compile(paths: &Paths) -> Result<[PathBuf; 4]> {
    let target = build::target_dir(paths)?;
    let copies = ["package.wasm", "package-js.wasm"].map(|name| target.join(name));
    for (features, copy) in [&[][..], &["--features", "js"]].into_iter().zip(&copies) {
        run::run(remit::compiler_for(paths, "overturn-wasm").args(features))?;
        copy_to(&remit::compiled(paths, "overturn-wasm")?, copy)?;
    }
    let [plain, for_js] = copies;
    let [remit, payer] = ["overturn-wasm-remit", "overturn-wasm-payer"].map(|package| {
        run::run(&mut remit::compiler_for(paths, package))?;
        remit::compiled(paths, package)
    });
    Ok([plain, for_js, remit?, payer?])
}

/// Makes the module for JavaScript. Its glue code loads no file, because bundlers lose files in different ways.
fn write_bindings(paths: &Paths, bindgen: &Path, module: &Path, folder: &Path) -> Result {
    run::output(paths.command(bindgen).arg(module).arg("--out-dir").arg(folder).args(BINDGEN))?;
    let module = folder.join(JS_MODULE);
    SHRINK.run(paths, &module)
}
