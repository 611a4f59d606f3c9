//! Tools that do not come with cargo or npm.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Result};
use crate::paths::Paths;
use crate::{build, npm, run, say};

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
const TEST_RUNNER_CRATE: Install = Install {
    name: "wasm-bindgen-cli",
    options: &["--bin", TEST_RUNNER],
    seconds: 35,
};

/// Finds the tools and installs the missing ones.
pub(crate) fn ensure(paths: &Paths) -> Result<Tools> {
    ensure_target(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    Ok(Tools {
        wasm_bindgen: bindgen(paths)?,
    })
}

/// Builds our own program around the library of wasm-bindgen, and returns it.
fn bindgen(paths: &Paths) -> Result<Tool> {
    run::run(
        paths
            .command("cargo")
            .args(["build", "--quiet", "--package", "overturn-bindgen"])
            .env_remove("CARGO_BUILD_TARGET"),
    )?;
    Ok(Tool {
        path: build::target_dir(paths)?.join("debug/bindgen"),
        version: locked_version(paths, "wasm-bindgen-cli-support")?,
    })
}

/// Finds the program that runs tests compiled for wasm32, and installs it if it is missing.
pub(crate) fn ensure_test_runner(paths: &Paths) -> Result<Tool> {
    ensure_target(paths)?;
    npm::ensure(paths, &npm::TOOLS)?;
    let version = locked_version(paths, "wasm-bindgen")?;
    tool(paths, TEST_RUNNER, &version, &TEST_RUNNER_CRATE)
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

/// Installs the standard library of wasm32.
pub(crate) fn ensure_target(paths: &Paths) -> Result {
    const TARGET: &str = "wasm32-unknown-unknown";
    let folder =
        run::output(
            paths
                .command("rustc")
                .args(["--print", "target-libdir", "--target", TARGET]),
        )?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    rustup(paths, &["target", "add", TARGET])
}

fn rustup(paths: &Paths, args: &[&str]) -> Result {
    if !run::succeeds(paths.command("rustup").arg("--version")) {
        return Err(format!(
            "rustup is missing: install it, or run what `rustup {}` would do",
            args.join(" ")
        )
        .into());
    }
    say::err(&format!(
        "installing with `rustup {}` (about 15 s)",
        args.join(" ")
    ));
    run::run(paths.command("rustup").args(args))
}

/// The program `name` at `version`, from our folder or from PATH. If neither has it, it is installed from its crate.
fn tool(paths: &Paths, name: &str, version: &str, install: &Install) -> Result<Tool> {
    let own = paths.tools().join("bin").join(name);
    let found = |path: PathBuf| {
        has_version(paths, &path, version).then(|| Tool {
            path,
            version: version.to_owned(),
        })
    };
    if let Some(tool) = found(own.clone()).or_else(|| found(PathBuf::from(name))) {
        return Ok(tool);
    }
    cargo_install(paths, install, version)?;
    found(own).ok_or_else(|| {
        format!("{name} is not version {version} although it was just installed: remove .tools and try again").into()
    })
}

fn has_version(paths: &Paths, program: &Path, version: &str) -> bool {
    run::output(paths.command(program).arg("--version"))
        .is_ok_and(|printed| printed.split_whitespace().next_back() == Some(version))
}

/// Compiled fast rather than for speed: these programs run for a second, and every developer waits once for this build.
fn cargo_install(paths: &Paths, install: &Install, version: &str) -> Result {
    let Install {
        name,
        options,
        seconds,
    } = install;
    say::err(&format!(
        "installing {name} {version} into .tools (about {seconds} s on two idle cores)"
    ));
    let target = paths.root.join("target/tools");
    run::run(
        paths
            .command("cargo")
            .args(["install", "--quiet", "--root"])
            .arg(paths.tools())
            .arg(format!("{name}@{version}"))
            .args(*options)
            .env("CARGO_TARGET_DIR", &target)
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("RUSTFLAGS"),
    )?;
    // The build folder takes a gigabyte and is not needed again.
    fs::remove_dir_all(&target).context(|| format!("cannot remove {}", target.display()))
}

/// The version of a package in Cargo.lock.
fn locked_version(paths: &Paths, package: &str) -> Result<String> {
    let path = paths.root.join("Cargo.lock");
    let lock = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    version_in(&lock, package)
        .map(str::to_owned)
        .ok_or_else(|| format!("Cargo.lock has no {package}").into())
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
