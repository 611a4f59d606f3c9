//! Prints results to standard output, and notes and progress to standard error.
//!
//! A closed pipe does not end a command: a send continues although no one reads its report.

use crate::capped::Capped;
use crate::error::CommandError;
use crate::input::Place;
use crate::progress::Progress;
use crate::retry::Wait;
use serde_json::Value;
use std::io::{self, ErrorKind, Write};

/// Standard output and error, with the progress bar between them.
#[derive(Debug)]
pub(crate) struct Screen {
    json: bool,
    progress: Option<Progress>,
    broken: Option<io::Error>,
    capped: Capped,
    /// Results that are held back, as lines.
    held: Option<Vec<String>>,
    /// True once the reason for an early end was printed.
    failed: bool,
}

/// How many lines may be held back.
const HELD_MAX: usize = 1_000;

impl Screen {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, progress: None, broken: None, capped: Capped::default(), held: None, failed: false }
    }

    /// True if the user asked for JSON.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Shows progress from here on.
    pub(crate) fn show(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Updates the progress bar: `done` of the `read` claims are finished.
    pub(crate) fn tick(&mut self, done: u64, read: u64) {
        if let Some(progress) = &mut self.progress {
            progress.tick(done, read);
        }
    }

    /// Prints a line about a wait, and tells the progress bar.
    pub(crate) fn note_wait(&self, line: &str, wait: Wait) {
        self.note(line);
        if let Some(progress) = &self.progress {
            progress.wait(wait);
        }
    }

    /// Holds results back until [`Self::release`], so that a failure can be printed before them. When there are too
    /// many, they are printed early.
    pub(crate) fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Prints the results that were held back.
    pub(crate) fn release(&mut self) {
        for line in self.held.take().unwrap_or_default() {
            self.print(&line);
        }
    }

    /// If the command ended early, prints the reason before all results. An interruption is not printed, because the
    /// user made it.
    pub(crate) fn fail_first(&mut self, result: &Result<(), CommandError>) {
        if let Err(failure @ (CommandError::Usage(_) | CommandError::Service(_))) = result {
            self.fail(failure);
        }
    }

    /// Prints once why the command ended early.
    pub(crate) fn fail(&mut self, failure: &CommandError) {
        if !self.failed {
            self.failed = true;
            self.hide();
            match failure {
                CommandError::Interrupted => self.note(&failure.to_string()),
                CommandError::Usage(_) | CommandError::Service(_) => self.note(&format!("error: {failure}")),
            }
        }
    }

    /// Prints an event that may repeat thousands of times. As text, only the first events of a kind are printed.
    /// `place` says where it was found. The text has two parts, and the first decides the kind.
    pub(crate) fn repeatable(&mut self, name: &str, fields: Value, place: Place, texts: &[(String, String)]) {
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

    /// Prints how many events of each kind were left out.
    pub(crate) fn count_rest(&mut self) {
        let rest = self.capped.rest();
        if !rest.is_empty() {
            for line in rest {
                self.line(line);
            }
            self.note("the first of each kind are shown; --json shows all");
        }
    }

    /// Prints an event: as JSON with its name, or as text if it has one.
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

    /// Prints a line to standard error.
    pub(crate) fn note(&self, line: &str) {
        // If standard error fails, there is nowhere left to report it.
        let print = || drop(writeln!(io::stderr().lock(), "{line}"));
        match &self.progress {
            Some(progress) => progress.suspend(print),
            None => print(),
        }
    }

    /// Removes the progress bar.
    pub(crate) fn hide(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.clear();
        }
    }

    /// # Errors
    ///
    /// [`CommandError::Usage`] when something could not be printed. A closed pipe is not an error.
    pub(crate) fn finish(&mut self) -> Result<(), CommandError> {
        self.hide();
        self.release();
        if let Err(error) = io::stdout().flush() {
            self.broken.get_or_insert(error);
        }
        match self.broken.take() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(CommandError::Usage(format!("cannot print: {error}")))
            }
            _ => Ok(()),
        }
    }
}
