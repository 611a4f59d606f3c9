//! `cargo xtask backup`: writes the database into one encrypted file, and restores it. The drill uses the same
//! functions.
//!
//! wrangler writes the export unencrypted. So it goes into a folder that only its owner can read, and that folder is
//! removed in every case.

use std::env;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use lexopt::{Arg, ValueExt};
use serde_json::Value;

use crate::error::{Context, Result};
use crate::paths::Paths;
use crate::state::State;
use crate::{cells, npm, operator, run, say, secrets};

/// The environment variable with the age recipients that a backup is encrypted for.
pub(crate) const RECIPIENTS: &str = "BACKUP_RECIPIENTS";
/// The environment variable with the age identity that decrypts a backup.
pub(crate) const IDENTITY: &str = "BACKUP_IDENTITY";

/// The database to back up.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// On this machine, in a state folder.
    Local(PathBuf),
    /// At Cloudflare, in this environment of wrangler.toml.
    Remote(&'static str),
}

impl Source {
    /// The environment named after `--remote`.
    pub(crate) fn remote(word: &str) -> Result<Self> {
        ["staging", "production"]
            .into_iter()
            .find(|name| *name == word)
            .map(Self::Remote)
            .ok_or_else(|| "--remote wants staging or production".into())
    }

    /// How many cells it has.
    pub(crate) fn cells(&self, paths: &Paths) -> Result<u16> {
        match self {
            Self::Local(state) => Ok(cells::configured(state)),
            Self::Remote(environment) => cells::remote(paths, environment),
        }
    }

    /// wrangler with words about the database of a cell.
    pub(crate) fn wrangler(&self, paths: &Paths, words: &[&str], cell: u16) -> Command {
        let mut command = paths.wrangler_command("wrangler");
        command.arg("d1").args(words).arg(cells::binding(cell));
        match self {
            Self::Local(state) => cells::locally(paths, &mut command, state),
            Self::Remote(environment) => {
                command.args(["--remote", "--env", environment]);
            }
        }
        command
    }

    /// wrangler, as far as the statements to execute.
    pub(crate) fn execute(&self, paths: &Paths, cell: u16) -> Command {
        let mut command = self.wrangler(paths, &["execute"], cell);
        command.arg("--yes");
        command
    }

    /// The rows of each of some statements.
    pub(crate) fn query(&self, paths: &Paths, cell: u16, sql: &str) -> Result<Vec<Vec<Value>>> {
        let printed = run::output(self.execute(paths, cell).args(["--json", "--command", sql]))?;
        let answer: Value = serde_json::from_str(&printed).context(|| "the answer of the database".to_owned())?;
        let results = answer.as_array().into_iter().flatten();
        let rows = |result: &Value| result.get("results")?.as_array().cloned();
        results.map(rows).collect::<Option<_>>().ok_or_else(|| "the database did not answer".into())
    }

    /// The sealing keys of the database. For a remote one they come from the environment.
    pub(crate) fn sealing_keys(&self, paths: &Paths) -> Result<String> {
        match (env::var(operator::KEYS), self) {
            (Ok(keys), _) => Ok(keys),
            (Err(_), Self::Local(_)) => secrets::read(paths, &Value::Null, operator::KEYS),
            (Err(_), Self::Remote(_)) => {
                Err(format!("set {} to the sealing keys of the database, from where you keep them", operator::KEYS)
                    .into())
            }
        }
    }
}

/// The installation and the path that a command line names.
pub(crate) fn named(paths: &Paths, mut args: lexopt::Parser, missing: &str) -> Result<(Source, PathBuf)> {
    let mut source = Source::Local(paths.root.join(".wrangler/state"));
    let mut path = None;
    while let Some(arg) = args.next()? {
        match arg {
            Arg::Long("state") => source = Source::Local(args.value()?.into()),
            Arg::Long("remote") => source = Source::remote(&args.value()?.string()?)?,
            Arg::Value(word) if path.is_none() => path = Some(word),
            other => return Err(other.unexpected().into()),
        }
    }
    let path = std::path::absolute(path.ok_or(missing)?).context(|| "the path".to_owned())?;
    Ok((source, path))
}

/// Runs the command line.
pub(crate) fn command(paths: &Paths, args: lexopt::Parser) -> Result {
    let (source, file) = named(paths, args, "name the file to write, such as overturn-2026-11-22.sql.age")?;
    if env::var_os(RECIPIENTS).is_none() {
        return Err(format!("set {RECIPIENTS} to the age recipient (age1…) that the backup is encrypted for").into());
    }
    npm::ensure(paths, &npm::TOOLS)?;
    let private = Private::new(&paths.root.join("target/backup"))?;
    cells::each(source.cells(paths)?, |cell| {
        let file = cells::beside(&file, cell);
        write(paths, (&source, cell), &private, &file, None)?;
        say::out(&format!("wrote {}", file.display()));
        Ok(())
    })
}

