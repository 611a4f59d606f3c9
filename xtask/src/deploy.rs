//! `cargo xtask deploy --check ENV`: checks before a deployment that wrangler.toml is complete for an environment.

mod address;
mod judge;
#[path = "../../edge/src/config/checks/text.rs"]
mod text;

use std::ffi::OsString;

use lexopt::Arg;
use serde_json::Value;

use crate::failure::{Context, Failure, Result};
use crate::paths::Paths;
use crate::{npm, run, say};

/// The environments that are deployed. The check compares their settings.
const ENVIRONMENTS: [&str; 2] = ["staging", "production"];

/// Runs the command line.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    let mut checked = None;
    let mut file = OsString::from("wrangler.toml");
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("check") => checked = Some(args.value()?),
            Arg::Long("config") => file = args.value()?,
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(env) = checked else {
        return Err("`cargo xtask deploy --check ENV` is what there is; `npx wrangler deploy --env ENV` deploys".into());
    };
    let known = |name: &&str| env.to_str() == Some(*name);
    let env = ENVIRONMENTS
        .into_iter()
        .find(known)
        .ok_or("ENV must be staging or production")?;
    npm::ensure(paths, &npm::TOOLS)?;
    let mut read = paths.wrangler_command("node");
    read.arg("dev/configuration.mjs")
        .arg("--config")
        .arg(file)
        .args(ENVIRONMENTS);
    let printed = run::output(&mut read)?;
    let settings: Value =
        serde_json::from_str(&printed).context(|| "wrangler.toml is not readable".to_owned())?;
    let problems = judge::problems(env, &settings);
    for problem in &problems {
        say::err(problem);
    }
    match problems.len() {
        0 => {
            say::out(&format!("wrangler.toml is complete for {env}"));
            Ok(())
        }
        count => Err(Failure::Message(format!(
            "wrangler.toml is not ready for {env}: {count} problems"
        ))),
    }
}
