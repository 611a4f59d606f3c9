//! The results of a drill, with the time of each step.

use std::fmt::Display;
use std::time::Instant;

use crate::error::Result;
use crate::say;

#[derive(Debug)]
pub(crate) struct Report {
    began: Instant,
    rows: Vec<String>,
    notes: Vec<String>,
}

impl Report {
    pub(crate) fn begin() -> Self {
        Self { began: Instant::now(), rows: Vec::new(), notes: Vec::new() }
    }

    /// Runs a step and records its result and time.
    pub(crate) fn step<T: Display>(&mut self, what: &str, make: impl FnOnce() -> Result<T>) -> Result<T> {
        say::err(&format!("drill: {what}"));
        let start = Instant::now();
        let result = make();
        let seconds = start.elapsed().as_secs_f32();
        let (went, found) = match &result {
            Ok(found) => ("ok", found.to_string()),
            Err(_) => ("FAILED", String::new()),
        };
        let row = format!("{what:60} {went:7}{seconds:>7.1} s  {found}");
        self.rows.push(row.trim_end().to_owned());
        result
    }

    /// Adds a line about a count.
    pub(crate) fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    /// The report as text.
    pub(crate) fn text(&self) -> String {
        format!(
            "\n{}\n\n{}\n\n{:.1} s from the first step to the last",
            self.rows.join("\n"),
            self.notes.join("\n"),
            self.began.elapsed().as_secs_f32()
        )
    }
}
