//! The data of an entry of a ZIP file.

use super::fields::{self, Local, Sizes};
use super::unpacked::Unpacked;
use crate::content::budget::Budget;
use alloc::vec::Vec;

const SIGNATURE: &[u8] = b"PK\x07\x08";
/// The length of a data descriptor: signature, checksum, both sizes.
const DESCRIPTOR: usize = 16;

/// Reads the data of an entry up to its end.
///
/// If the header does not know the size, a descriptor follows the data. It is found by its signature and by its size,
/// which must be that of the data before it. The signature is optional, but programs that write DOCX write it.
#[derive(Debug)]
pub(super) struct Data {
    start: u64,
    method: u16,
    name: Vec<u8>,
    /// The sizes that the header knows.
    known: Option<Sizes>,
    read: u64,
    /// What may be a descriptor.
    candidate: Vec<u8>,
    /// `None` once the end was taken.
    unpacked: Option<Unpacked>,
    complete: bool,
}

/// The end of an entry's data.
pub(super) struct End {
    /// The digest of the entry.
    pub(super) digest: u128,
    /// A data descriptor came, at least the first [`DESCRIPTOR`] bytes of it.
    pub(super) descriptor: bool,
    /// The sizes are those that the header knows.
    pub(super) is_true: bool,
    pub(super) unpacked: Unpacked,
}

impl Data {
    pub(super) fn new(local: &Local, name: &[u8], known: Option<Sizes>, types: bool) -> Self {
        let is_empty = known.is_some_and(|known| known.packed == 0);
        Self {
            start: local.start,
            method: local.method,
            name: name.to_vec(),
            known,
            read: 0,
            candidate: Vec::new(),
            unpacked: Some(Unpacked::new(local.method, is_empty, types)),
            complete: is_empty,
        }
    }

    /// Reads bytes up to the end of the data. Returns how many.
    pub(super) fn feed(&mut self, bytes: &[u8], budget: &mut Budget) -> usize {
        if let Some(Sizes { packed: size, .. }) = self.known {
            let left = usize::try_from(size.saturating_sub(self.read)).unwrap_or(usize::MAX);
            let data = bytes.get(..left).unwrap_or(bytes);
            self.take(data, budget);
            self.complete = self.read == size;
            return data.len();
        }
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            if self.complete {
                break;
            }
            if self.candidate.is_empty() {
                let next = memchr::memchr(b'P', rest).unwrap_or(rest.len());
                self.take(rest.get(..next).unwrap_or_default(), budget);
                at = at.saturating_add(next);
            }
            if let Some(byte) = bytes.get(at) {
                at = at.saturating_add(1);
                self.push(*byte, budget);
            }
        }
        at
    }

    /// Adds a byte to what may be a descriptor.
    fn push(&mut self, byte: u8, budget: &mut Budget) {
        self.candidate.push(byte);
        while !self.candidate.is_empty() && !self.is_possible() {
            // The first byte is data. A descriptor may start behind it.
            let first = self.candidate.remove(0);
            self.take(&[first], budget);
            let next = memchr::memchr(b'P', &self.candidate).unwrap_or(self.candidate.len());
            let data: Vec<u8> = self.candidate.drain(..next).collect();
            self.take(&data, budget);
        }
        self.complete = self.candidate.len() >= DESCRIPTOR;
    }

    fn is_possible(&self) -> bool {
        let read = self.candidate.len().min(SIGNATURE.len());
        let signed = self.candidate.get(..read) == SIGNATURE.get(..read);
        let size = fields::long(&self.candidate, 8).map(u64::from);
        signed && size.is_none_or(|size| size == self.read)
    }

    fn take(&mut self, data: &[u8], budget: &mut Budget) {
        self.read = self.read.saturating_add(u64::try_from(data.len()).unwrap_or(u64::MAX));
        if let Some(unpacked) = &mut self.unpacked {
            unpacked.feed(data, budget);
        }
    }

    /// The end, once all data was read.
    pub(super) fn end(&mut self, budget: &Budget) -> Option<End> {
        if !self.complete {
            return None;
        }
        let sizes = Sizes { packed: self.read, unpacked: budget.part() };
        Some(End {
            digest: fields::digest(self.start, self.method, sizes, &self.name),
            descriptor: self.known.is_none(),
            is_true: self.known.is_none_or(|known| known == sizes),
            unpacked: self.unpacked.take()?,
        })
    }
}
