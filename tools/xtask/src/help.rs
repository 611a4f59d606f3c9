//! The help texts of `cargo xtask`: the overview, and the page that `--help` prints for each subcommand.

use std::ffi::OsString;

/// The help of one subcommand. `main.rs` finds its code by name.
pub(crate) struct Subcommand {
    /// The first word after `cargo xtask`.
    pub(crate) name: &'static str,
    /// The words after the name.
    arguments: &'static str,
    /// What it does, in one sentence.
    about: &'static str,
    /// Its arguments, one on each line.
    details: &'static str,
}

/// Every subcommand, in the order of the overview.
pub(crate) const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand {
        name: "dev",
        arguments: "[--port N] [--state DIR] [--fresh] [--limits unlimited] [--scanner none] [--sso] [--release] [--native]",
        about: "build the Worker, serve it with demo data on 127.0.0.1 until Ctrl-C, and rebuild it after each edit",
        details: "\
--port N            listen on this port (8787); 0 takes a free one
--state DIR         keep the database, demo.json and mail in this folder (.wrangler/state)
--fresh             empty that folder first
--limits unlimited  switch the rate limits off. The X-RateLimit headers stay: each answer shows the limit as on
                    the first call of a window
--scanner none      make documents available without a virus scan. Without this option, the clamd of this machine
                    scans them; if there is none, they stay in quarantine until there is one
--sso               also start an OpenID provider and a SAML provider, and print where to sign in by them. The people of
                    demo.json and one without an account can sign in
--release           build the Worker as it is deployed; without it the build is quick and not optimized
--native            serve the native program in place of the Worker, with its state in .wrangler/native. It needs no Node
                    and no toolchain for wasm; without Node there is no console",
    },
    Subcommand {
        name: "code",
        arguments: "USER [--state DIR]",
        about: "print the code that the authenticator app of a demo user shows now",
        details: "\
USER         a user in demo.json, such as owner or staff
--state DIR  the folder of that demo.json (.wrangler/state)",
    },
    Subcommand {
        name: "test",
        arguments: "[NAME…] [--list] [--keep-going] [--release] [--host workerd]",
        about: "run every check, or the named ones; CI runs exactly this",
        details: "\
NAME…         run these steps only
--list        show the steps and run none
--keep-going  run the other steps after one has failed; the exit status is still 1
--release     build the Workers as they are deployed, and check their sizes
--host workerd
              run every test over HTTP in workerd, not only those that differ there",
    },
    Subcommand {
        name: "build",
        arguments: "[--dev]",
        about: "build the Workers into build/, where wrangler.toml and identity/wrangler.toml look for them",
        details: "--dev  quickly and not optimized: not to be deployed",
    },
    Subcommand {
        name: "console",
        arguments: "generate | build | picture",
        about: "write the console's types of the API and rules of core, bundle the console alone, or take its picture",
        details: "\
generate  write console/src/generated; needed after an edit of a type of the API or of a rule that the console shows
build     bundle the console into build/assets; `build` and `dev` do so as well
picture   write docs/console.png from the demo claims, in a browser",
    },
    Subcommand {
        name: "deploy",
        arguments: "--check ENV [--config FILE]",
        about: "find missing settings, placeholders and names shared by environments in wrangler.toml; deploys nothing",
        details: "\
--check ENV    staging or production
--config FILE  read this file instead of wrangler.toml",
    },
    Subcommand {
        name: "package",
        arguments: "",
        about: "build the npm package of the core into build/package, ready for `npm pack`",
        details: "",
    },
    Subcommand {
        name: "advisories",
        arguments: "",
        about: "look for known vulnerabilities of the dependencies; asks github.com and npm's registry",
        details: "",
    },
    Subcommand {
        name: "bench",
        arguments: "[PART…] [--rounds N] [--turn-ms N] [--connections N…] [--load NAME…] | console [--rounds N] [--dev] | remit",
        about: "measure side by side and print tables",
        details: "\
PART…             core, checks, start, workers, hosts, growth, memory, flood or documents; the default is the first four
--rounds N        how many turns each contender has
--turn-ms N       how long a turn is, in milliseconds
--connections N…  the numbers of connections to the Workers
--load NAME…      the loads to measure
console           the console alone, in a browser on a slow processor and network
remit             remittances alone, beside parsers in Rust, JavaScript and Python
--dev             build the Worker quickly, not as it is deployed",
    },
    Subcommand {
        name: "backup",
        arguments: "FILE [--state DIR | --remote staging|production]",
        about: "write the database into an encrypted file",
        details: "\
FILE            the file to write; it must not exist
--state DIR     back up this state folder (.wrangler/state)
--remote NAME   back up the database of this environment
BACKUP_RECIPIENTS in the environment has the age recipients (age1…) that the file is encrypted for",
    },
    Subcommand {
        name: "drill",
        arguments: "[--state DIR | --remote staging|production | --from FILE] [--claims N]",
        about: "restore a backup into a fresh state here, and check that the service works on it",
        details: "\
--state DIR     back up this state folder (.wrangler/state) and restore that
--remote NAME   back up the database of this environment and restore that
--from FILE     restore an existing backup
--claims N      read at most N claims over HTTP (10000)
SEALING_KEYS in the environment has the sealing keys from the time of the backup, BACKUP_IDENTITY the age identity
that opens it. A backup of this machine needs neither. docs/operations/restore.md says how to drill a production backup",
    },
    Subcommand {
        name: "cost",
        arguments: "[--polling]",
        about: "compute what the platform charges a month, from docs/cost.json",
        details: "--polling  if every practice reads the status of 3,000 open claims each day",
    },
    Subcommand {
        name: "migrations",
        arguments: "land",
        about: "record new migrations; after that they may not change",
        details: "land  add them to edge/migrations/LANDED",
    },
    Subcommand {
        name: "operator",
        arguments: "COMMAND …",
        about: "start practices, invite staff and help people who are locked out",
        details: "",
    },
    Subcommand {
        name: "reseal",
        arguments: "[--url URL]",
        about: "have a running service bring sealed data under the current sealing key",
        details: "\
--url URL  the origin of the service (http://127.0.0.1:8787). OPERATOR_TOKEN in the environment is its operator's
           token; on this machine it is read from .dev.vars",
    },
];

