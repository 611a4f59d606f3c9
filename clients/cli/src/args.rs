//! The command line.

use crate::error::CommandError;
use crate::input::{Format, Names, Shape};
use crate::payer;
use crate::small;
use clap::{Args as ClapArgs, Parser, Subcommand};
use overturn_core::webhooks::message::MessageKind;
use overturn_payer::{Act, Reply};

const EXIT_STATUS: &str = "\
Exit status:
    0  all is fine
    1  some claims are invalid, were refused or not found
    2  the command line, the environment or a file has to be set right
    3  the service could not be reached, or refused the call
  130  interrupted

Environment:
  OVERTURN_API_KEY    the practice's API key (send, status, rotate)
  OVERTURN_API_TOKEN  an API token with denials:read (listen), or with settings:read and api_keys:rotate (rotate)
  OVERTURN_URL        the address of the service (send, status, rotate, listen)";

const FILES: &str = "\
A file holds one claim {\"patient\": …, \"claim\": …}, a batch {\"claims\": […]} with any number of claims,
or one of either a line. It is read as a stream, so it may be of any length.

CSV has one claim on each row. Its first line has the names of the fields, such as claim_number and
patient.first_name, or other names with --columns. docs/CLI.md has them all.

Without --format, a file of several lines is ndjson if its first line is a whole JSON value, or none at all.

With --json every line is one JSON object with an \"event\"; the last is the \"summary\".";

const REMITTANCES: &str = "\
The claims are printed one a line, so that this sends them:
    overturn remit remittances/ --claims claims/ | overturn send -

Files are told apart by their content. A folder stands for the files in it.
A report goes to standard error, with --json as one JSON object a line.";

const ROTATION: &str = "\
The old key works until a send with the new one was accepted, so at least one of them always works.
The FILE of --send is one for `overturn send`: a claim, a batch or one of either a line, or CSV with the names of the fields.
It is read before a key is made, and again to send it, so it cannot be standard input.
Whatever fails, the last lines say which keys work and how to go on.

Who has a token with api_keys:rotate gets keys with all permissions of the practice's keys: guard it as you guard them.";

const LISTENING: &str = "\
The messages are about changes of claims and about reports, with the bodies and signatures of the service's webhooks. Of
several changes of a deadline between two looks, only the last is posted. A post that fails is tried again after 1 to 30
seconds, until it is taken or answered with 410. Ctrl-C ends it; nothing is stored.";

const PAYER: &str = "\
The remittances balance to the cent: a payment is the sum of its claims less PLB, and a claim is its lines less their
adjustments. Each appeal is filed 30 days after the answer before it.

    overturn payer --act deny --code CO-197 --remark N130 --submitted sent.837 --out era.835
    overturn remit era.835 --claims sent.837

A claim is {\"patient\": …, \"claim\": …} with billed_amount, or with lines that have a procedure_code and a charge each.";

/// Makes claims from remittances, validates denied claims, sends them and reads their status.
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
    /// Make claims from remittances (X12 835) and claim files (837); nothing leaves this machine
    #[command(after_help = REMITTANCES)]
    Remit(Remit),
    /// Make a new API key in place of OVERTURN_API_KEY, and revoke the old one after a send with the new one
    #[command(after_help = ROTATION)]
    Rotate(Rotate),
    /// Post a practice's webhook messages to an address of yours, such as http://localhost:3000/hook
    #[command(after_help = LISTENING)]
    Listen(Listen),
    /// Post one made-up webhook message to an address of yours
    Trigger(Trigger),
    /// Play a payer: make remittances (X12 835) from claims and a script, for tests
    #[command(after_help = PAYER)]
    Payer(Payer),
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
    /// The format of the file [default: ndjson for a name in .ndjson or .jsonl, csv for .csv or .tsv, else by the first line]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// For CSV whose columns have other names than the fields: a CSV file with `column` and `field`
    #[arg(long, value_name = "FILE")]
    columns: Option<String>,
}

impl Source {
    /// A file whose format follows from its name or its first line.
    pub(crate) fn of(file: &str) -> Self {
        Self { file: file.into(), format: None, columns: None }
    }

