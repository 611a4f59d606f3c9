//! `cargo xtask reseal`: asks a running service to bring what it sealed under the current key.

use std::env;

use lexopt::{Arg, ValueExt};
use serde_json::Value;

use crate::error::Result;
use crate::paths::Paths;
use crate::{npm, run, secrets};

const TOKEN: &str = "OPERATOR_TOKEN";
const LOCAL: &str = "http://127.0.0.1:8787";

/// Runs the command line.
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
        Err(_) if url.starts_with("http://127.0.0.1:") => secrets::read(paths, &Value::Null, TOKEN)?,
        Err(_) => return Err(format!("set {TOKEN} to the operator's token of {url}").into()),
    };
    npm::ensure(paths, &npm::TOOLS)?;
    run::run(paths.wrangler_command("node").args(["tools/dev/reseal.mjs", &url]).env(TOKEN, token))
}
