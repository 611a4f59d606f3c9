//! The clients in TypeScript and Python: the packages in build/clients, ready to publish, and their tests, which also run
//! each snippet of the pages for developers.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::contract::{Served, serve_and_try};
use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::run::{self, Process};
use crate::{build, native, npm, package, python, say, secrets, stamp};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The packages, as they are published.
#[derive(Debug)]
pub(crate) struct Built {
    /// For npm.
    pub(crate) typescript: PathBuf,
    /// A wheel.
    pub(crate) python: PathBuf,
}

/// Builds both packages.
pub(crate) fn build(paths: &Paths) -> Result<Built> {
    let core = package::build(paths)?;
    npm::ensure(paths, &npm::CONSOLE)?;
    let folder = paths.build().join("clients");
    let _alone = build::lock(paths, "clients.lock")?;
    let _ = fs::remove_dir_all(&folder);
    let generated = folder.join("generated");
    let program = native::program(paths, "overturn-api")?;
    run::run(paths.command(program).arg("clients").arg(&generated))?;
    let built = Built {
        typescript: folder.join(format!("overturn-client-{VERSION}.tgz")),
        python: folder.join(format!("overturn-{VERSION}-py3-none-any.whl")),
    };
    typescript(paths, &folder, &core)?;
    let package = folder.join("python");
    begin(paths, "python", &package, &package.join("overturn"))?;
    copy(&core.join(package::MODULE), &package.join("overturn").join(package::MODULE))?;
    copy(&paths.root.join("clients/wasm/python/overturn_core.py"), &package.join("overturn/core.py"))?;
    let mut wheel = paths.command("python3");
    run::run(wheel.arg(package.join("wheel.py")).arg(&package).arg(VERSION).arg(&folder))?;
    let names = [&built.typescript, &built.python].map(|path| path.display().to_string());
    say::out(&format!("built {}", names.join(" and ")));
    Ok(built)
}

/// Copies the sources of a client, the license, and what was generated.
fn begin(paths: &Paths, name: &str, to: &Path, generated: &Path) -> Result {
    let own = paths.root.join("clients").join(name);
    for file in
        stamp::files(&own)?.iter().filter(|file| !file.components().any(|part| part.as_os_str() == "__pycache__"))
    {
        copy(file, &to.join(file.strip_prefix(&own).context(|| name.to_owned())?))?;
    }
    copy(&paths.root.join("LICENSE"), &to.join("LICENSE"))?;
    let files = stamp::files(&paths.build().join("clients/generated").join(name))?;
    files.iter().try_for_each(|file| copy(file, &generated.join(file.file_name().unwrap_or_default())))
}

/// Compiles and packs the client in TypeScript. The core comes in it, so it needs nothing from a registry.
fn typescript(paths: &Paths, folder: &Path, core: &Path) -> Result {
    let package = folder.join("typescript");
    begin(paths, "typescript", &package, &package.join("src"))?;
    for file in stamp::files(core)? {
        let name = file.strip_prefix(core).context(|| "the core".to_owned())?;
        copy(&file, &package.join("node_modules/@overturn/core").join(name))?;
    }
    let manifest = package.join("package.json");
    let text = fs::read_to_string(&manifest).context(|| manifest.display().to_string())?;
    let text = text.replacen('{', &format!("{{\n  \"version\": \"{VERSION}\","), 1);
    let text = text.replace("\"@overturn/core\": \"*\"", &format!("\"@overturn/core\": \"{VERSION}\""));
    fs::write(&manifest, text).context(|| manifest.display().to_string())?;
    let tsc = npm::CONSOLE.folder(paths).join("node_modules/.bin/tsc");
    run::output(paths.command(tsc).arg("--project").arg(&package))?;
    let mut pack = paths.command("npm");
    run::output(pack.current_dir(&package).args(["pack", "--silent", "--pack-destination"]).arg(folder)).map(drop)
}

fn copy(from: &Path, to: &Path) -> Result {
    to.parent().map_or(Ok(()), fs::create_dir_all).context(|| format!("cannot create {}", to.display()))?;
    fs::copy(from, to).context(|| format!("cannot copy {}", from.display())).map(drop)
}

