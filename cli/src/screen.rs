//! What is printed: results on standard output, notes and progress on standard error.
//!
//! A closed pipe ends no command: a send goes on, whoever stopped reading its report.

use crate::capped::Capped;
use crate::courier::Wait;
use crate::failure::Failure;
use crate::input::Place;
use crate::progress::Progress;
use serde_json::Value;
use std::io::{self, ErrorKind, Write};

/// Standard output and error, with the progress bar between them.
#[derive(Debug)]
pub(crate) struct Screen {
    json: bool,
    progress: Option<Progress>,
    broken: Option<io::Error>,
    capped: Capped,
    /// Lines of results that wait.
    held: Option<Vec<String>>,
    /// Whether it was said why the command ended early.
    failed: bool,
}

/// Most lines that wait.
const HELD_MAX: usize = 1_000;

impl Screen {
    /// One that prints JSON or text.
    pub(crate) fn new(json: bool) -> Self {
        Self {
            json,
            progress: None,
            broken: None,
            capped: Capped::default(),
            held: None,
            failed: false,
        }
    }

    /// Shows progress from here on.
    pub(crate) fn show(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Moves the progress bar: so many claims are done with, of those that were read so far.
    pub(crate) fn tick(&mut self, done: u64, read: u64) {
        if let Some(progress) = &mut self.progress {
            progress.tick(done, read);
        }
    }

    /// A line about a wait, which the progress bar takes into account.
    pub(crate) fn note_wait(&self, line: &str, wait: Wait) {
        self.note(line);
        if let Some(progress) = &self.progress {
            progress.wait(wait);
        }
    }

    /// From here on results wait for [`Self::release`], so that a failure can be said before them. Not without end: they go
    /// out when there are too many.
    pub(crate) fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Prints what was held.
    pub(crate) fn release(&mut self) {
        for line in self.held.take().unwrap_or_default() {
            self.print(&line);
        }
    }

    /// Says before all results why the command ended early. An interruption is no news to the one who made it.
    pub(crate) fn fail_first(&mut self, result: &Result<(), Failure>) {
        if let Err(failure @ (Failure::Usage(_) | Failure::Service(_))) = result {
            self.fail(failure);
        }
    }

    /// Says why the command ended early, once.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        if !self.failed {
            self.failed = true;
            self.hide();
            self.note(&failure.to_string());
        }
    }

    /// Prints an event of which there may be thousands that say the same: as text, only the first of a kind. `place` is
    /// where it was found; a text has two parts, of which the first makes the kind.
    pub(crate) fn repeatable(
        &mut self,
        name: &str,
        fields: Value,
        place: Place,
        texts: &[(String, String)],
    ) {
        if self.json {
            self.event(name, fields, None);
            return;
        }
        for (text, behind) in texts {
            if self.capped.admits(text) {
                self.line(format!("{place}{text}{behind}"));
            }
        }
    }

    /// Counts what was not shown for want of news.
    pub(crate) fn count_rest(&mut self) {
        let rest = self.capped.rest();
        if !rest.is_empty() {
            for line in rest {
                self.line(line);
            }
            self.note("the first of each kind are shown; --json shows all");
        }
    }

    /// Prints an event: as JSON with its name, or as text where it has one.
    pub(crate) fn event(&mut self, name: &str, fields: Value, text: Option<String>) {
        let line = if self.json {
            let mut fields = fields;
            if let Some(object) = fields.as_object_mut() {
                object.retain(|_, value| !value.is_null());
                object.insert("event".into(), name.into());
            }
            Some(fields.to_string())
        } else {
            text
        };
        if let Some(line) = line {
            self.line(line);
        }
    }

    fn line(&mut self, line: String) {
        match &mut self.held {
            Some(held) => {
                held.push(line);
                if held.len() > HELD_MAX {
                    self.release();
                }
            }
            None => self.print(&line),
        }
    }

    fn print(&mut self, line: &str) {
        let print = || writeln!(io::stdout().lock(), "{line}");
        let printed = match &self.progress {
            Some(progress) => progress.suspend(print),
            None => print(),
        };
        if let Err(error) = printed {
            self.broken.get_or_insert(error);
        }
    }

    /// A line for the person at the terminal.
    pub(crate) fn note(&self, line: &str) {
        // There is nowhere left to complain to.
        let print = || drop(writeln!(io::stderr().lock(), "{line}"));
        match &self.progress {
            Some(progress) => progress.suspend(print),
            None => print(),
        }
    }

    /// Takes the progress bar away.
    pub(crate) fn hide(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.clear();
        }
    }

    /// # Errors
    ///
    /// [`Failure::Usage`] when something could not be printed, other than for want of a reader.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.hide();
        self.release();
        if let Err(error) = io::stdout().flush() {
            self.broken.get_or_insert(error);
        }
        match self.broken.take() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::Usage(format!("cannot print: {error}")))
            }
            _ => Ok(()),
        }
    }
}
