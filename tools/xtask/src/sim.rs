//! `cargo xtask sim`: the whole service in a simulated world (`tools/sim`).

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::error::Result;
use crate::paths::Paths;
use crate::state::Host;
use crate::{build, native, run, say, tools};

/// A crate that `cargo xtask` does not wait for, as the operator's.
const PROGRAM: &str = "overturn-sim";

/// For many seeds: takes minutes to compile.
const OPTIMIZED: &str = "--optimized";

/// Prints which part of the core's decisions ran. Takes minutes to compile.
const COVERAGE: &str = "--coverage";
/// The decisions on sends, deadlines and appeals, below `core/src/claims`.
const DECISIONS: [&str; 8] = [
    "intake/decide.rs",
    "intake/fill.rs",
    "intake/counts.rs",
    "intake/mismatches.rs",
    "deadline.rs",
    "identity.rs",
    "appeal.rs",
    "appeal",
];
/// The least part of them that must run, in percent of their regions.
const COVERED: f64 = 90.0;

/// Asks the host that follows what recorded seeds were asked.
const REPLAY: &str = "--replay";
/// How many seeds the checks of a change ask each host: one with large sends, and two with clients that read lists.
const REPLAYED: &str = "3";

/// Passes the command line on.
pub(crate) fn command(paths: &Paths, mut words: Vec<OsString>) -> Result {
    let mut asks = |option: &str| {
        let all = words.len();
        words.retain(|word| word != option);
        words.len() < all
    };
    let (optimized, coverage) = (asks(OPTIMIZED), asks(COVERAGE));
    if coverage {
        return covered(paths, words);
    }
    if let Some(place) = words.iter().position(|word| word == REPLAY) {
        let host = words.get(place + 1).and_then(|name| Host::named(name.to_str()?));
        let host = host.ok_or("--replay is followed by workerd or native")?;
        words.drain(place..place + 2);
        return run::passed_on(replay(&paths.on(host))?.args(words));
    }
    let build = if optimized { native::optimized } else { native::program };
    run::passed_on(paths.command(build(paths, PROGRAM)?).args(words))
}

/// Runs the simulation with counters in each region of the code, and prints how many regions of the decisions ran.
fn covered(paths: &Paths, words: Vec<OsString>) -> Result {
    tools::ensure_component(paths, "llvm-tools")?;
    let folder = build::target_dir(paths)?.join("coverage");
    let mut cargo = paths.command("cargo");
    let args = ["build", "--quiet", "--workspace", "--all-features", "--bin", PROGRAM, "--target-dir"];
    // Build scripts and macros have counters, too, and would leave files in the sources.
    let unwritten = ("LLVM_PROFILE_FILE", "/dev/null");
    cargo.args(args).arg(&folder).envs([("RUSTFLAGS", "-C instrument-coverage"), unwritten]);
    run::run(&mut cargo)?;
    let (program, raw, counts) = (folder.join("debug").join(PROGRAM), folder.join("raw"), folder.join("counts"));
    run::passed_on(paths.command(&program).args(words).env("LLVM_PROFILE_FILE", &raw))?;
    let libraries = run::output(paths.command("rustc").args(["--print", "target-libdir"]))?;
    let llvm = |name: &str| paths.command(Path::new(libraries.trim()).with_file_name("bin").join(name));
    run::run(llvm("llvm-profdata").args(["merge", "-sparse", "-o"]).args([&counts, &raw]))?;
    fs::remove_file(&raw).map_err(|error| error.to_string())?;
    let sources = DECISIONS.map(|name| Path::new("core/src/claims").join(name));
    let mut export = llvm("llvm-cov");
    export.args(["export", "-summary-only", "-instr-profile"]).args([&counts, &program]).args(sources);
    let report: Value = serde_json::from_str(&run::output(&mut export)?).map_err(|error| error.to_string())?;
    let percent = |of: &Value| of.pointer("/regions/percent").and_then(Value::as_f64).unwrap_or_default();
    let files = report.pointer("/data/0/files").and_then(Value::as_array);
    for file in files.into_iter().flatten() {
        say::out(&format!("{:6.1} % of {}", percent(&file["summary"]), file["filename"].as_str().unwrap_or_default()));
    }
    let all = percent(report.pointer("/data/0/totals").unwrap_or(&Value::Null));
    say::out(&format!("{all:6.1} % of the decisions of the core ran, of {COVERED} % that must"));
    if all < COVERED { Err("too little of the decisions ran".into()) } else { Ok(()) }
}

/// A part of the step `hosts`.
pub(crate) fn check_hosts(paths: &Paths) -> Result {
    let mut hosts = [Host::Workerd, Host::Native].into_iter();
    hosts.try_for_each(|host| run::run(replay(&paths.on(host))?.args(["--seeds", REPLAYED])))
}

/// The program, with what it needs to ask a host.
fn replay(paths: &Paths) -> Result<Command> {
    build::service(paths)?;
    let mut program = paths.wrangler_command(native::program(paths, PROGRAM)?);
    program.arg(REPLAY).env("OVERTURN_HOST", paths.host.name()).env("OVERTURN_NODE", paths.node());
    Ok(program)
}

/// The step of `cargo xtask test`.
pub(crate) fn check(paths: &Paths) -> Result {
    run::run(&mut paths.command(native::program(paths, PROGRAM)?))
}
