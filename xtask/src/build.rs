//! `cargo xtask build`: the edge crate as a Worker in build/.
//!
//! wrangler.toml names this as its build command, so it runs often with nothing to do. cargo knows whether the
//! crate changed; the slow steps after it are skipped when what goes into them and what came out is unchanged.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::tools::{self, Tools};
use crate::{digest, run, say, size};

const OUTPUTS: [&str; 2] = ["index.js", "index_bg.wasm"];

/// What worker-build is told, and what a change of it makes stale.
const ENVIRONMENT: [(&str, &str); 1] = [
    // A client that hangs up must not cancel a write half-way.
    ("RUN_TO_COMPLETION", "1"),
];

/// The command line.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    build(paths)
}

/// Builds what is not built yet, and says how large it is.
pub(crate) fn build(paths: &Paths) -> Result {
    tools::ensure_target(paths)?;
    // At the same time, because on a new machine both take a minute and neither keeps two cores busy.
    let (tools, compiled) = thread::scope(|scope| {
        let compiling = scope.spawn(|| compile(paths));
        (tools::ensure(paths), compiling.join())
    });
    let tools = tools?;
    compiled.unwrap_or_else(|_| Err("the build panicked".into()))?;
    let inputs = inputs(paths, &tools)?;
    if !is_built(paths, &inputs) {
        let start = Instant::now();
        say::err("optimizing the Worker");
        link(paths, &tools)?;
        // What counts for the platform's limits, gzipped as it counts it.
        let size = size::of(paths, OUTPUTS.map(|name| paths.build().join(name)))?;
        let stamp =
            json!({ "inputs": inputs, "outputs": outputs(paths)?, "size": size.to_string() });
        let path = stamp_path(paths);
        fs::write(&path, stamp.to_string())
            .context(|| format!("cannot write {}", path.display()))?;
        say::err(&format!(
            "optimized in {:.1} s",
            start.elapsed().as_secs_f32()
        ));
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

/// The same call of cargo that worker-build makes, which then finds nothing left to do.
fn compile(paths: &Paths) -> Result {
    run::run(
        paths
            .command("cargo")
            .current_dir(paths.root.join("edge"))
            .args([
                "build",
                "--lib",
                "--release",
                "--target",
                "wasm32-unknown-unknown",
            ])
            .env("WASM_BINDGEN_USE_JS_SYS", "1"),
    )
}

/// wasm-bindgen, wasm-opt and esbuild. Naming all three keeps worker-build from downloading its own.
fn link(paths: &Paths, tools: &Tools) -> Result {
    run::output(
        paths
            .command(&tools.worker_build.path)
            .current_dir(paths.root.join("edge"))
            .args(["--release", "--out-dir", "../build"])
            .envs(ENVIRONMENT)
            .env("WASM_BINDGEN_BIN", &tools.wasm_bindgen.path)
            .env("WASM_OPT_BIN", paths.npm_bin().join("wasm-opt"))
            .env("ESBUILD_BIN", paths.npm_bin().join("esbuild")),
    )
    .map(|_| ())
}

/// One digest of everything that [`link`] depends on.
fn inputs(paths: &Paths, tools: &Tools) -> Result<String> {
    let parts = [
        digest::of_file(
            &target_dir(paths)?.join("wasm32-unknown-unknown/release/overturn_edge.wasm"),
        )?,
        // How wasm-opt is called, and which wasm-opt and esbuild.
        digest::of_file(&paths.root.join("edge/Cargo.toml"))?,
        digest::of_file(&paths.root.join("package-lock.json"))?,
        tools.worker_build.version.clone(),
        tools.wasm_bindgen.version.clone(),
        format!("{ENVIRONMENT:?}"),
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

fn stamp(paths: &Paths) -> Value {
    let text = fs::read_to_string(stamp_path(paths)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn stamp_path(paths: &Paths) -> PathBuf {
    paths.build().join("stamp.json")
}

/// Where cargo puts what it builds.
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
