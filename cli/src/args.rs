//! The command line.

use crate::input::Format;
use clap::{Args as ClapArgs, Parser, Subcommand};

const EXIT_STATUS: &str = "\
Exit status:
    0  all is fine
    1  some claims are invalid, were refused or not found
    2  the command line, the environment or a file has to be set right
    3  the service could not be reached, or refused the call
  130  interrupted

Environment:
  OVERTURN_API_KEY  the practice's API key (send, status)
  OVERTURN_URL      the address of the service (send, status)";

const FILES: &str = "\
A file holds one claim {\"patient\": …, \"claim\": …}, a batch {\"claims\": […]} with any number of claims,
or one of either a line. It is read as a stream, so it may be of any length.

Without --format, a file of several lines is ndjson if its first line is a whole JSON value, or none at all.

With --json every line is one JSON object with an \"event\"; the last is the \"summary\".";

/// Validates denied claims, sends them and reads their status.
#[derive(Debug, Parser)]
#[command(name = "overturn", version, after_help = EXIT_STATUS)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print JSON, one object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a file by the rules of the service, without sending anything
    #[command(after_help = FILES)]
    Validate(Validate),
    /// Send the claims of a file, in batches of 100; it is safe to run it again
    #[command(after_help = FILES)]
    Send(Send),
    /// Read the status of claims
    Status(Status),
}

/// `overturn validate`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Validate {
    #[command(flatten)]
    pub(crate) source: Source,
}

/// A file of claims.
#[derive(Debug, ClapArgs)]
pub(crate) struct Source {
    /// The file, or - for standard input
    pub(crate) file: String,
    /// The format of the file [default: ndjson for a name in .ndjson or .jsonl, else by the first line]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl Source {
    /// The format that the option names, and the format that the name of the file suggests.
    pub(crate) fn formats(&self) -> (Option<Format>, Option<Format>) {
        (self.format, Format::of_name(&self.file))
    }
}

/// `overturn send`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Send {
    #[command(flatten)]
    pub(crate) source: Source,
    #[command(flatten)]
    pub(crate) service: Service,
}

/// `overturn status`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Status {
    /// Claim numbers, or - for standard input with one a line
    #[arg(required = true, value_name = "NUMBER")]
    pub(crate) numbers: Vec<String>,
    #[command(flatten)]
    pub(crate) service: Service,
}

/// The options for reaching the service.
#[derive(Debug, ClapArgs)]
pub(crate) struct Service {
    /// The address of the service, instead of OVERTURN_URL
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// How many seconds one call may take before it is tried again
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub(crate) timeout: u64,
}
