//! `cargo xtask deploy --check ENV`: checks before a deployment that wrangler.toml is complete for an environment, and that
//! all migrations have landed.

mod judge;
#[path = "../../../service/src/config/checks/text.rs"]
mod text;

use std::ffi::{OsStr, OsString};

use lexopt::Arg;
use serde_json::Value;

use crate::error::{CommandError, Context, Result};
use crate::paths::Paths;
use crate::{migrations, npm, run, say};

/// The environments that are deployed. The check compares their settings.
const ENVIRONMENTS: [&str; 2] = ["staging", "production"];

/// The settings of the identity Worker.
const IDENTITY: &str = "identity/wrangler.toml";

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
    let env = ENVIRONMENTS.into_iter().find(known).ok_or("ENV must be staging or production")?;
    npm::ensure(paths, &npm::TOOLS)?;
    let settings = read(paths, &file)?;
    let identity = read(paths, IDENTITY.as_ref())?;
    let mut problems = judge::problems(env, &settings);
    problems.extend(judge::identity(env, &settings, &identity));
    problems.extend(migrations::to_land(paths)?);
    for problem in &problems {
        say::err(problem);
    }
    match problems.len() {
        0 => {
            say::out(&format!("everything is ready for {env}"));
            Ok(())
        }
        count => Err(CommandError::Message(format!("not ready for {env} (problems: {count})"))),
    }
}

/// The settings of both environments in a file, as wrangler parses them.
fn read(paths: &Paths, file: &OsStr) -> Result<Value> {
    let mut read = paths.wrangler_command("node");
    read.arg("tools/dev/configuration.mjs").arg("--config").arg(file).args(ENVIRONMENTS);
    let printed = run::output(&mut read)?;
    serde_json::from_str(&printed).context(|| format!("{} is not readable", file.display()))
}
