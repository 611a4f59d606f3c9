//! Parses the operator's command line.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt};
use overturn_service::config::DEFAULT_WAIT_DAYS;

use crate::database;

type Result<T> = std::result::Result<T, lexopt::Error>;

/// The list of commands, printed when none is given.
pub(crate) const USAGE: &str = "\
cargo xtask operator COMMAND [--state DIR | --remote staging|production]
  list-practices
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
  verify-trail PRACTICE-ID|staff
  export FOLDER
  import FOLDER";

/// A command, with its arguments as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    ListPractices,
    CreatePractice { name: String, owner: String },
    InviteOwner { practice: String, email: String },
    CreateStaff { email: String },
    CreateAuditor { email: String },
    DisablePractice(String),
    EnablePractice(String),
    RevokeKey(String),
    RemoveUser(String),
    ResetFactor(String),
    EndAgreement(String),
    DataJobs(String),
    DestroyData { practice: String, name: String, days: i64 },
    CancelDestruction(String),
    VerifyTrail(String),
}

/// Where the database is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// On this machine, in a state folder of `cargo xtask dev` or a data folder of the native program.
    Local(PathBuf),
    /// At Cloudflare, in this environment of wrangler.toml.
    Remote(&'static str),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    pub(crate) action: Action,
    pub(crate) place: Place,
    /// The start of links, if it is not the environment's `PUBLIC_URL`.
    pub(crate) url: Option<String>,
}

/// The words of the command line, sorted by kind.
#[derive(Default)]
struct Words {
    about: Option<String>,
    name: Option<String>,
    owner: Option<String>,
    email: Option<String>,
    days: Option<String>,
    url: Option<String>,
    state: Option<PathBuf>,
    remote: Option<&'static str>,
}

/// Reads a command line without the program's name.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Options> {
    let mut parser = Parser::from_args(words);
    let command = match parser.next()? {
        Some(Arg::Value(command)) => command.string()?,
        _ => return Err(format!("which command?\n{USAGE}").into()),
    };
    let mut words = words_of(parser)?;
    let action = action(&command, &mut words)?;
    // A word that the command does not use is a mistake.
    for (word, left) in [
        ("a value", words.about),
        ("--name", words.name),
        ("--owner", words.owner),
        ("--email", words.email),
        ("--days", words.days),
    ] {
        if left.is_some() {
            return Err(format!("{command} takes no {word}").into());
        }
    }
    let place = match (words.state, words.remote) {
        (Some(_), Some(_)) => {
            return Err("--state is here and --remote is there: choose one".into());
        }
        (_, Some(environment)) => Place::Remote(environment),
        (state, None) => Place::Local(state.unwrap_or_else(default_state)),
    };
    Ok(Options { action, place, url: words.url })
}

fn words_of(mut parser: Parser) -> Result<Words> {
    let mut words = Words::default();
    while let Some(arg) = parser.next()? {
        let place = match arg {
            Arg::Value(about) if words.about.is_none() => {
                words.about = Some(about.string()?);
                continue;
            }
            Arg::Long("state") => {
                words.state = Some(parser.value()?.into());
                continue;
            }
            Arg::Long("remote") => {
                words.remote = Some(environment(&parser.value()?.string()?)?);
                continue;
            }
            Arg::Long("name") => &mut words.name,
            Arg::Long("owner") => &mut words.owner,
            Arg::Long("email") => &mut words.email,
            Arg::Long("days") => &mut words.days,
            Arg::Long("url") => &mut words.url,
            other => return Err(other.unexpected()),
        };
        *place = Some(parser.value()?.string()?);
    }
    Ok(words)
}