/// Exports the database of a cell and encrypts it into a new file, for `recipient` or else for those of the environment.
pub(crate) fn write(
    paths: &Paths,
    of: (&Source, u16),
    private: &Private,
    file: &Path,
    recipient: Option<&str>,
) -> Result {
    exported(paths, of, private, |exports| {
        let mut command = program(paths);
        command.arg("encrypt").args(exports).arg(file);
        if let Some(recipient) = recipient {
            command.env(RECIPIENTS, recipient);
        }
        run::output(&mut command).map(drop)
    })
}

/// Exports the database of a cell into a new file of SQL that is not encrypted.
pub(crate) fn write_plain(paths: &Paths, of: (&Source, u16), private: &Private, file: &Path) -> Result {
    exported(paths, of, private, |exports| run::output(program(paths).arg("join").args(exports).arg(file)).map(drop))
}

/// Uses the two exports of a database, schema and data, and removes them.
fn exported(paths: &Paths, of: (&Source, u16), private: &Private, using: impl FnOnce([&Path; 2]) -> Result) -> Result {
    let (schema, data) = (private.file("schema.sql"), private.file("data.sql"));
    export(paths, of, private, "--no-data", &schema)?;
    export(paths, of, private, "--no-schema", &data)?;
    using([&schema, &data])?;
    for export in [&schema, &data] {
        fs::remove_file(export).context(|| format!("cannot remove {}", export.display()))?;
    }
    Ok(())
}

/// Restores a backup into the database of a fresh state folder. It is decrypted with `identity`, or else with the one
/// of the environment.
pub(crate) fn restore(paths: &Paths, file: &Path, private: &Private, identity: Option<&str>, state: &State) -> Result {
    let sql = decrypt(paths, file, private, identity)?;
    state.execute(paths, 0, &sql)?;
    fs::remove_file(&sql).context(|| format!("cannot remove {}", sql.display()))
}

/// Decrypts a backup into a new file of the folder.
pub(crate) fn decrypt(paths: &Paths, file: &Path, private: &Private, identity: Option<&str>) -> Result<PathBuf> {
    let sql = private.file("opened.sql");
    let mut command = program(paths);
    command.arg("decrypt").arg(file).arg(&sql);
    if let Some(identity) = identity {
        command.env(IDENTITY, identity);
    }
    run::output(&mut command)?;
    Ok(sql)
}

/// Makes a key pair, identity and recipient, for a drill that got none.
pub(crate) fn keygen(paths: &Paths) -> Result<(String, String)> {
    let printed = run::output(program(paths).arg("keygen"))?;
    let keys: Value = serde_json::from_str(&printed).context(|| "the keys of the backup".to_owned())?;
    let key = |name: &str| {
        let key = keys.get(name).and_then(Value::as_str);
        key.map(str::to_owned).ok_or("no key was made")
    };
    Ok((key("identity")?, key("recipient")?))
}

/// Exports a part of a database with wrangler. wrangler finds a local state folder only beside its configuration.
fn export(paths: &Paths, (source, cell): (&Source, u16), private: &Private, part: &str, to: &Path) -> Result {
    let mut command = paths.wrangler_command("wrangler");
    command.args(["d1", "export", &cells::binding(cell), "--skip-confirmation", part]);
    match source {
        Source::Local(state) => {
            if !state.join("v3/d1").is_dir() {
                return Err(format!("{} has no database", state.display()).into());
            }
            let folder = private.file("local");
            let _ = fs::remove_dir_all(&folder);
            let link = || {
                fs::create_dir_all(folder.join(".wrangler"))?;
                fs::copy(cells::configuration(paths, state), folder.join("wrangler.toml"))?;
                symlink(std::path::absolute(state)?, folder.join(".wrangler/state"))
            };
            link().context(|| format!("cannot prepare {}", folder.display()))?;
            command.args(["--local", "--config"]).arg(folder.join("wrangler.toml"));
        }
        Source::Remote(environment) => {
            command.args(["--remote", "--env", environment]);
        }
    }
    run::output(command.arg("--output").arg(to)).map(drop)
}

fn program(paths: &Paths) -> Command {
    let mut command = paths.wrangler_command("node");
    command.arg("tools/dev/backup.mjs");
    command
}

/// A folder that only its owner can enter. Dropping this removes it.
#[derive(Debug)]
pub(crate) struct Private(PathBuf);

impl Private {
    /// Makes the folder, empty.
    pub(crate) fn new(folder: &Path) -> Result<Self> {
        let make = || {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            DirBuilder::new().recursive(true).mode(0o700).create(folder)
        };
        make().context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self(folder.to_owned()))
    }

    /// The path of a file in the folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            say::err(&format!("{} holds patient data and could not be removed ({error}): remove it", self.0.display()));
        }
    }
}
