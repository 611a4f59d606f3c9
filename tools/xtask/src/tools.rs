//! Tools that do not come with cargo or npm.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Result;
use crate::paths::Paths;
use crate::{locks, native, npm, run, say};

/// Installs what turns the edge crate into a Worker, and returns our own program around the library of wasm-bindgen.
pub(crate) fn ensure(paths: &Paths) -> Result<PathBuf> {
    ensure_targets(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    native::program(paths, "bindgen")
}

/// Installs the Rust components that only `cargo xtask test` needs.
pub(crate) fn ensure_components(paths: &Paths) -> Result {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if !run::succeeds(paths.command("cargo").args([subcommand, "--version"])) {
            ensure_component(paths, component)?;
        }
    }
    Ok(())
}

/// Installs a Rust component; one that is there costs no download.
pub(crate) fn ensure_component(paths: &Paths, component: &str) -> Result {
    rustup(paths, &["component", "add", component])
}

/// Installs the standard libraries of wasm32, of the service and of the identity Worker.
pub(crate) fn ensure_targets(paths: &Paths) -> Result {
    ["wasm32-unknown-unknown", "wasm32-wasip1"].iter().try_for_each(|target| ensure_target(paths, target))
}

fn ensure_target(paths: &Paths, target: &str) -> Result {
    let folder = run::output(paths.command("rustc").args(["--print", "target-libdir", "--target", target]))?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    rustup(paths, &["target", "add", target])
}

/// A lock that is held while something is installed in this clone: two steps of `cargo xtask test` may run at the same time. It
/// is released when the file is dropped.
pub(crate) fn alone(paths: &Paths) -> Result<fs::File> {
    locks::wait(&paths.tools().join("installing.lock"))
}

/// The same for what is installed on the machine, where another clone may install it, too.
pub(crate) fn alone_on_machine() -> Result<fs::File> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    locks::wait(&home.unwrap_or_else(env::temp_dir).join("overturn-installing.lock"))
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
        command.args(["-qq", "-o", "DPkg::Lock::Timeout=600"]).args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    run::output(&mut apt(&["update"]))?;
    Ok(apt)
}

fn rustup(paths: &Paths, args: &[&str]) -> Result {
    if !run::succeeds(paths.command("rustup").arg("--version")) {
        return Err(format!("rustup is missing: install it, or run what `rustup {}` would do", args.join(" ")).into());
    }
    // rustup has no lock of its own against another one that adds to the same toolchain.
    let _alone = alone_on_machine()?;
    say::err(&format!("installing with `rustup {}` (about 15 s)", args.join(" ")));
    run::run(paths.command("rustup").args(args))
}
