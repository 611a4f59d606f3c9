//! The project's folders and programs.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let called_in = std::env::current_dir().unwrap();
    let mut folders = called_in.ancestors();
    let root = folders.find(|folder| folder.join("tests/Cargo.toml").is_file());
    root.unwrap().to_owned()
}

/// A folder for files of tests, below cargo's target folder.
pub fn scratch() -> PathBuf {
    target().join("tmp/overturn-tests")
}

/// The CLI. It is built once in each test program.
pub fn overturn() -> Command {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    Command::new(BUILT.get_or_init(|| build("overturn")))
}

/// The operator's program, with wrangler on its PATH. It is built once in each test program.
pub fn operator() -> Command {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let program = BUILT.get_or_init(|| build("operator"));
    command(program.to_str().unwrap())
}

/// The native server. It is built once in each test program.
pub fn native() -> Command {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let program = BUILT.get_or_init(|| build("overturn-server"));
    command(program.to_str().unwrap())
}

/// Builds a program with the features of the whole workspace, as tools/xtask/src/native.rs does: what it shares with the tests is
/// then compiled once.
fn build(program: &str) -> PathBuf {
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(root()).args(["build", "--workspace", "--all-features", "--bin", program]).arg("--target-dir");
    // cargo describes the crate of a test program to it. A build script that reads one of these variables would run again,
    // and what depends on it would be compiled again.
    for (name, _) in std::env::vars_os() {
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.to_string_lossy().starts_with(start)) {
            build.env_remove(name);
        }
    }
    assert!(build.arg(target()).status().unwrap().success());
    target().join("debug").join(program)
}

/// Cargo's target folder.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    // cargo marks the target folder. A program is two or three levels below it.
    let mut folders = program.ancestors();
    let target = folders.find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.unwrap().to_owned()
}

/// A command that finds the programs of the npm packages. Their telemetry is off.
pub fn command(program: &str) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bin = root().join("node_modules/.bin");
    let folders = std::iter::once(bin).chain(std::env::split_paths(&path));
    let mut command = Command::new(program);
    command.current_dir(root()).env("PATH", std::env::join_paths(folders).unwrap()).envs([
        ("CI", "1"),
        ("CLOUDFLARE_CF_FETCH_ENABLED", "false"),
        ("WRANGLER_HIDE_BANNER", "true"),
        ("WRANGLER_SEND_METRICS", "false"),
    ]);
    command
}

/// The Node that runs the npm packages.
pub fn node() -> String {
    std::env::var("OVERTURN_NODE").unwrap_or_else(|_| "node".into())
}
