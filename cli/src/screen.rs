//! What is printed: results on standard output, notes and progress on standard error.
//!
//! A closed pipe ends no command: a send goes on, whoever stopped reading its report.

use crate::failure::Failure;
use crate::progress::Progress;
use serde_json::Value;
use std::io::{self, ErrorKind, Write};

/// Standard output and error, with the progress bar between them.
#[derive(Debug)]
pub(crate) struct Screen {
    json: bool,
    progress: Option<Progress>,
    broken: Option<io::Error>,
}

impl Screen {
    /// One that prints JSON or text.
    pub(crate) fn new(json: bool) -> Self {
        Self {
            json,
            progress: None,
            broken: None,
        }
    }

    /// Shows progress from here on.
    pub(crate) fn show(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Moves the progress bar.
    pub(crate) fn tick(&mut self, claims: u64) {
        if let Some(progress) = &mut self.progress {
            progress.tick(claims);
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
        let Some(line) = line else { return };
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
