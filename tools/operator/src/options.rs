//! Parses the operator's command line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};
use overturn_service::config::DEFAULT_WAIT_DAYS;

use crate::database;

type Result<T> = std::result::Result<T, lexopt::Error>;

/// The list of commands, printed when none is given. The lines also say which words each command takes.
pub(crate) const USAGE: &str = "\
cargo xtask operator COMMAND [--state DIR | --remote staging|production]
  list-practices
  cells
  create-practice --name NAME --owner ADDRESS [--url URL]
  invite-owner PRACTICE-ID --email ADDRESS [--url URL]
  create-staff --email ADDRESS [--url URL]
  create-auditor --email ADDRESS [--url URL]
  disable-practice PRACTICE-ID
  enable-practice PRACTICE-ID
  revoke-key KEY-ID|FIRST-13-CHARACTERS
  remove-user ADDRESS|USER-ID
  reset-factor ADDRESS|USER-ID
  end-agreement PRACTICE-ID
  data-jobs PRACTICE-ID
  destroy-data PRACTICE-ID --name NAME [--days DAYS]
  cancel-destruction PRACTICE-ID
  move-practice PRACTICE-ID --to CELL
  cancel-move PRACTICE-ID
  moves
  verify-trail PRACTICE-ID|staff
  export FOLDER
  import FOLDER";

/// Where the database is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// On this machine, in a state folder of `cargo xtask dev` or a data folder of the native program.
    Local(PathBuf),
    /// At Cloudflare, in this environment of wrangler.toml.
    Remote(&'static str),
}

/// A command, with its words as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    pub(crate) command: String,
    /// By option. The word without an option has no name.
    words: BTreeMap<String, String>,
    pub(crate) place: Place,
}

impl Options {
    /// A word that the command takes; empty if it may be left out and was.
    pub(crate) fn word(&self, option: &str) -> &str {
        self.words.get(option).map_or("", String::as_str)
    }

    /// After how many days the data is destroyed.
    pub(crate) fn days(&self) -> Result<i64> {
        let days = self.words.get("--days").map_or(Ok(DEFAULT_WAIT_DAYS), |text| text.parse());
        let days = days.ok().filter(|days| (0..=60).contains(days));
        days.ok_or_else(|| "--days is a whole number from 0 to 60".into())
    }
}

/// Reads a command line without the program's name.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Options> {
    let mut parser = Parser::from_args(words);
    let command = match parser.next()? {
        Some(Arg::Value(command)) => command.string()?,
        _ => return Err(format!("which command?\n{USAGE}").into()),
    };
    let mut lines = USAGE.lines().skip(1).map(str::split_whitespace);
    let line = lines.find(|line| line.clone().next() == Some(&*command));
    let line = line.ok_or_else(|| format!("no such command\n{USAGE}"))?;
    let (mut words, mut state, mut remote) = (BTreeMap::new(), None, None);
    while let Some(arg) = parser.next()? {
        let option = match arg {
            Arg::Value(about) => {
                if let Some(more) = words.insert(String::new(), about.string()?) {
                    return Err(format!("{command} takes one word, and {more} is another").into());
                }
                continue;
            }
            Arg::Long("state") => {
                state = Some(PathBuf::from(parser.value()?));
                continue;
            }
            Arg::Long("remote") => {
                remote = Some(environment(&parser.value()?.string()?)?);
                continue;
            }
            Arg::Long(name) => format!("--{name}"),
            other => return Err(other.unexpected()),
        };
        words.insert(option, parser.value()?.string()?);
    }
    check(&command, line.skip(1), &words)?;
    let place = match (state, remote) {
        (Some(_), Some(_)) => return Err("--state is here and --remote is there: choose one".into()),
        (_, Some(environment)) => Place::Remote(environment),
        (state, None) => Place::Local(state.unwrap_or_else(default_state)),
    };
    Ok(Options { command, words, place })
}

/// Compares words with those that a line of the usage takes. A word that the command does not use is a mistake.
fn check<'l>(command: &str, line: impl Iterator<Item = &'l str>, words: &BTreeMap<String, String>) -> Result<()> {
    let mut left: Vec<&str> = words.keys().map(String::as_str).collect();
    let mut line = line.peekable();
    while let Some(word) = line.next() {
        let is_optional = word.starts_with('[');
        let (option, what) = match word.trim_start_matches('[') {
            option if option.starts_with("--") => {
                // The name of its value.
                line.next();
                (option, option)
            }
            about => ("", about),
        };
        let given = left.len();
        left.retain(|word| *word != option);
        if left.len() == given && !is_optional {
            return Err(format!("{what} is missing").into());
        }
    }
    match left.first() {
        Some(word) => Err(format!("{command} takes no {}", if word.is_empty() { "value" } else { word }).into()),
        None => Ok(()),
    }
}

fn environment(name: &str) -> Result<&'static str> {
    let known = ["staging", "production"].into_iter().find(|known| *known == name);
    known.ok_or_else(|| "--remote is staging or production".into())
}

/// Where `cargo xtask dev` keeps its state.
fn default_state() -> PathBuf {
    database::root().join(".wrangler/state")
}

#[cfg(test)]
mod tests {
    use super::{Place, parse};

    fn read(line: &str) -> Result<super::Options, String> {
        let words = line.split(' ').filter(|word| !word.is_empty());
        parse(words.map(Into::into)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_order_is_read_with_what_it_is_about_and_where() {
        let options = read("create-practice --remote staging --name Cedar --owner d@c.example").unwrap();
        assert_eq!((options.word("--name"), options.word("--owner")), ("Cedar", "d@c.example"));
        assert_eq!((&*options.command, &options.place), ("create-practice", &Place::Remote("staging")));
        let options = read("invite-owner ID --email d@c.example --state s --url https://o.example").unwrap();
        assert_eq!((options.word(""), options.word("--url")), ("ID", "https://o.example"));
        assert_eq!(options.place, Place::Local("s".into()));
        let Place::Local(state) = read("list-practices").unwrap().place else { panic!("nothing remote was named") };
        assert!(state.ends_with(".wrangler/state"));
    }

    #[test]
    fn a_destruction_waits_for_seven_days_by_default() {
        for (days, expected) in
            [("", Some(7)), ("0", Some(0)), ("60", Some(60)), ("61", None), ("-1", None), ("x", None)]
        {
            let option = if days.is_empty() { String::new() } else { format!("--days={days}") };
            let options = read(&format!("destroy-data ID --name Cedar {option}")).unwrap();
            assert_eq!(options.days().ok(), expected, "{days}");
        }
    }

    #[test]
    fn an_order_with_too_little_or_too_much_is_not_carried_out() {
        for (line, problem) in [
            ("", "which command?"),
            ("--remote staging", "which command?"),
            ("destroy", "no such command"),
            ("create-practice --name Cedar", "--owner is missing"),
            ("create-staff", "--email is missing"),
            ("destroy-data ID", "--name is missing"),
            ("disable-practice", "PRACTICE-ID is missing"),
            ("disable-practice a b", "takes one word"),
            ("remove-user a --email b", "remove-user takes no --email"),
            ("list-practices all", "list-practices takes no value"),
            ("list-practices --remote dev", "--remote is staging or production"),
            ("list-practices --remote staging --state s", "choose one"),
        ] {
            let said = read(line).unwrap_err();
            assert!(said.contains(problem), "{line}: {said}");
        }
    }
}
