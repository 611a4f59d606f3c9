//! The npm packages: the tools, with a Node that is new enough for them, and the packages that the tests of
//! `@overturn/core` need.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{run, say, tools};

/// Wrangler needs at least this version.
const NODE: (u32, u32) = (22, 12);

/// A folder with a package.json, its lock and its node_modules.
#[derive(Debug)]
pub(crate) struct Packages {
    folder: &'static str,
    /// The disk space and time that they take.
    cost: &'static str,
}

/// wrangler, miniflare, esbuild, wasm-opt and Node.
pub(crate) const TOOLS: Packages = Packages { folder: "", cost: "0.5 GB, about 15 s" };

/// Deno, Node 20, bundlers and TypeScript. They are separate because only tests need them.
pub(crate) const RUNTIMES: Packages = Packages { folder: "wasm/tests", cost: "0.35 GB, about 15 s" };

/// The packages of the benchmark.
pub(crate) const BENCH: Packages = Packages { folder: "tools/bench", cost: "50 MB, about 3 s" };

/// Preact, TypeScript and the generator of the API's types.
pub(crate) const CONSOLE: Packages = Packages { folder: "console", cost: "85 MB, about 8 s" };

/// The packages that drive and check the pages in a browser.
pub(crate) const BROWSER: Packages = Packages { folder: "tests/browser", cost: "18 MB, about 2 s" };

/// The identity providers of the demo and of the tests.
pub(crate) const PROVIDERS: Packages = Packages { folder: "tools/dev/providers", cost: "15 MB, about 3 s" };

/// The linters of the descriptions, and the generators and the type checker for API clients.
pub(crate) const CLIENTS: Packages = Packages { folder: "tests/clients", cost: "140 MB, about 30 s" };

impl Packages {
    /// The folder that holds them.
    pub(crate) fn folder(&self, paths: &Paths) -> PathBuf {
        paths.root.join(self.folder)
    }
}

/// True if this machine has Node and npm.
pub(crate) fn is_there(paths: &Paths) -> bool {
    ["node", "npm"].iter().all(|name| run::succeeds(paths.command(name).arg("--version")))
}

/// Installs the packages of a lock file unless node_modules holds exactly these. The tools come first, because they have the
/// Node that all others need.
pub(crate) fn ensure(paths: &Paths, packages: &Packages) -> Result {
    let _alone = tools::alone(paths)?;
    install(paths, &TOOLS)?;
    check_node(paths)?;
    install(paths, packages)
}

fn install(paths: &Paths, packages: &Packages) -> Result {
    let folder = packages.folder(paths);
    if is_installed(&folder)? {
        return Ok(());
    }
    if !run::succeeds(paths.command("npm").arg("--version")) {
        return Err("npm is missing: install Node.js (any version with npm 9 or later)".into());
    }
    let (below, cost) = (folder.join("node_modules"), packages.cost);
    say::err(&format!("installing npm packages into {} ({cost})", below.display()));
    // Install scripts are turned off. None of these packages needs one.
    run::run(paths.command("npm").current_dir(&folder).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]))
}

/// npm writes this list last, in the format of the lock file. If the list and the lock differ in a package or a
/// version, another lock was installed, or an installation was interrupted.
fn is_installed(folder: &Path) -> Result<bool> {
    let path = folder.join("package-lock.json");
    let lock = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    let lock = packages(&lock).ok_or("package-lock.json has no packages")?;
    let installed = fs::read_to_string(folder.join("node_modules/.package-lock.json")).unwrap_or_default();
    Ok(packages(&installed).is_some_and(|installed| matches(&lock, &installed)))
}

fn packages(lock: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str::<Value>(lock).ok()?.get_mut("packages")?.take() {
        Value::Object(packages) => Some(packages),
        _ => None,
    }
}

fn matches(lock: &Map<String, Value>, installed: &Map<String, Value>) -> bool {
    let same = |name: &String, package: &Value| {
        lock.get(name).is_some_and(|locked| locked.get("version") == package.get("version"))
    };
    let wanted = |(name, package): (&String, &Value)| {
        // The project itself has no name, and npm leaves out packages for other systems.
        name.is_empty() || package.get("optional") == Some(&Value::Bool(true)) || installed.contains_key(name)
    };
    installed.iter().all(|(name, package)| same(name, package)) && lock.iter().all(wanted)
}

fn check_node(paths: &Paths) -> Result {
    let printed = run::output(paths.command("node").arg("--version"))?;
    let mut numbers = printed.trim().trim_start_matches('v').split('.').map(|part| part.parse().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found >= NODE {
        return Ok(());
    }
    Err(format!(
        "Node {}.{} or later is needed and {} was found: install it, since npm has no package of it for this system",
        NODE.0,
        NODE.1,
        printed.trim()
    )
    .into())
}

#[cfg(test)]
mod tests {
    use super::{matches, packages};

    const LOCK: &str = r#"{"packages": {
        "": {"name": "us"},
        "node_modules/a": {"version": "1.0.0"},
        "node_modules/b": {"version": "2.0.0", "optional": true}
    }}"#;

    #[test]
    fn another_version_a_missing_or_a_spare_package_is_stale() {
        let cases = [
            (r#"{"node_modules/a": {"version": "1.0.0"}}"#, true),
            (r#"{"node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "2.0.0"}}"#, true),
            (r#"{"node_modules/a": {"version": "1.0.1"}}"#, false),
            (r#"{"node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "2.0.1"}}"#, false),
            (r#"{"node_modules/b": {"version": "2.0.0"}}"#, false),
            (r#"{"node_modules/a": {"version": "1.0.0"}, "node_modules/c": {"version": "1.0.0"}}"#, false),
            ("{}", false),
        ];
        let lock = packages(LOCK).unwrap();
        for (installed, fresh) in cases {
            let installed = packages(&format!(r#"{{"packages": {installed}}}"#)).unwrap();
            assert_eq!(matches(&lock, &installed), fresh, "{installed:?}");
        }
    }
}
