//! Tools that do not come with cargo or npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{locks, native, npm, run, say};

/// The programs that turn the edge crate into a Worker.
#[derive(Debug)]
pub(crate) struct Tools {
    /// Makes the Worker's JavaScript. It must have the same version as the crate.
    pub(crate) wasm_bindgen: Tool,
}

/// A program and its version.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) path: PathBuf,
    /// The version that the program reports.
    pub(crate) version: String,
}

const TEST_RUNNER: &str = "wasm-bindgen-test-runner";

/// A crate whose programs we install.
struct Install {
    name: &'static str,
    /// Further options of `cargo install`.
    options: &'static [&'static str],
    /// The approximate install time on two cores, in seconds.
    seconds: u32,
}

// Its lock file names a withdrawn version, so we install without --locked.
const TEST_RUNNER_CRATE: Install = Install { name: "wasm-bindgen-cli", options: &["--bin", TEST_RUNNER], seconds: 35 };

/// Finds the tools and installs the missing ones.
pub(crate) fn ensure(paths: &Paths) -> Result<Tools> {
    ensure_targets(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    Ok(Tools { wasm_bindgen: bindgen(paths)? })
}

/// Builds our own program around the library of wasm-bindgen, and returns it.
fn bindgen(paths: &Paths) -> Result<Tool> {
    Ok(Tool { path: native::program(paths, "bindgen")?, version: locked_version(paths, "wasm-bindgen-cli-support")? })
}

/// Finds the program that runs tests compiled for wasm32, and installs it if it is missing.
pub(crate) fn ensure_test_runner(paths: &Paths) -> Result<Tool> {
    ensure_targets(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    let version = locked_version(paths, "wasm-bindgen")?;
    let _alone = locks::wait(&test_runner_lock(paths))?;
    let tool = tool(paths, TEST_RUNNER, &version, &TEST_RUNNER_CRATE)?;
    // The build folder takes a gigabyte and is not needed again.
    let _absent = fs::remove_dir_all(built_in(paths));
    Ok(tool)
}

/// The command that installs the program of [`ensure_test_runner`], for the holder of its lock; `None` if it is installed.
pub(crate) fn test_runner_installer(paths: &Paths) -> Result<Option<Command>> {
    let version = locked_version(paths, "wasm-bindgen")?;
    let installed = find(paths, TEST_RUNNER, &version).is_some();
    Ok((!installed).then(|| installer(paths, &TEST_RUNNER_CRATE, &version)))
}

/// Installs the Rust components that only `cargo xtask test` needs.
pub(crate) fn ensure_components(paths: &Paths) -> Result {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if !run::succeeds(paths.command("cargo").args([subcommand, "--version"])) {
            rustup(paths, &["component", "add", component])?;
        }
    }
    Ok(())
}

/// Installs the standard libraries of wasm32, of the service and of the identity Worker.
pub(crate) fn ensure_targets(paths: &Paths) -> Result {
    ensure_target(paths, "wasm32-unknown-unknown")?;
    ensure_target(paths, "wasm32-wasip1")
}

/// Installs the standard library of a target.
pub(crate) fn ensure_target(paths: &Paths, target: &str) -> Result {
    let folder = run::output(paths.command("rustc").args(["--print", "target-libdir", "--target", target]))?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    rustup(paths, &["target", "add", target])
}

/// A lock that is held while something is installed: two steps of `cargo xtask test` may run at the same time. It is released
/// when the file is dropped.
pub(crate) fn alone(paths: &Paths) -> Result<fs::File> {
    locks::wait(&paths.tools().join("installing.lock"))
}

/// The lock that is held while the program of [`ensure_test_runner`] is installed. It is a lock of its own, because the
/// installation takes a minute. Cargo moves the program out of the build folder, so a second installation at the same time
/// would not find it.
pub(crate) fn test_runner_lock(paths: &Paths) -> PathBuf {
    paths.tools().join("test-runner.lock")
}

/// True if this process may install packages.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The words for apt-get before what it installs.
pub(crate) const INSTALL: [&str; 3] = ["-y", "--no-install-recommends", "install"];

/// apt-get with a fresh list of packages, after saying what it installs. Fails with what is `needed` if it cannot be used.
pub(crate) fn apt<'a>(paths: &'a Paths, needed: &str, installs: &str) -> Result<impl Fn(&[&str]) -> Command + 'a> {
    if !is_root() || !run::succeeds(paths.command("apt-get").arg("--version")) {
        return Err(needed.into());
    }
    say::err(installs);
    let apt = |args: &[&str]| {
        let mut command = paths.command("apt-get");
        command.arg("-qq").args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    run::output(&mut apt(&["update"]))?;
    Ok(apt)
}

fn rustup(paths: &Paths, args: &[&str]) -> Result {
    if !run::succeeds(paths.command("rustup").arg("--version")) {
        return Err(format!("rustup is missing: install it, or run what `rustup {}` would do", args.join(" ")).into());
    }
    say::err(&format!("installing with `rustup {}` (about 15 s)", args.join(" ")));
    run::run(paths.command("rustup").args(args))
}

/// The program `name` at `version`, from our folder or from PATH. If neither has it, it is installed from its crate.
fn tool(paths: &Paths, name: &str, version: &str, install: &Install) -> Result<Tool> {
    if let Some(tool) = find(paths, name, version) {
        return Ok(tool);
    }
    say::err(&format!(
        "installing {} {version} into .tools (about {} s on two idle cores)",
        install.name, install.seconds
    ));
    run::run(&mut installer(paths, install, version))?;
    find(paths, name, version).ok_or_else(|| {
        format!("{name} is not version {version} although it was just installed: remove .tools and try again").into()
    })
}

fn find(paths: &Paths, name: &str, version: &str) -> Option<Tool> {
    let own = paths.tools().join("bin").join(name);
    let path = [own, PathBuf::from(name)].into_iter().find(|path| has_version(paths, path, version))?;
    Some(Tool { path, version: version.to_owned() })
}

fn has_version(paths: &Paths, program: &Path, version: &str) -> bool {
    run::output(paths.command(program).arg("--version"))
        .is_ok_and(|printed| printed.split_whitespace().next_back() == Some(version))
}

/// Compiled fast rather than for speed: these programs run for a second, and every developer waits once for this build.
fn installer(paths: &Paths, install: &Install, version: &str) -> Command {
    let mut command = paths.command("cargo");
    command
        .args(["install", "--quiet", "--root"])
        .arg(paths.tools())
        .arg(format!("{}@{version}", install.name))
        .args(install.options)
        .env("CARGO_TARGET_DIR", built_in(paths))
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTFLAGS");
    command
}

/// Where tools are compiled.
fn built_in(paths: &Paths) -> PathBuf {
    paths.root.join("target/tools")
}

/// The version of a package in Cargo.lock.
fn locked_version(paths: &Paths, package: &str) -> Result<String> {
    let path = paths.root.join("Cargo.lock");
    let lock = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    version_in(&lock, package).map(str::to_owned).ok_or_else(|| format!("Cargo.lock has no {package}").into())
}

fn version_in<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let (_, entry) = lock.split_once(&format!("\nname = \"{package}\"\nversion = \""))?;
    entry.split_once('"').map(|(version, _)| version)
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn the_version_is_that_of_the_package_with_just_this_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"…\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(version_in(lock, "wasm"), None);
    }
}