/// The overview of all subcommands.
pub(crate) fn overview() -> String {
    let lines = SUBCOMMANDS.iter().map(|command| format!("{}\n    {}\n", command.usage(), command.about));
    lines.collect::<String>() + "cargo xtask COMMAND --help describes the arguments of a command"
}

/// The page of a subcommand.
pub(crate) fn page(name: &str) -> Option<String> {
    let command = SUBCOMMANDS.iter().find(|command| command.name == name)?;
    let details = command.details.lines().map(|line| format!("\n  {line}"));
    let details: String = details.collect();
    let text = format!("{}\n    {}\n{details}", command.usage(), command.about);
    Some(text.trim_end().to_owned())
}

/// True if the words after a subcommand ask for help.
pub(crate) fn is_asked(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--help" || word == "-h")
}

impl Subcommand {
    fn usage(&self) -> String {
        format!("cargo xtask {} {}", self.name, self.arguments).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{SUBCOMMANDS, is_asked, overview, page};

    #[test]
    fn every_subcommand_has_a_page_that_describes_each_option_of_its_usage() {
        for command in SUBCOMMANDS {
            let page = page(command.name).unwrap();
            assert!(page.contains(command.about) && overview().contains(command.about));
            let options = command.arguments.split(['[', ']', ' ']);
            for option in options.filter(|word| word.starts_with("--")) {
                let described = command.details.lines().any(|line| line.trim().starts_with(option));
                assert!(described, "{} {option}", command.name);
            }
        }
        assert_eq!(page("frobnicate"), None);
    }

    #[test]
    fn help_is_asked_for_anywhere_after_the_name() {
        let words = |text: &str| text.split(' ').map(Into::into).collect::<Vec<_>>();
        assert!(is_asked(&words("--fresh --help")) && is_asked(&words("-h")));
        assert!(!is_asked(&words("--port 1 help")));
    }
}
