//! DOCX, and the refusal of every other ZIP file.
//!
//! A ZIP file names its entries twice: before the data of each, and in the directory at its end. Programs believe one or
//! the other. So both must say the same, and the file must be nothing but entries, directory and end record in this
//! order: then no entry can hide. Word and the other programs that write DOCX write it so.
//!
//! Every entry is unpacked, and its size counted. Both lists must name that size: the virus scanner believes them.

mod data;
mod fields;
mod part;
mod types;
mod unpacked;

use super::ContentRefusal;
use super::budget::Budget;
use alloc::vec::Vec;
use data::Data;
use fields::{Central, Local};
use part::Parts;

/// Most bytes of an entry's name and extra fields together.
const VARIABLE_MAX: usize = 4096;
/// Most bytes of the end record for large files.
const LARGE_END_MAX: usize = 1024;
/// Most entries. A document of a thousand pictures has a few more than a thousand.
const ENTRIES_MAX: u32 = 5_000;
const SIGNATURE: usize = 4;

/// Reads a ZIP file.
#[derive(Debug)]
pub(super) struct Zip {
    step: Step,
    /// What the step has collected, and how much it wants.
    record: Vec<u8>,
    wanted: usize,
    /// Where the next byte is in the file.
    at: u64,
    parts: Parts,
    entries: u32,
    budget: Budget,
    /// The sum of the digests of the entries, less that of the directory. Zero at the end if both are the same.
    balance: u128,
    /// Where the directory starts, once it has.
    directory: Option<u64>,
}

#[derive(Debug)]
enum Step {
    Signature,
    /// The four bytes behind a data descriptor: the next signature, or the rest of a size of 64 bits.
    AfterDescriptor,
    /// The rest of such a size.
    Descriptor,
    Local,
    LocalName(Local),
    Data(Data),
    Central,
    CentralName(Central),
    LargeEndSize,
    LargeEnd,
    LargeEndLocator,
    End,
    /// Behind the end record. No byte may follow.
    Closed,
}

impl Default for Zip {
    fn default() -> Self {
        Self {
            step: Step::Signature,
            record: Vec::new(),
            wanted: SIGNATURE,
            at: 0,
            parts: Parts::default(),
            entries: 0,
            budget: Budget::default(),
            balance: 0,
            directory: None,
        }
    }
}