fn action(command: &str, words: &mut Words) -> Result<Action> {
    let about = &mut words.about;
    Ok(match command {
        "list-practices" => Action::ListPractices,
        "create-practice" => Action::CreatePractice {
            name: needed(&mut words.name, "--name")?,
            owner: needed(&mut words.owner, "--owner")?,
        },
        "invite-owner" => Action::InviteOwner {
            practice: needed(about, "the practice's id")?,
            email: needed(&mut words.email, "--email")?,
        },
        "create-staff" => Action::CreateStaff { email: needed(&mut words.email, "--email")? },
        "create-auditor" => Action::CreateAuditor { email: needed(&mut words.email, "--email")? },
        "disable-practice" => Action::DisablePractice(needed(about, "the practice's id")?),
        "enable-practice" => Action::EnablePractice(needed(about, "the practice's id")?),
        "revoke-key" => Action::RevokeKey(needed(about, "the key's id or first 13 characters")?),
        "remove-user" => Action::RemoveUser(needed(about, "an address or the account's id")?),
        "reset-factor" => Action::ResetFactor(needed(about, "an address or the account's id")?),
        "end-agreement" => Action::EndAgreement(needed(about, "the practice's id")?),
        "data-jobs" => Action::DataJobs(needed(about, "the practice's id")?),
        "destroy-data" => Action::DestroyData {
            practice: needed(about, "the practice's id")?,
            name: needed(&mut words.name, "--name")?,
            days: days(words.days.take())?,
        },
        "cancel-destruction" => Action::CancelDestruction(needed(about, "the practice's id")?),
        "verify-trail" => Action::VerifyTrail(needed(about, "the practice's id, or staff")?),
        _ => return Err(format!("no such command\n{USAGE}").into()),
    })
}

/// After how many days the data is destroyed.
fn days(word: Option<String>) -> Result<i64> {
    let days = word.map_or(Ok(DEFAULT_WAIT_DAYS), |text| text.parse());
    let days = days.ok().filter(|days| (0..=60).contains(days));
    days.ok_or_else(|| "--days is a whole number from 0 to 60".into())
}

fn needed(word: &mut Option<String>, what: &str) -> Result<String> {
    word.take().ok_or_else(|| format!("{what} is missing").into())
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
    use super::{Action, Place, parse};

    fn read(line: &str) -> Result<super::Options, String> {
        let words = line.split(' ').filter(|word| !word.is_empty());
        parse(words.map(Into::into)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_order_is_read_with_what_it_is_about_and_where() {
        let options = read("create-practice --remote staging --name Cedar --owner d@c.example").unwrap();
        let action = Action::CreatePractice { name: "Cedar".to_owned(), owner: "d@c.example".to_owned() };
        assert_eq!((options.action, options.place), (action, Place::Remote("staging")));
        let options = read("remove-user d@c.example --state s --url https://o.example").unwrap();
        assert_eq!(options.action, Action::RemoveUser("d@c.example".to_owned()));
        assert_eq!(options.place, Place::Local("s".into()));
        assert_eq!(options.url.as_deref(), Some("https://o.example"));
        let Place::Local(state) = read("list-practices").unwrap().place else { panic!("nothing remote was named") };
        assert!(state.ends_with(".wrangler/state"));
    }

    #[test]
    fn a_destruction_waits_for_seven_days_by_default() {
        for (days, expected) in [("", 7), ("--days 0", 0), ("--days 60", 60)] {
            let options = read(&format!("destroy-data ID --name Cedar {days}")).unwrap();
            let action = Action::DestroyData { practice: "ID".to_owned(), name: "Cedar".to_owned(), days: expected };
            assert_eq!(options.action, action);
        }
        for days in ["61", "-1", "x"] {
            assert!(read(&format!("destroy-data ID --name Cedar --days={days}")).is_err());
        }
        assert!(read("destroy-data ID").is_err());
    }

    #[test]
    fn an_order_with_too_little_or_too_much_is_not_carried_out() {
        for (line, problem) in [
            ("", "which command?"),
            ("--remote staging", "which command?"),
            ("destroy", "no such command"),
            ("create-practice --name Cedar", "--owner is missing"),
            ("create-staff", "--email is missing"),
            ("disable-practice", "the practice's id is missing"),
            ("disable-practice a b", "unexpected argument \"b\""),
            ("remove-user a --email b", "remove-user takes no --email"),
            ("list-practices all", "list-practices takes no a value"),
            ("list-practices --remote dev", "--remote is staging or production"),
            ("list-practices --remote staging --state s", "choose one"),
        ] {
            let said = read(line).unwrap_err();
            assert!(said.contains(problem), "{line}: {said}");
        }
    }
}