    /// How to read the file.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] when the file with the names of the columns cannot be used.
    pub(crate) fn shape(&self) -> Result<Shape, CommandError> {
        let names = match &self.columns {
            Some(name) => Names::read(name, &small::text(name)?)?,
            None => Names::default(),
        };
        Ok(Shape {
            // A file of names is one for CSV.
            asked: self.format.or(self.columns.as_ref().map(|_| Format::Csv)),
            named: Format::of_name(&self.file),
            names,
        })
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

/// `overturn rotate`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Rotate {
    /// Send this file with the new key, and revoke the old key if every claim is accepted; claims that were sent before are fine
    #[arg(long, value_name = "FILE")]
    pub(crate) send: Option<String>,
    /// Write the new key to this file, which only you may read, instead of printing it
    #[arg(long, value_name = "FILE", conflicts_with = "end")]
    pub(crate) out: Option<String>,
    /// Finish a rotation: revoke the key of this id by the new one in OVERTURN_API_KEY
    #[arg(long, value_name = "ID")]
    pub(crate) end: Option<String>,
    /// If a new key was made whose value nobody has, revoke it and make another one
    #[arg(long, conflicts_with = "end")]
    pub(crate) lost: bool,
    #[command(flatten)]
    pub(crate) service: Service,
}

/// Where webhook messages go.
#[derive(Debug, ClapArgs)]
pub(crate) struct Forward {
    /// The address that gets the messages
    #[arg(long = "forward", value_name = "URL")]
    pub(crate) forward: String,
    /// The secret that signs them (whsec_…) [default: a new one, which is printed]
    #[arg(long, value_name = "SECRET")]
    pub(crate) secret: Option<String>,
}

/// `overturn listen`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Listen {
    #[command(flatten)]
    pub(crate) to: Forward,
    /// Only these events, with commas between [default: all]
    #[arg(long, value_delimiter = ',', value_parser = kind)]
    pub(crate) events: Vec<MessageKind>,
    /// How many seconds between two looks for changes
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=60))]
    pub(crate) every: u64,
    #[command(flatten)]
    pub(crate) service: Service,
}

/// `overturn trigger`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Trigger {
    /// The event, such as claim.status_changed
    #[arg(value_parser = kind)]
    pub(crate) event: MessageKind,
    #[command(flatten)]
    pub(crate) to: Forward,
}

fn kind(name: &str) -> Result<MessageKind, String> {
    MessageKind::parse(name).ok_or_else(MessageKind::known)
}

/// `overturn remit`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Remit {
    /// Remittances, folders of them, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Claim files (837), which have the dates of birth, or folders of them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) claims: Vec<String>,
    /// Dates of birth that no claim file has (CSV). If there is no such file, a template is written for you to fill in
    #[arg(long, value_name = "FILE")]
    pub(crate) births: Option<String>,
    /// The plan of each payer (CSV with payer_name and plan_type)
    #[arg(long, value_name = "FILE")]
    pub(crate) payers: Option<String>,
    /// What adjustment reason codes mean, where the built-in table is wrong for you (CSV with carc and class)
    #[arg(long, value_name = "FILE")]
    pub(crate) carcs: Option<String>,
    /// Append the day of service to each claim number, if one number stands for several visits
    #[arg(long)]
    pub(crate) append_day: bool,
    /// Say step by step why this claim came out as it did, instead of printing claims
    #[arg(long, value_name = "CLAIM")]
    pub(crate) explain: Option<String>,
}

/// `overturn payer`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Payer {
    /// Claims as JSON or as an 837, or - for standard input; without it, claims are made up
    pub(crate) file: Option<String>,
    /// How many claims to make up
    #[arg(long, value_name = "COUNT", default_value_t = 10, conflicts_with = "file", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) claims: u32,
    /// What is left to chance comes from this number
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// What happens to each claim: pay, deny, part, reverse or take_back [default: chosen for each claim, with its codes, days and replies]
    #[arg(long, value_parser = payer::named::<Act>)]
    pub(crate) act: Option<Act>,
    /// Why a claim is denied
    #[arg(long, value_name = "GROUP-CARC", requires = "act", default_value = "CO-50")]
    pub(crate) code: String,
    /// A remark code (RARC) that goes with it
    #[arg(long, value_name = "RARC", requires = "act")]
    pub(crate) remark: Option<String>,
    /// Days from the service to the first answer
    #[arg(long, value_name = "DAYS", requires = "act", default_value_t = 14)]
    pub(crate) after: u16,
    /// Days from there to what is reversed or taken back
    #[arg(long, value_name = "DAYS", requires = "act", default_value_t = 30)]
    pub(crate) later: u16,
    /// The answer to an appeal, 30 days after it: overturned, part, upheld, dismissed, records or silence; again for the next appeal
    #[arg(long, value_name = "OUTCOME[:DAYS]", requires = "act", value_parser = payer::reply)]
    pub(crate) reply: Vec<Reply>,
    /// Write the remittances to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,
    /// Write the denials that a reader must find in them (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) expected: Option<String>,
    /// Write the claims as an 837, which has the dates of birth
    #[arg(long, value_name = "FILE")]
    pub(crate) submitted: Option<String>,
    /// Print so many cases of the open test suite instead, one JSON object a line
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["file", "claims", "act", "out", "expected", "submitted"])]
    pub(crate) cases: Option<u32>,
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
