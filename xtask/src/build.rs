//! `cargo xtask build`: builds the edge crate as a Worker in build/.
//!
//! wrangler.toml names this as its build command, so it often runs without any change. cargo knows whether the crate
//! changed. The slow steps after it are skipped if their inputs and outputs are unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use lexopt::Arg;
use serde_json::{Value, json};

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::tools::{self, Tools};
use crate::{arrange, assets, digest, run, say, size};

/// The most bytes that a Worker for production may have, gzipped. Our goal is 850,000, and we miss it (docs/PERFORMANCE.md).
const LARGEST: u64 = 1_280_000;

const OUTPUTS: [&str; 2] = ["index.js", "index_bg.wasm"];

/// Options of wasm-bindgen: the module can be instantiated again after a panic.
const BINDGEN: [&str; 7] = [
    "--no-typescript",
    "--target=module",
    "--out-name=index",
    "--experimental-reset-state-function",
    "--force-enable-abort-handler",
    "--remove-producers-section",
    "--remove-name-section",
];

/// The flags of rustc in addition to the profile. Vector instructions make the Worker smaller. The packages for other
/// hosts do without.
const RUSTFLAGS: &str = "-Ctarget-feature=+simd128";

/// The features that rustc and wasm-bindgen use, and none that the platform does not support.
const FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-reference-types",
    "--enable-exception-handling",
];

/// Options of wasm-opt: optimize.
const OPTIMIZE: [&str; 1] = ["-O3"];

/// Options of wasm-opt: sort the functions as [`arrange`] has named them, without undoing what [`OPTIMIZE`] did.
const ARRANGE: [&str; 5] = [
    "--generate-stack-ir",
    "--optimize-stack-ir",
    "--optimize-level=3",
    "--reorder-functions-by-name",
    "--strip-debug",
];

/// Options of esbuild.
const BUNDLE: [&str; 5] = [
    "--bundle",
    "--minify",
    "--format=esm",
    "--external:./index_bg.wasm",
    "--external:cloudflare:*",
];

/// How the Worker is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    /// For deployment, optimized as a whole.
    Release,
    /// For development: compiled in parts, without wasm-opt.
    Development,
}

impl Profile {
    /// The name of the cargo profile, which is also the name of its output folder.
    const fn name(self) -> &'static str {
        match self {
            Self::Release => "worker",
            Self::Development => "worker-dev",
        }
    }
}

/// Runs the command line.
pub(crate) fn command(mut paths: Paths, mut args: lexopt::Parser) -> Result {
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("dev") => paths.profile = Profile::Development,
            other => return Err(other.unexpected().into()),
        }
    }
    build(&paths)
}

/// Builds the Worker. One for production must not be larger than [`LARGEST`].
///
/// # Errors
/// The build failed, or the Worker is too large.
pub(crate) fn check(paths: &Paths) -> Result {
    build(paths)?;
    let gzipped = stamp(paths).get("gzipped").and_then(Value::as_u64);
    match gzipped.ok_or("the size of the Worker is not known")? {
        _ if paths.profile == Profile::Development => Ok(()),
        0..=LARGEST => Ok(()),
        gzipped => Err(format!(
            "the Worker has {gzipped} bytes gzipped, and may have {LARGEST}. Find what grew, or raise the bound in \
             xtask/src/build.rs and say why in docs/PERFORMANCE.md"
        )
        .into()),
    }
}

/// Builds what is missing, and prints the size.
pub(crate) fn build(paths: &Paths) -> Result {
    tools::ensure_target(paths)?;
    // In parallel: on a new machine both take a minute, and neither keeps two cores busy.
    let (tools, compiled) = thread::scope(|scope| {
        let compiling = scope.spawn(|| compile(paths));
        let tools = tools::ensure(paths);
        (
            tools.and_then(|tools| assets::ensure(paths).map(|()| tools)),
            compiling.join(),
        )
    });
    let tools = tools?;
    compiled.unwrap_or_else(|_| Err("the build panicked".into()))?;
    let inputs = inputs(paths, &tools)?;
    if !is_built(paths, &inputs) {
        let start = Instant::now();
        say::err("linking the Worker");
        link(paths, &tools)?;
        // The gzipped size, measured as the platform does for its limit.
        let size = size::of(paths, OUTPUTS.map(|name| paths.build().join(name)))?;
        let stamp = json!({ "inputs": inputs, "outputs": outputs(paths)?, "size": size.to_string(), "gzipped": size.gzipped });
        let path = stamp_path(paths);
        fs::write(&path, stamp.to_string())
            .context(|| format!("cannot write {}", path.display()))?;
        say::err(&format!("linked in {:.1} s", start.elapsed().as_secs_f32()));
    }
    say::out(&format!(
        "build/index.js and its wasm: {}",
        stamp(paths)
            .get("size")
            .and_then(Value::as_str)
            .unwrap_or_default()
    ));
    Ok(())
}

fn compile(paths: &Paths) -> Result {
    let mut command = paths.command("cargo");
    if paths.profile == Profile::Release {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", RUSTFLAGS);
    }
    run::run(
        command
            .current_dir(paths.root.join("edge"))
            .args([
                "build",
                "--lib",
                "--profile",
                paths.profile.name(),
                "--target",
                "wasm32-unknown-unknown",
            ])
            .env("WASM_BINDGEN_USE_JS_SYS", "1"),
    )
}

