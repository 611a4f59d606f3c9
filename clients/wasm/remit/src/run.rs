//! One run, and the buffer in which bytes cross.

use crate::pieces::Pieces;
use overturn_core::base::instant::Instant;
use overturn_remit::{
    Births, CarcClasses, Counts, CsvError, FileReport, HeldClaim, MissingBirth, MissingPlans, Options, PayerPlans,
    Remit, WrittenClaim, template,
};
use serde::{Deserialize, Serialize};

/// What a host sets. The first three are texts of CSV files.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    births: Option<String>,
    payers: Option<String>,
    carcs: Option<String>,
    append_day: bool,
    explain: Option<String>,
}

/// What is known after all files, beside the lists.
#[derive(Serialize)]
struct Report<'a> {
    files: &'a [FileReport],
    counts: Counts,
    missing_plans: &'a MissingPlans,
    explanation: &'a [String],
    births_bad_lines: &'a [u32],
}

/// One run. Bytes cross in its buffer: the functions read the first `length` bytes of it, or all that it has. A function
/// that returns a length has put that many bytes there.
#[derive(Debug)]
pub struct Run {
    buffer: Vec<u8>,
    remit: Option<Remit>,
    births_bad_lines: Vec<u32>,
    births_template: String,
    claims: Pieces<WrittenClaim>,
    held: Pieces<HeldClaim>,
    missing_births: Pieces<MissingBirth>,
}

impl Default for Run {
    fn default() -> Self {
        Self::new()
    }
}

impl Run {
    /// A run that has not begun.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            buffer: Vec::new(),
            remit: None,
            births_bad_lines: Vec::new(),
            births_template: String::new(),
            claims: Pieces::new(),
            held: Pieces::new(),
            missing_births: Pieces::new(),
        }
    }

    /// Makes room for this many bytes, and returns the address of the buffer.
    pub fn reserve(&mut self, bytes: usize) -> *mut u8 {
        if self.buffer.len() < bytes {
            self.buffer.resize(bytes, 0);
        }
        self.buffer.as_mut_ptr()
    }

    /// The buffer. A host of WebAssembly reads it in the memory of the module.
    #[must_use]
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.buffer
    }

    /// Begins with the settings in the buffer, a JSON object. Returns 0, or the length of an error text, which names the
    /// file and the line.
    pub fn begin(&mut self, length: usize, now: Instant) -> usize {
        match options(prefix(&self.buffer, length), now) {
            Ok(options) => {
                self.births_bad_lines.clone_from(&options.births.bad_lines);
                self.remit = Some(Remit::new(options));
                0
            }
            Err(text) => self.answer(text.into_bytes()),
        }
    }

    /// Begins the file whose name is in the buffer.
    pub fn open(&mut self, length: usize) {
        let name = String::from_utf8_lossy(prefix(&self.buffer, length));
        if let Some(remit) = &mut self.remit {
            remit.open(&name);
        }
    }

    /// Reads the next bytes of the file. Returns false if the rest of it cannot be read.
    pub fn push(&mut self, length: usize) -> bool {
        let remit = self.remit.as_mut();
        remit.is_some_and(|remit| remit.push(prefix(&self.buffer, length)).is_ok())
    }

    /// Ends the file.
    pub fn close(&mut self) {
        if let Some(remit) = &mut self.remit {
            remit.close();
        }
    }

    /// The claim payments that were read.
    #[must_use]
    pub fn claim_payments(&self) -> u32 {
        let payments = self.remit.as_ref().map_or(0, Remit::claim_payments);
        u32::try_from(payments).unwrap_or(u32::MAX)
    }

    /// Decides on all claims. The answer is the report without the lists; nothing if the run has not begun.
    pub fn finish(&mut self) -> usize {
        let Some(remit) = self.remit.take() else {
            return self.answer(Vec::new());
        };
        let outcome = remit.finish();
        let mut counts = Counts::default();
        outcome.files.iter().for_each(|file| counts.add(&file.counts));
        let report = Report {
            files: &outcome.files,
            counts,
            missing_plans: &outcome.missing_plans,
            explanation: &outcome.explanation,
            births_bad_lines: &self.births_bad_lines,
        };
        // Texts and numbers always convert to JSON.
        let report = serde_json::to_vec(&report).unwrap_or_default();
        if !outcome.missing_births.is_empty() {
            self.births_template = template(&outcome.missing_births);
        }
        self.claims = Pieces::of(outcome.claims);
        self.held = Pieces::of(outcome.held);
        self.missing_births = Pieces::of(outcome.missing_births);
        self.answer(report)
    }

    /// The next claims as a JSON array. Returns 0 after the last.
    pub fn claims(&mut self) -> usize {
        self.claims.write(&mut self.buffer);
        self.buffer.len()
    }

    /// The next denials that are held, in the same way.
    pub fn held(&mut self) -> usize {
        self.held.write(&mut self.buffer);
        self.buffer.len()
    }

    /// The next patients that lack a date of birth, in the same way.
    pub fn missing_births(&mut self) -> usize {
        self.missing_births.write(&mut self.buffer);
        self.buffer.len()
    }

    /// The template for dates of birth as CSV, once. Returns 0 if none is missing.
    pub fn births_template(&mut self) -> usize {
        let template = core::mem::take(&mut self.births_template);
        self.answer(template.into_bytes())
    }

    fn answer(&mut self, bytes: Vec<u8>) -> usize {
        self.buffer = bytes;
        self.buffer.len()
    }
}

fn prefix(buffer: &[u8], length: usize) -> &[u8] {
    buffer.get(..length).unwrap_or(buffer)
}

fn options(settings: &[u8], now: Instant) -> Result<Options, String> {
    let settings: Settings = serde_json::from_slice(settings)
        .map_err(|error| format!("the options are invalid at column {}", error.column()))?;
    let mut options = Options::new(now);
    options.append_day = settings.append_day;
    options.explain = settings.explain;
    if let Some(text) = &settings.births {
        options.births = Births::read(text).map_err(wrong("births"))?;
    }
    if let Some(text) = &settings.payers {
        options.plans = PayerPlans::read(text).map_err(wrong("payers"))?;
    }
    if let Some(text) = &settings.carcs {
        let mut classes = CarcClasses::default();
        classes.override_from(text).map_err(wrong("carcs"))?;
        options.classes = classes;
    }
    Ok(options)
}

/// The error of a file that cannot be used.
fn wrong(name: &str) -> impl Fn(CsvError) -> String {
    move |error| format!("{name}: {error}")
}
