//! The entry point: files in, claims out.

use crate::amount::Amount;
use crate::births::{Births, MissingBirth};
use crate::carc::CarcClasses;
use crate::finish;
use crate::plan::{MissingPlans, PayerPlans};
use crate::read::{OpenFile, Store};
use crate::report::{FileReport, Hold};
use crate::tokenizer::FileError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use overturn_core::base::instant::Instant;

/// What a run depends on beside the files.
#[derive(Clone, Debug)]
pub struct Options {
    /// The instant of the run. Dates after its UTC day are in the future.
    pub now: Instant,
    /// The classes of adjustment reason codes.
    pub classes: CarcClasses,
    pub plans: PayerPlans,
    /// Dates of birth that people filled in.
    pub births: Births,
    /// Appends the day of service to every claim number, for practices that use a patient's number for all visits.
    pub append_day: bool,
    /// The claim number to explain.
    pub explain: Option<String>,
}

impl Options {
    /// The defaults at an instant.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            now,
            classes: CarcClasses::default(),
            plans: PayerPlans::default(),
            births: Births::default(),
            append_day: false,
            explain: None,
        }
    }
}

/// A claim that can be sent. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct WrittenClaim {
    pub claim_number: String,
    /// What was denied.
    pub denied: Amount,
    /// The claim as one line of JSON: `{"patient": …, "claim": …}`.
    pub json: String,
}

impl fmt::Debug for WrittenClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WrittenClaim(…)")
    }
}

/// A denial that cannot be sent as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldClaim {
    /// The claim number, as far as it is known.
    pub claim_number: String,
    /// What was denied.
    pub denied: Amount,
    /// Why it is held.
    pub hold: Hold,
}

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    /// The claims to send, by claim number. Empty after [`Remit::finish_into`].
    pub claims: Vec<WrittenClaim>,
    /// The denials that are held, by claim number.
    pub held: Vec<HeldClaim>,
    /// The patients of held denials that lack a date of birth.
    pub missing_births: Vec<MissingBirth>,
    /// The payers of the written claims that have no plan type.
    pub missing_plans: MissingPlans,
    /// A report on each file, in the order in which they were read.
    pub files: Vec<FileReport>,
    /// The steps of the claim to explain.
    pub explanation: Vec<String>,
}

/// A run over remittances and claim files, in any order.
///
/// ```
/// use overturn_core::base::instant::Instant;
/// use overturn_remit::{Options, Remit};
///
/// let mut remit = Remit::new(Options::new(Instant(0)));
/// remit.open("empty.835");
/// remit.push(b"not X12")?;
/// let outcome = remit.finish();
/// assert!(outcome.files[0].error.is_some());
/// # Ok::<(), overturn_remit::FileError>(())
/// ```
pub struct Remit {
    options: Options,
    store: Store,
    open: Option<OpenFile>,
}

impl fmt::Debug for Remit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remit(…)")
    }
}

impl Remit {
    /// Begins a run.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let store = Store::new(options.classes.clone(), options.explain.clone());
        Self { options, store, open: None }
    }

    /// Begins a file, and ends the one before it. The name is only for the report.
    pub fn open(&mut self, name: &str) {
        self.close();
        self.open = Some(OpenFile::new(name));
    }

    /// Reads the next bytes of the file. Chunks may have any size.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the rest of the file cannot be read. What came before it counts.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        match &mut self.open {
            Some(file) => file.push(bytes, &mut self.store),
            None => Ok(()),
        }
    }

    /// The claim payments that were read, without repeated ones.
    #[must_use]
    pub fn claim_payments(&self) -> u64 {
        u64::try_from(self.store.records.len()).unwrap_or(u64::MAX)
    }

    /// Ends the file.
    pub fn close(&mut self) {
        if let Some(file) = self.open.take() {
            file.finish(&mut self.store);
        }
    }

    /// Decides on all claims.
    #[must_use]
    pub fn finish(self) -> Outcome {
        let mut claims = Vec::new();
        let outcome = self.finish_into(|claim| claims.push(claim));
        Outcome { claims, ..outcome }
    }

    /// Decides on all claims, and passes on each one as soon as it is made, by claim number. The outcome has none of them.
    #[must_use]
    pub fn finish_into(mut self, mut sink: impl FnMut(WrittenClaim)) -> Outcome {
        self.close();
        finish::finish(self.store, &self.options, &mut sink)
    }
}
