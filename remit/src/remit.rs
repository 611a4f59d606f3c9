//! The entry point: files in, claims out.

use crate::error::FileError;
use crate::finish;
use crate::options::Options;
use crate::outcome::{Outcome, WrittenClaim};
use crate::read::{OpenFile, Store};
use alloc::vec::Vec;
use core::fmt;

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
