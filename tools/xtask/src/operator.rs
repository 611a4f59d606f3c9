//! Runs the operator's program (`tools/operator/`), which is compiled only when a command needs it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use lexopt::{Arg, ValueExt};
use serde_json::Value;

use crate::error::{Context, Result};
use crate::moving::{self, Direction};
use crate::paths::Paths;
use crate::{native, npm, run, say};

/// The secret that data is sealed with.
pub(crate) const KEYS: &str = "SEALING_KEYS";
/// The environment variable with the secret of the authenticator app.
const TOTP_SECRET: &str = "TOTP_SECRET";

/// The program, without its arguments. It is compiled first: it is a separate crate, so that `cargo xtask` neither waits for the
/// service to compile nor fails when it does not compile.
pub(crate) fn program(paths: &Paths) -> Result<Command> {
    let mut command = paths.wrangler_command(native::program(paths, native::OPERATOR)?);
    command.env("OVERTURN_CLONE", &paths.root);
    Ok(command)
}

/// `cargo xtask operator`: passes the command line on.
pub(crate) fn command(paths: &Paths, words: Vec<OsString>) -> Result {
    npm::ensure(paths, &npm::TOOLS)?;
    if let Some(direction) = words.first().and_then(|word| Direction::of(word)) {
        return moving::command(paths, direction, words.into_iter().skip(1));
    }
    let mut command = program(paths)?;
    // A relative path starts at the folder in which the user typed the command.
    command.current_dir(env::current_dir().context(|| "the current folder".to_owned())?);
    run::passed_on(command.args(words))
}

/// The code that an authenticator app shows now.
pub(crate) fn code_of(paths: &Paths, secret: &str) -> Result<String> {
    let printed = run::output(program(paths)?.arg("code").env(TOTP_SECRET, secret))?;
    Ok(printed.trim().to_owned())
}

/// `cargo xtask code`: prints the current code of a demo user's authenticator app.
pub(crate) fn code(paths: &Paths, mut args: lexopt::Parser) -> Result {
    let (mut user, mut state) = (None, paths.root.join(".wrangler/state"));
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("state") => state = PathBuf::from(args.value()?),
            Arg::Value(label) if user.is_none() => user = Some(label.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let user = user.ok_or("whose code? `owner`, say, or another of the users in demo.json")?;
    let path = state.join("demo.json");
    let demo = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    let demo: Value = serde_json::from_str(&demo).context(|| path.display().to_string())?;
    let secret = demo.pointer(&format!("/users/{user}/totp_secret")).and_then(Value::as_str).ok_or_else(|| {
        let users = demo.pointer("/users").and_then(Value::as_object);
        let labels: Vec<&str> = users.into_iter().flatten().map(|(label, _)| &**label).collect();
        format!("there is no user {user}: name one of {}", labels.join(", "))
    })?;
    say::err("a code works once; the next one comes within 30 seconds");
    run::run(program(paths)?.arg("code").env(TOTP_SECRET, secret))
}
