//! `cargo xtask reseal`: has a running service bring old claims under the current key.

use std::env;
use std::fs;

use lexopt::{Arg, ValueExt};

use crate::failure::{Context, Result};
use crate::npm;
use crate::paths::Paths;
use crate::run;

const TOKEN: &str = "OPERATOR_TOKEN";
const LOCAL: &str = "http://127.0.0.1:8787";

/// The command line.
pub(crate) fn command(paths: &Paths, mut args: lexopt::Parser) -> Result {
    let mut url = LOCAL.to_owned();
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("url") => url = args.value()?.string()?,
            other => return Err(other.unexpected().into()),
        }
    }
    let token = match env::var(TOKEN) {
        Ok(token) => token,
        Err(_) if url.starts_with("http://127.0.0.1:") => local_token(paths)?,
        Err(_) => return Err(format!("set {TOKEN} to the operator's token of {url}").into()),
    };
    npm::ensure(paths, &npm::TOOLS)?;
    run::run(
        paths
            .wrangler_command("node")
            .args(["dev/reseal.mjs", &url])
            .env(TOKEN, token),
    )
}

fn local_token(paths: &Paths) -> Result<String> {
    let path = paths.root.join(".dev.vars");
    let vars = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    vars.lines()
        .find_map(|line| line.strip_prefix(TOKEN)?.strip_prefix('='))
        .map(|value| value.trim_matches('"').to_owned())
        .ok_or_else(|| format!("{} has no {TOKEN}", path.display()).into())
}
