//! Tests the npm package, as `npm pack` makes it, in every runtime that it supports. clients/wasm/tests has the cases.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{browser, npm, package, python, run, say};

/// Builds the package and tests it in every runtime.
pub(crate) fn check(paths: &Paths) -> Result {
    let built = package::build(paths)?;
    npm::ensure(paths, &npm::RUNTIMES)?;
    let tests = Tests { paths, folder: npm::RUNTIMES.folder(paths) };
    unpack(paths, &built, &tests.folder.join("node_modules/@overturn/core"))?;
    tests.node()?;
    tests.deno()?;
    tests.types()?;
    tests.metadata()?;
    python(paths, "check.py", &built.join(package::MODULE), "golden.json")?;
    let module = built.join(package::REMIT_MODULE);
    python(paths, "check_remit.py", &module, "remit.json")
}

/// Compares what a module says in Python with a file of clients/wasm/tests.
fn python(paths: &Paths, script: &str, module: &Path, golden: &str) -> Result {
    run::run(
        python::program(paths, "python")?
            .arg(format!("clients/wasm/python/{script}"))
            .arg(module)
            .arg(format!("clients/wasm/tests/{golden}"))
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}

/// clients/wasm/tests, with the package installed.
struct Tests<'a> {
    paths: &'a Paths,
    folder: PathBuf,
}

impl Tests<'_> {
    fn command(&self, program: PathBuf) -> Command {
        let mut command = self.paths.wrangler_command(program);
        command.current_dir(&self.folder);
        command
    }

    /// The current Node, the oldest supported Node, and the runtimes that a Node script starts.
    fn node(&self) -> Result {
        let browser = browser::ensure(self.paths)?;
        let oldest = self.oldest_node()?;
        let node = self.paths.node();
        for (program, script) in [
            (&oldest, "run.mjs"),
            (&oldest, "bundle/require.cjs"),
            (&node, "run.mjs"),
            (&node, "readme.mjs"),
            (&node, "exceptions.mjs"),
            (&node, "workerd.mjs"),
            (&node, "browser.mjs"),
            (&node, "bundles.mjs"),
        ] {
            let mut command = self.command(program.clone());
            run::run(
                command
                    .arg(script)
                    .env("OVERTURN_OLDEST_NODE", &oldest)
                    .env("OVERTURN_BROWSER", browser.command_line()),
            )?;
        }
        Ok(())
    }

    /// Node 20, from the npm package for this system.
    fn oldest_node(&self) -> Result<PathBuf> {
        let own = self.folder.join("node_modules/.bin/node");
        if !own.exists() {
            return Err("npm has no Node 20 for this system".into());
        }
        let printed = run::output(self.paths.command(&own).arg("--version"))?;
        if !printed.starts_with("v20.") {
            return Err(format!("{} is Node {}", own.display(), printed.trim()).into());
        }
        Ok(own)
    }

    /// Checks that the published files are complete and that other tools can read the metadata.
    fn metadata(&self) -> Result {
        let mut command = self.command(self.folder.join("node_modules/.bin/publint"));
        run::run(command.args(["run", "--strict", "--pack=false", "node_modules/@overturn/core"]))
    }

    fn deno(&self) -> Result {
        run::run(
            self.command(self.deno_program()?)
                // No permission is given, because the package needs none.
                .args(["run", "--no-remote", "--no-prompt", "run.mjs"])
                .env("DENO_DIR", self.paths.root.join("target/deno"))
                .env("DENO_NO_UPDATE_CHECK", "1"),
        )
    }

    /// The program in Deno's npm package for this system.
    fn deno_program(&self) -> Result<PathBuf> {
        let packages = self.folder.join("node_modules/@deno");
        fs::read_dir(&packages)
            .context(|| format!("cannot read {}", packages.display()))?
            .filter_map(|entry| Some(entry.ok()?.path().join("deno")))
            .find(|program| program.is_file())
            .ok_or_else(|| "npm has no Deno for this system".into())
    }

    /// Compiles the type tests, with Node's module resolution and with that of bundlers.
    fn types(&self) -> Result {
        for (module, resolution) in [("nodenext", "nodenext"), ("esnext", "bundler")] {
            let mut tsc = self.command(self.folder.join("node_modules/.bin/tsc"));
            tsc.args(["-p", "types", "--module", module]);
            run::run(tsc.args(["--moduleResolution", resolution]))?;
        }
        run::run(self.command(self.folder.join("node_modules/.bin/tsc")).args(["-p", "types/require"]))?;
        say::out("TypeScript: the types hold what they should and nothing else");
        Ok(())
    }
}

/// Unpacks the package into node_modules, with exactly the files that would be published.
fn unpack(paths: &Paths, built: &Path, to: &Path) -> Result {
    let packed = paths.root.join("target/packed");
    let _ = fs::remove_dir_all(&packed);
    let _ = fs::remove_dir_all(to);
    for folder in [&*packed, to] {
        fs::create_dir_all(folder).context(|| format!("cannot create {}", folder.display()))?;
    }
    let printed = run::output(
        paths.command("npm").args(["pack", "--loglevel=error", "--pack-destination"]).args([&*packed, built]),
    )?;
    let tarball = packed.join(printed.lines().last().unwrap_or_default());
    run::run(paths.command("tar").args(["--strip-components=1", "-xzf"]).arg(tarball).arg("-C").arg(to))
}
