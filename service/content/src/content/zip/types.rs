//! The part of a DOCX that lists the content type of each other part.

use crate::content::ContentRefusal;
use alloc::vec::Vec;

/// Most bytes of the list. Word writes a few thousand.
const MAX: usize = 64 * 1024;
/// The type of the main part of a document without macros. A template has another one.
const DOCUMENT: &[u8] = b"wordprocessingml.document.main+xml";
/// Types of parts with macros or controls. The name of such a part says nothing: any name can have the type.
const MACROS: [&[u8]; 3] = [b"vbaproject", b"macroenabled", b"ms-office.activex"];

/// Reads the list of content types.
#[derive(Default, Debug)]
pub(super) struct Types {
    text: Vec<u8>,
    oversized: bool,
}

impl Types {
    /// Reads the next unpacked bytes.
    pub(super) fn feed(&mut self, piece: &[u8]) {
        self.oversized |= self.text.len().saturating_add(piece.len()) > MAX;
        if !self.oversized {
            self.text.extend_from_slice(piece);
        }
    }

    /// True if the main part is a document without macros.
    ///
    /// # Errors
    ///
    /// [`ContentRefusal`] if a part has macros, or if the list cannot be read.
    pub(super) fn is_docx(&self) -> Result<bool, ContentRefusal> {
        // Zero bytes are dropped, so that a list in UTF-16 reads as one in UTF-8.
        let letters = self.text.iter().filter(|b| **b != 0);
        let text: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
        let has = |part: &[u8]| memchr::memmem::find(&text, part).is_some();
        // A list has no use for entities. They could spell a type in another way.
        if self.oversized || has(b"&") {
            return Err(ContentRefusal::Damaged);
        }
        if MACROS.iter().any(|part| has(part)) {
            return Err(ContentRefusal::Macros);
        }
        Ok(has(DOCUMENT))
    }
}