/// Runs wasm-bindgen, wasm-opt and esbuild in a separate folder. Only complete output goes to build/.
fn link(paths: &Paths, tools: &Tools) -> Result {
    // Not `worker`: cargo keeps what it builds for this machine there, by the name of the profile.
    let folder = target_dir(paths)?.join("worker-linked");
    let _ = fs::remove_dir_all(&folder);
    run::output(
        paths
            .command(&tools.wasm_bindgen.path)
            .arg(compiled(paths)?)
            .arg("--out-dir")
            .arg(&folder)
            .args(BINDGEN),
    )?;
    let wasm = folder.join("index_bg.wasm");
    if paths.profile == Profile::Release {
        rewrite(paths, &wasm, &OPTIMIZE)?;
        let unreadable = || format!("cannot arrange {}", wasm.display());
        let module = fs::read(&wasm).context(unreadable)?;
        let named = arrange::named(&module).ok_or_else(unreadable)?;
        fs::write(&wasm, named).context(unreadable)?;
        rewrite(paths, &wasm, &ARRANGE)?;
    }
    bundle(paths, &folder)?;
    fs::create_dir_all(paths.build())
        .and_then(|()| fs::copy(&wasm, paths.build().join("index_bg.wasm")))
        .context(|| "cannot copy the module to build/".to_owned())
        .map(drop)
}

/// Runs wasm-opt on a module, which is replaced.
fn rewrite(paths: &Paths, wasm: &Path, options: &[&str]) -> Result {
    let mut command = paths.command(paths.npm_bin().join("wasm-opt"));
    run::output(
        command
            .args(FEATURES)
            .args(options)
            .arg(wasm)
            .arg("-o")
            .arg(wasm),
    )
    .map(drop)
}

fn bundle(paths: &Paths, folder: &Path) -> Result {
    let glue = folder.join("index.js");
    let entry = folder.join("worker.js");
    let edit = || {
        // The platform compiles modules itself, and does not support this syntax yet.
        let text = fs::read_to_string(&glue)?.replace("import source ", "import ");
        fs::write(&glue, text)?;
        fs::copy(shim(paths), &entry)
    };
    edit().context(|| format!("cannot prepare {}", folder.display()))?;
    run::output(
        paths
            .command(paths.npm_bin().join("esbuild"))
            .arg(&entry)
            .args(BUNDLE)
            .arg(format!(
                "--outfile={}",
                paths.build().join("index.js").display()
            )),
    )
    .map(drop)
}

/// The JavaScript entry point that the platform calls.
fn shim(paths: &Paths) -> PathBuf {
    paths.root.join("edge/worker.js")
}

fn compiled(paths: &Paths) -> Result<PathBuf> {
    let folder = target_dir(paths)?.join("wasm32-unknown-unknown");
    Ok(folder.join(paths.profile.name()).join("overturn_edge.wasm"))
}

/// One digest of all inputs of [`link`].
fn inputs(paths: &Paths, tools: &Tools) -> Result<String> {
    let parts = [
        digest::of_file(&compiled(paths)?)?,
        digest::of_file(&shim(paths))?,
        // The versions of wasm-opt and esbuild.
        digest::of_file(&paths.root.join("package-lock.json"))?,
        tools.wasm_bindgen.version.clone(),
        format!(
            "{:?}{BINDGEN:?}{FEATURES:?}{OPTIMIZE:?}{ARRANGE:?}{BUNDLE:?}",
            paths.profile
        ),
        include_str!("arrange.rs").to_owned(),
    ];
    Ok(digest::of(parts.join("\n").as_bytes()))
}

fn outputs(paths: &Paths) -> Result<Value> {
    OUTPUTS
        .iter()
        .map(|name| digest::of_file(&paths.build().join(name)).map(Value::from))
        .collect()
}

fn is_built(paths: &Paths, inputs: &str) -> bool {
    let stamp = stamp(paths);
    stamp.get("inputs").is_some_and(|stamped| stamped == inputs)
        && outputs(paths).is_ok_and(|outputs| stamp.get("outputs") == Some(&outputs))
}

/// The digest that identifies the build; `null` if there is none.
pub(crate) fn built(paths: &Paths) -> Value {
    stamp(paths).get("outputs").cloned().unwrap_or_default()
}

fn stamp(paths: &Paths) -> Value {
    let text = fs::read_to_string(stamp_path(paths)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn stamp_path(paths: &Paths) -> PathBuf {
    paths.build().join("stamp.json")
}

/// The folder of cargo's output.
pub(crate) fn target_dir(paths: &Paths) -> Result<PathBuf> {
    let args = [
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
        "--offline",
    ];
    let printed = run::output(paths.command("cargo").args(args))?;
    let metadata: Value = serde_json::from_str(&printed).context(|| "cargo metadata".to_owned())?;
    let folder = metadata
        .get("target_directory")
        .and_then(Value::as_str)
        .ok_or("cargo metadata names no target directory")?;
    Ok(PathBuf::from(folder))
}
