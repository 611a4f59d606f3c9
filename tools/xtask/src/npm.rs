//! The npm packages: the tools, with a Node that is new enough for them, and the packages that the tests of
//! `@overturn/core` need.

use std::path::PathBuf;

use crate::error::Result;
use crate::paths::Paths;
use crate::{run, say, stamp, tools};

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
pub(crate) const RUNTIMES: Packages = Packages { folder: "clients/wasm/tests", cost: "0.35 GB, about 15 s" };

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

/// Installs the packages of a lock file unless they are installed. The tools come first, because they have the
/// Node that all others need.
pub(crate) fn ensure(paths: &Paths, packages: &Packages) -> Result {
    let _alone = tools::alone(paths)?;
    install(paths, &TOOLS)?;
    check_node(paths)?;
    install(paths, packages)
}

fn install(paths: &Paths, packages: &Packages) -> Result {
    let folder = packages.folder(paths);
    let below = folder.join("node_modules");
    // npm writes this list last. An installation by hand of something else changes it.
    let outputs = || Ok(vec![below.join(".package-lock.json")]);
    stamp::ensure(paths, &below.join("packages.stamp"), &[folder.join("package-lock.json")], "", outputs, || {
        if !run::succeeds(paths.command("npm").arg("--version")) {
            return Err("npm is missing: install Node.js (any version with npm 9 or later)".into());
        }
        say::err(&format!("installing npm packages into {} ({})", below.display(), packages.cost));
        // Install scripts are turned off. None of these packages needs one.
        let how = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        run::run(paths.command("npm").current_dir(&folder).arg("ci").args(how))
    })
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
