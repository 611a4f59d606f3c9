//! The step `console` of `cargo xtask test`.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use super::browse::{self, Data};
use super::{generate, sizes};
use crate::build;
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::run;

/// The folder of the tests in a browser.
const IN_BROWSER: &str = "tests/browser/console";

/// Checks the console: the generated files, the types, the sizes, the pure modules, and then everything in a browser against the
/// real service.
pub(crate) fn check(paths: &Paths) -> Result {
    generate::check(paths)?;
    types(paths)?;
    build::service_with_console(paths)?;
    sizes::check(paths)?;
    pure(paths)?;
    in_browser(paths)
}

fn types(paths: &Paths) -> Result {
    let compiler = paths.root.join("console/node_modules/@typescript/native/bin/tsc");
    let mut command = paths.command(paths.node());
    run::run(command.arg(compiler).args(["--project", "console"]))
}

/// The tests in a folder, by name.
fn tests(folder: PathBuf, end: &str) -> Result<Vec<OsString>> {
    let listed = fs::read_dir(&folder).context(|| format!("cannot list {}", folder.display()))?;
    let mut found: Vec<OsString> = listed
        .flatten()
        .map(|entry| entry.path().into_os_string())
        .filter(|path| path.to_string_lossy().ends_with(end))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(format!("no test in {}", folder.display()).into());
    }
    Ok(found)
}

fn pure(paths: &Paths) -> Result {
    let tests = tests(paths.root.join("console/test"), ".test.ts")?;
    run::run(paths.command(paths.node()).args(["--test", "--test-reporter=dot"]).args(tests))
}

/// Runs every test of tests/browser/console.
fn in_browser(paths: &Paths) -> Result {
    let mut tests = tests(paths.root.join(IN_BROWSER), ".test.mjs")?;
    // The largest begins first, so that none runs alone at the end.
    tests.sort_by_key(|test| Reverse(fs::metadata(test).map_or(0, |found| found.len())));
    with_providers(paths, "state", tests)
}

/// Checks how the host serves the console: paths, headers and files.
pub(crate) fn check_serving(paths: &Paths) -> Result {
    let tests = tests(paths.root.join(IN_BROWSER), "serving.test.mjs")?;
    with_providers(paths, "serving", tests)
}

/// Serves the console with identity providers, and runs tests at once.
fn with_providers(paths: &Paths, state: &str, tests: Vec<OsString>) -> Result {
    // Node leaves one core free by itself, but a test often waits.
    let files_at_once = run::processors();
    let mut args =
        vec!["--test".into(), "--test-reporter=spec".into(), format!("--test-concurrency={files_at_once}").into()];
    args.extend(tests);
    browse::with_node(paths, state, Data::Providers, &args)
}