impl Zip {
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        let mut rest = bytes;
        // A step that wants nothing, such as an empty name, ends without a byte.
        while !rest.is_empty() {
            let used = if let Step::Data(data) = &mut self.step {
                let used = data.feed(rest, &mut self.budget);
                self.advance(used);
                self.budget.check()?;
                self.end_data()?;
                used
            } else {
                if matches!(self.step, Step::Closed) {
                    return Err(self.broken());
                }
                let missing = self.wanted.saturating_sub(self.record.len());
                let part = rest.get(..missing).unwrap_or(rest);
                self.record.extend_from_slice(part);
                self.advance(part.len());
                part.len()
            };
            rest = rest.get(used..).unwrap_or_default();
            while !matches!(self.step, Step::Data(_) | Step::Closed) && self.record.len() >= self.wanted {
                let record = core::mem::take(&mut self.record);
                self.end_record(&record)?;
            }
        }
        Ok(())
    }

    fn advance(&mut self, used: usize) {
        self.at = self.at.saturating_add(u64::try_from(used).unwrap_or(u64::MAX));
    }

    fn want(&mut self, step: Step, wanted: usize) {
        self.step = step;
        self.wanted = wanted;
    }

    /// The refusal of a file that is not built as a DOCX is.
    const fn broken(&self) -> ContentRefusal {
        if self.parts.are_of_docx() { ContentRefusal::Damaged } else { ContentRefusal::Archive }
    }

    /// Continues behind a complete record.
    fn end_record(&mut self, record: &[u8]) -> Result<(), ContentRefusal> {
        match core::mem::replace(&mut self.step, Step::Closed) {
            Step::Signature => self.open_record(record),
            Step::AfterDescriptor if record.starts_with(b"PK") => self.open_record(record),
            Step::AfterDescriptor => {
                self.want(Step::Descriptor, 4);
                Ok(())
            }
            Step::Descriptor => {
                self.want(Step::Signature, SIGNATURE);
                Ok(())
            }
            Step::Local => {
                let start = self.at.saturating_sub(30);
                let local = Local::read(record, start).ok_or_else(|| self.broken())?;
                self.name(local.variable, Step::LocalName(local))
            }
            Step::LocalName(local) => self.open_entry(local, record),
            Step::Central => {
                let central = Central::read(record).ok_or_else(|| self.broken())?;
                self.name(central.variable, Step::CentralName(central))
            }
            Step::CentralName(central) => {
                let (name, digest) = central.digest(record).ok_or_else(|| self.broken())?;
                self.parts.check(name)?;
                self.balance = self.balance.wrapping_sub(digest);
                self.want(Step::Signature, SIGNATURE);
                Ok(())
            }
            Step::LargeEndSize => match fields::large(record, 0).map(usize::try_from) {
                Some(Ok(size @ 44..=LARGE_END_MAX)) => {
                    self.want(Step::LargeEnd, size);
                    Ok(())
                }
                _ => Err(self.broken()),
            },
            Step::LargeEnd if fields::large(record, 36) == self.directory => {
                self.want(Step::Signature, SIGNATURE);
                Ok(())
            }
            Step::LargeEndLocator => {
                self.want(Step::Signature, SIGNATURE);
                Ok(())
            }
            Step::End if fields::end_fits(record, self.directory) => Ok(()),
            _ => Err(self.broken()),
        }
    }

    fn name(&mut self, length: usize, step: Step) -> Result<(), ContentRefusal> {
        if length > VARIABLE_MAX {
            return Err(self.broken());
        }
        self.want(step, length);
        Ok(())
    }

    /// Continues behind the signature of a record.
    fn open_record(&mut self, signature: &[u8]) -> Result<(), ContentRefusal> {
        let (step, wanted) = match (signature, self.directory) {
            (b"PK\x03\x04", None) => (Step::Local, 26),
            (b"PK\x01\x02", _) => {
                let start = self.at.saturating_sub(4);
                self.directory.get_or_insert(start);
                (Step::Central, 42)
            }
            (b"PK\x06\x06", Some(_)) => (Step::LargeEndSize, 8),
            (b"PK\x06\x07", Some(_)) => (Step::LargeEndLocator, 16),
            (b"PK\x05\x06", Some(_)) => (Step::End, 18),
            _ => return Err(self.broken()),
        };
        self.want(step, wanted);
        Ok(())
    }

    fn open_entry(&mut self, local: Local, variable: &[u8]) -> Result<(), ContentRefusal> {
        let (name, sizes) = local.name_and_sizes(variable).ok_or_else(|| self.broken())?;
        let types = self.parts.check(name)?;
        if local.encrypted() {
            return Err(ContentRefusal::Encrypted);
        }
        self.entries = self.entries.saturating_add(1);
        if self.entries > ENTRIES_MAX {
            return Err(ContentRefusal::TooManyParts);
        }
        self.budget.open();
        self.step = Step::Data(Data::new(&local, name, sizes, types));
        // An entry without data ends here.
        self.end_data()
    }

    /// Continues behind the data of an entry, if it is complete.
    fn end_data(&mut self) -> Result<(), ContentRefusal> {
        let Step::Data(data) = &mut self.step else {
            return Ok(());
        };
        let Some(end) = data.end(&self.budget) else {
            return Ok(());
        };
        self.balance = self.balance.wrapping_add(end.digest);
        let lie = (!end.is_true).then_some(ContentRefusal::Damaged);
        self.parts.note(end.unpacked.broken().or(lie))?;
        if let Some(types) = end.unpacked.into_types() {
            self.parts.read_types(&types)?;
        }
        let next = if end.descriptor { Step::AfterDescriptor } else { Step::Signature };
        self.want(next, SIGNATURE);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), ContentRefusal> {
        if !self.parts.are_of_docx() {
            return Err(ContentRefusal::Archive);
        }
        if !matches!(self.step, Step::Closed) || self.balance != 0 {
            return Err(ContentRefusal::Damaged);
        }
        self.budget.check_all(self.at)?;
        // A template is no document.
        self.parts.are_typed().then_some(()).ok_or(ContentRefusal::Unknown)
    }
}
