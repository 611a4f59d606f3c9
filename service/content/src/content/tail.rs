//! The last bytes of a stream.

use alloc::vec::Vec;

/// The signature and the length of the record that ends a ZIP file.
const ZIP_END: (&[u8], usize) = (b"PK\x05\x06", 22);

/// The last bytes of what was fed, at least the given number of them.
#[derive(Debug)]
pub(super) struct Tail {
    keep: usize,
    bytes: Vec<u8>,
}

impl Tail {
    pub(super) const fn new(keep: usize) -> Self {
        Self { keep, bytes: Vec::new() }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let last = last(bytes, self.keep);
        if last.len() == self.keep {
            self.bytes.clear();
        }
        self.bytes.extend_from_slice(last);
        // Moves the bytes only once in a while, also if each chunk is one byte.
        if self.bytes.len() > self.keep.saturating_mul(2) {
            let surplus = self.bytes.len().saturating_sub(self.keep);
            self.bytes.drain(..surplus);
        }
    }

    /// The last bytes of the stream as if `more` had been fed too.
    pub(super) fn with(&self, more: &[u8]) -> Vec<u8> {
        let more = last(more, self.keep);
        let mut joined = last(&self.bytes, self.keep.saturating_sub(more.len())).to_vec();
        joined.extend_from_slice(more);
        joined
    }

    /// True if the stream ends as a ZIP file does: with its end record, whose comment reaches exactly to the end.
    pub(super) fn ends_in_zip(&self) -> bool {
        let tail = last(&self.bytes, self.keep);
        memchr::memmem::find_iter(tail, ZIP_END.0).any(|at| {
            let record = tail.get(at..).unwrap_or_default();
            let comment = match record.get(20..22) {
                Some([low, high]) => usize::from(u16::from_le_bytes([*low, *high])),
                _ => return false,
            };
            record.len() == ZIP_END.1.saturating_add(comment)
        })
    }
}

fn last(bytes: &[u8], count: usize) -> &[u8] {
    let from = bytes.len().saturating_sub(count);
    bytes.get(from..).unwrap_or_default()
}
