//! Checks the descriptions with linters, generates clients from them and calls the service with them. tests/clients has the
//! rules and the calls.

use std::fs;
use std::path::Path;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::{npm, python, run, say};

/// The path of each description, and the name of its client.
const DESCRIPTIONS: [(&str, &str); 2] = [("openapi.json", "claims"), ("openapi/accounts.json", "accounts")];

/// Reads the descriptions in `folder` with the linters and the generators that need no service. A warning is an error.
pub(crate) fn lint(paths: &Paths, folder: &Path) -> Result {
    npm::ensure(paths, &npm::CLIENTS)?;
    let own = npm::CLIENTS.folder(paths);
    let tool = |name: &str| {
        let mut command = paths.command(own.join("node_modules/.bin").join(name));
        command.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        command
    };
    let files = ["openapi.json", "accounts.json"].map(|name| folder.join(name));
    let mut spectral = tool("spectral");
    spectral.args(["lint", "--fail-severity=hint", "--ruleset"]);
    run::output(spectral.arg(own.join("spectral.yaml")).args(&files))?;
    let mut redocly = tool("redocly");
    redocly.arg("lint").args(&files).arg("--config");
    run::output(redocly.arg(own.join("redocly.yaml")))?;
    for file in files {
        let client = file.with_extension("client");
        let mut hey = tool("openapi-ts");
        hey.args(["--no-log-file", "--input"]).arg(&file);
        let printed = run::output(hey.arg("--output").arg(&client))?;
        if printed.to_lowercase().contains("warn") {
            return Err(printed.into());
        }
        let mut tsc = tool("tsc");
        tsc.args(["--strict", "--noEmit", "--target", "es2023", "--module", "esnext"]).args([
            "--moduleResolution",
            "bundler",
            "--lib",
            "es2023,dom,dom.iterable",
        ]);
        run::output(tsc.arg(client.join("index.ts")))?;
    }
    Ok(())
}

/// Generates clients in Python and TypeScript and calls the service with them. `demo` is the path of the demo data.
pub(crate) fn check(paths: &Paths, base_url: &str, demo: &Path) -> Result {
    let folder = paths.root.join("target/contract/clients");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context(|| format!("cannot create {}", folder.display()))?;
    npm::ensure(paths, &npm::CLIENTS)?;
    let own = npm::CLIENTS.folder(paths);
    let bin = own.join("node_modules/.bin");
    for (address, name) in DESCRIPTIONS {
        let url = format!("{base_url}/api/v1/{address}");
        let client = folder.join(format!("overturn_{name}"));
        run::output(
            python::program(paths, "openapi-python-client")?
                .args(["generate", "--meta", "none", "--fail-on-warning", "--url", &url])
                .arg("--config")
                .arg(own.join("python.yaml"))
                .arg("--output-path")
                .arg(client),
        )?;
        let types = folder.join(format!("{name}.d.ts"));
        let mut generator = paths.command(bin.join("openapi-typescript"));
        run::output(generator.arg(&url).arg("--output").arg(types))?;
    }
    run::run(paths.command(bin.join("tsc")).arg("--project").arg(&own))?;
    let calls = [
        ("Python", python::program(paths, "python")?, "call.py"),
        ("TypeScript", paths.command(paths.node()), "call.ts"),
    ];
    for (language, mut command, script) in calls {
        let modules =
            std::env::join_paths([&folder, &paths.root.join("tests/contract")]).context(|| "PYTHONPATH".to_owned())?;
        let printed = run::output(
            command
                .arg(own.join(script))
                .env("CONTRACT_DEMO", demo)
                .env("PYTHONPATH", modules)
                .env("PYTHONDONTWRITEBYTECODE", "1"),
        )?;
        say::out(&format!("generated client, {language}: {}", printed.trim()));
    }
    Ok(())
}
