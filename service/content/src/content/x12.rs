//! X12 interchanges.

use super::ContentRefusal;
use super::text::{self, CONTROL};

/// The length of the interchange header, a segment of fixed length.
const HEADER: usize = 106;
/// The places of the separator between the elements of the header.
const SEPARATORS: [usize; 16] = [3, 6, 17, 20, 31, 34, 50, 53, 69, 76, 81, 83, 89, 99, 101, 103];

/// Reads an interchange. Its separators may be control characters, which a text may not have.
#[derive(Debug)]
pub(super) struct X12 {
    /// A bit for each of the first 32 characters that is a separator.
    separators: u32,
}

impl X12 {
    /// The reader for a file that starts with an interchange header, maybe after white space or a byte order mark.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        let header = text::start(head).get(..HEADER)?;
        let separator = *header.get(3)?;
        let at = memchr::memchr_iter(separator, header);
        let fixed = header.starts_with(b"ISA") && at.eq(SEPARATORS);
        let digits = |from: usize, to| header.get(from..to)?.iter().all(u8::is_ascii_digit).then_some(());
        digits(70, 76)?;
        digits(77, 81)?;
        let [component, terminator] = *header.get(104..)? else {
            return None;
        };
        let used = [separator, component, terminator];
        let apart = component != terminator && !used.iter().any(u8::is_ascii_alphanumeric);
        (fixed && apart && separator.is_ascii()).then(|| Self {
            separators: [separator, *header.get(82).unwrap_or(&b' '), component, terminator]
                .iter()
                .fold(0, |bits, b| bits | 1_u32.checked_shl(u32::from(*b)).unwrap_or(0)),
        })
    }

    /// Reads the next bytes, also those of the header.
    pub(super) fn feed(&self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        if text::classes(bytes) & CONTROL == 0 {
            return Ok(());
        }
        let stray = bytes.iter().any(|b| {
            let separator = 1_u32.checked_shl(u32::from(*b)).unwrap_or(0) & self.separators != 0;
            text::classes(&[*b]) & CONTROL != 0 && (!separator || *b == 0)
        });
        if stray {
            return Err(ContentRefusal::Unknown);
        }
        Ok(())
    }
}