/// Installs the packages in fresh folders, checks their types, and calls the service with them through a proxy that makes
/// faults.
pub(crate) fn check(paths: &Paths) -> Result {
    let built = build(paths)?;
    build::service(paths)?;
    secrets::ensure(paths)?;
    npm::ensure(paths, &npm::CLIENTS)?;
    let folder = paths.root.join("target/contract/installed");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context(|| format!("cannot create {}", folder.display()))?;
    let vars = json!({ "LIMITS": "unlimited", "SCANNER": "none", "GITHUB_KEYS": "http://127.0.0.1:9/keys" });
    let install = install(paths, &built, &folder)?;
    serve_and_try(paths, "client-packages", &vars, |served| {
        let (_proxy, address) = proxy(paths, served)?;
        for mut command in [install.node(paths, "client.test.ts"), install.python(paths)?] {
            run::run(command.env("DEMO", served.demo_path()).env("PROXY", &address))?;
        }
        run::run(install.pages(paths)?.env("DEMO", served.demo_path()))
    })
}

/// Where both packages are installed.
struct Installed(PathBuf);

fn install(paths: &Paths, built: &Built, folder: &Path) -> Result<Installed> {
    fs::write(folder.join("package.json"), "{ \"type\": \"module\" }\n").context(|| "package.json".to_owned())?;
    let mut install = paths.command("npm");
    install.current_dir(folder).args(["install", "--offline", "--no-audit", "--no-fund", "--silent"]);
    run::output(install.arg(&built.typescript))?;
    for name in ["client.test.ts", "client_test.py", "pages.test.mjs", "totp.mjs"] {
        copy(&paths.root.join("clients/tests").join(name), &folder.join(name))?;
    }
    for file in stamp::files(&paths.root.join("clients/examples"))? {
        copy(&file, &folder.join("examples").join(file.file_name().unwrap_or_default()))?;
    }
    let mut tsc = paths.command(modules(paths).join(".bin/tsc"));
    tsc.current_dir(folder).args(["--noEmit", "--strict", "--allowJs", "--skipLibCheck", "--target", "es2023"]);
    tsc.args(["--module", "nodenext", "--types", "node", "--typeRoots"]).arg(modules(paths).join("@types"));
    run::output(tsc.arg("client.test.ts"))?;
    let mut pip = python::program(paths, "pip")?;
    pip.args(["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", "--target"]);
    run::run(pip.arg(folder.join("python")).arg(&built.python))?;
    let mut mypy = python::program(paths, "mypy")?;
    mypy.current_dir(folder).args([
        "--strict",
        "--allow-untyped-calls",
        "--no-warn-return-any",
        "--no-error-summary",
        "--cache-dir=/dev/null",
    ]);
    run::output(mypy.args(["--follow-imports=silent", "--exclude=core.py", "python/overturn"]))?;
    Ok(Installed(folder.to_owned()))
}

/// The compiler of TypeScript, and Node's types.
fn modules(paths: &Paths) -> PathBuf {
    npm::CLIENTS.folder(paths).join("node_modules")
}

impl Installed {
    fn node(&self, paths: &Paths, test: &str) -> Command {
        let mut command = paths.command(paths.node());
        command.current_dir(&self.0).args([
            "--test",
            "--test-reporter=dot",
            "--test-force-exit",
            "--test-timeout=120000",
            test,
        ]);
        command
    }

    fn python(&self, paths: &Paths) -> Result<Command> {
        let mut command = python::program(paths, "python")?;
        command.current_dir(&self.0).arg("client_test.py").env("PYTHONPATH", self.0.join("python"));
        Ok(command)
    }

    /// Each snippet of the pages for developers.
    fn pages(&self, paths: &Paths) -> Result<Command> {
        let mut command = self.node(paths, "pages.test.mjs");
        let python = python::program(paths, "python")?;
        command.env("PYTHON", python.get_program()).env("PYTHONPATH", self.0.join("python"));
        command.env("SNIPPETS", paths.build().join("clients/generated/snippets.json"));
        command.env("TSC", modules(paths).join(".bin/tsc")).env("TYPES", modules(paths).join("@types"));
        Ok(command)
    }
}

/// The proxy, which ends with its handle, and its address.
fn proxy(paths: &Paths, served: &Served<'_>) -> Result<(Process, String)> {
    let mut command = paths.command(paths.node());
    let mut child =
        Process::start(command.arg("clients/tests/proxy.mjs").arg(served.base_url()).stdout(Stdio::piped()))?;
    let printed = child.stdout().ok_or("the proxy has no output")?;
    let mut address = String::new();
    BufReader::new(printed).read_line(&mut address).context(|| "the proxy".to_owned())?;
    Ok((child, address.trim().to_owned()))
}
