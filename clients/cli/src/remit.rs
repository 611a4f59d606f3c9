//! `overturn remit`: makes claims from remittances and claim files, without calling the service.

mod births;
mod files;
mod report;

use crate::args;
use crate::error::{CommandError, End};
use crate::frame::Frame;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::screen::Screen;
use crate::small;
use crate::system;
use crate::text::shown;
use files::{Files, Source};
use overturn_remit::{CarcClasses, FileState, Options, Outcome, PayerPlans, Remit};
use std::io::{self, BufRead, BufWriter, ErrorKind, Write};
use std::sync::atomic::Ordering;

/// Runs the command.
///
/// # Errors
///
/// [`CommandError::Usage`] when a file cannot be read or none has a transaction, and [`CommandError::Interrupted`].
pub(crate) fn command(args: &args::Remit, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    let files = Files::find(&args.files, &args.claims)?;
    let mut remit = Remit::new(options(args, screen)?);
    screen.show(Progress::new(files.length, files.read.clone()));
    for source in &files.sources {
        read(source, &files, &mut remit, interrupt, screen)?;
    }
    screen.hide();
    let mut out = Out::new();
    let outcome = if args.explain.is_some() {
        let outcome = remit.finish_into(drop);
        outcome.explanation.iter().for_each(|step| out.line(step));
        outcome
    } else {
        let mut written = 0_u64;
        out.line(&Frame::Begin {}.line());
        let outcome = remit.finish_into(|claim| {
            written = written.saturating_add(1);
            out.line(&claim.json);
        });
        let complete = has_remittance(&outcome) && unread(&files, &outcome) == 0;
        out.line(&Frame::End { written, complete }.line());
        outcome
    };
    out.finish()?;
    let end = finish(args, &files, &outcome, screen)?;
    births::write(args.births.as_deref(), &outcome, screen)?;
    Ok(end)
}

/// The options of a run, from the files that the arguments name.
fn options(args: &args::Remit, screen: &Screen) -> Result<Options, CommandError> {
    let mut options = Options::new(system::ctx().now);
    options.append_day = args.append_day;
    options.explain.clone_from(&args.explain);
    if let Some(name) = &args.payers {
        let text = small::text(name)?;
        options.plans = PayerPlans::read(&text).map_err(|error| small::wrong(name, &error))?;
    }
    if let Some(name) = &args.carcs {
        let text = small::text(name)?;
        let mut classes = CarcClasses::default();
        classes.override_from(&text).map_err(|error| small::wrong(name, &error))?;
        options.classes = classes;
    }
    if let Some(name) = &args.births {
        options.births = births::read(name, screen)?;
    }
    Ok(options)
}

/// Reads one file to its end, or to where it cannot be read any further.
fn read(
    source: &Source,
    files: &Files,
    remit: &mut Remit,
    interrupt: &Interrupt,
    screen: &mut Screen,
) -> Result<(), CommandError> {
    let mut input = crate::feed::open(&source.name, interrupt)?.bytes;
    remit.open(&shown(&source.name));
    loop {
        interrupt.check()?;
        let chunk = input.fill_buf();
        interrupt.check()?;
        let chunk =
            chunk.map_err(|error| CommandError::Usage(format!("cannot read {}: {error}", shown(&source.name))))?;
        let length = chunk.len();
        if length == 0 {
            break;
        }
        // The report has the error. The rest of the file cannot be read.
        let result = remit.push(chunk);
        input.consume(length);
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        files.read.fetch_add(length, Ordering::Relaxed);
        let payments = remit.claim_payments();
        screen.tick(payments, payments);
        if result.is_err() {
            break;
        }
    }
    remit.close();
    Ok(())
}

/// Prints the report, and decides on the exit status.
fn finish(args: &args::Remit, files: &Files, outcome: &Outcome, screen: &mut Screen) -> Result<End, CommandError> {
    report::print(outcome, files, screen);
    if args.explain.is_some() {
        let is_unknown = outcome.explanation.is_empty();
        if is_unknown {
            screen.note("no remittance has this claim");
        }
        return Ok(End::of(u64::from(is_unknown)));
    }
    let mut pairs = files.sources.iter().zip(&outcome.files);
    let named = pairs.find_map(|(source, file)| {
        let is_unread = matches!(file.state(), FileState::Unreadable | FileState::Other);
        file.error.filter(|_| source.named && is_unread).zip(Some(source))
    });
    if let Some((error, source)) = named {
        return Err(CommandError::Usage(format!(
            "{}: {error}. Name remittances (835) and claim files (837)",
            shown(&source.name)
        )));
    }
    if !has_remittance(outcome) {
        return Err(CommandError::Usage("there is no remittance (835) in it".into()));
    }
    let problems = outcome.held.len().saturating_add(unread(files, outcome));
    Ok(End::of(u64::try_from(problems).unwrap_or(u64::MAX)))
}

fn has_remittance(outcome: &Outcome) -> bool {
    outcome.files.iter().any(|file| file.remittances > 0)
}

/// How many files were not read to their ends. Other files in a folder do not count.
fn unread(files: &Files, outcome: &Outcome) -> usize {
    let pairs = files.sources.iter().zip(&outcome.files);
    let unread = pairs.filter(|(source, file)| match file.state() {
        FileState::Partial | FileState::Unreadable => true,
        FileState::Other => source.named && file.error.is_some(),
        FileState::Whole => false,
    });
    unread.count()
}

/// Standard output, with the first error. Claims are printed as they are made.
pub(crate) struct Out {
    lines: BufWriter<io::StdoutLock<'static>>,
    failed: Option<io::Error>,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self { lines: BufWriter::new(io::stdout().lock()), failed: None }
    }

    pub(crate) fn line(&mut self, line: &str) {
        if self.failed.is_none() {
            self.failed = writeln!(self.lines, "{line}").err();
        }
    }

    /// A closed pipe is not an error.
    pub(crate) fn finish(mut self) -> Result<(), CommandError> {
        match self.failed.or(self.lines.flush().err()) {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(CommandError::Usage(format!("cannot print: {error}")))
            }
            _ => Ok(()),
        }
    }
}
