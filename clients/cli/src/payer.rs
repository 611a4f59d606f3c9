//! `overturn payer`: plays a payer, without calling the service.

use crate::args;
use crate::error::{CommandError, End};
use crate::feed;
use crate::interrupt::Interrupt;
use crate::remit::Out;
use crate::screen::Screen;
use crate::text::{counted, shown};
use overturn_payer::{Claim, Codes, Outcome, Reply, Script, Trial, case};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};

/// The largest file of claims.
const FILE_MAX: u64 = 256 * 1024 * 1024;

/// Runs the command.
///
/// # Errors
///
/// [`CommandError::Usage`] when a file cannot be read or written, and [`CommandError::Interrupted`].
pub(crate) fn command(args: &args::Payer, interrupt: &Interrupt, screen: &Screen) -> Result<End, CommandError> {
    if let Some(count) = args.cases {
        return cases(args.seed, count, interrupt);
    }
    let read = args.file.as_deref().map(|name| read(name, interrupt)).transpose()?;
    let trial = Trial::new(args.seed, read, args.claims, script(args)?.as_ref());
    let played = trial.play();
    interrupt.check()?;
    if let Some(name) = &args.expected {
        let json =
            serde_json::to_vec_pretty(&played.expected).map_err(|error| CommandError::Usage(error.to_string()))?;
        write(name, &json)?;
    }
    if let Some(name) = &args.submitted {
        write(name, &trial.submission())?;
    }
    let file = played.era();
    match &args.out {
        Some(name) => write(name, &file)?,
        None => print(&file)?,
    }
    let [claims, days, denials] =
        [(trial.claims.len(), "claim"), (played.remittances.len(), "remittance"), (played.expected.len(), "denial")]
            .map(|(count, what)| counted(count, what));
    screen.note(&format!("{claims}, {days}, {denials} in the end"));
    Ok(End::Fine)
}

/// The script that the options say; none if it is left to chance.
fn script(args: &args::Payer) -> Result<Option<Script>, CommandError> {
    let Some(act) = args.act else {
        return Ok(None);
    };
    let codes = Codes::parse(&args.code, args.remark.as_deref()).ok_or_else(|| {
        CommandError::Usage(
            "--code must be a group and a reason, such as CO-50, and --remark a code, such as N130".into(),
        )
    })?;
    Ok(Some(Script { act, codes, after: args.after, later: args.later, replies: args.reply.clone() }))
}

/// A value by its name in a script.
pub(crate) fn named<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    serde_json::from_value(Value::from(name)).map_err(|error| error.to_string())
}

/// An answer to an appeal, such as `upheld:45`.
pub(crate) fn reply(text: &str) -> Result<Reply, String> {
    let (name, days) = text.split_once(':').unwrap_or((text, "30"));
    let after = days.parse().map_err(|_| "the days must be a number from 0 to 65535".to_owned())?;
    Ok(Reply { outcome: named::<Outcome>(name)?, after })
}

fn read(name: &str, interrupt: &Interrupt) -> Result<Vec<Claim>, CommandError> {
    let wrong = |why: &dyn std::fmt::Display| CommandError::Usage(format!("cannot use {}: {why}", shown(name)));
    let mut bytes = Vec::new();
    let input = feed::open(name, interrupt)?.bytes;
    let length = input.take(FILE_MAX.saturating_add(1)).read_to_end(&mut bytes);
    interrupt.check()?;
    if u64::try_from(length.map_err(|error| wrong(&error))?).is_ok_and(|length| length > FILE_MAX) {
        return Err(wrong(&"it is larger than 256 MiB"));
    }
    overturn_payer::read(&bytes).map_err(|error| wrong(&error))
}

fn cases(seed: u64, count: u32, interrupt: &Interrupt) -> Result<End, CommandError> {
    let mut out = Out::new();
    for at in 0..count {
        interrupt.check()?;
        let line = serde_json::to_string(&case(seed, at)).map_err(|error| CommandError::Usage(error.to_string()))?;
        out.line(&line);
    }
    out.finish()?;
    Ok(End::Fine)
}

fn write(name: &str, bytes: &[u8]) -> Result<(), CommandError> {
    let failed = |error| CommandError::Usage(format!("cannot write {}: {error}", shown(name)));
    fs::write(name, bytes).map_err(failed)
}

/// A closed pipe is not an error.
fn print(bytes: &[u8]) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CommandError::Usage(format!("cannot print: {error}")))
        }
        _ => Ok(()),
    }
}
