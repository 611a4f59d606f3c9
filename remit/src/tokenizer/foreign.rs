//! A file that does not begin as an interchange: what it is, and whether an interchange is further on.

use crate::error::FileError;
use alloc::vec::Vec;
use memchr::memchr2;

/// How far an interchange is looked for, in bytes. A host need not read the rest of a video, or of a stream without end.
const SEARCH_MAX: u64 = 1 << 26;
/// The first bytes that are kept. They are enough for the name of the first file in a ZIP archive.
const FIRST_MAX: usize = 64;

/// The first bytes of ZIP (with files, and without), gzip, 7z and RAR.
const ARCHIVES: [&[u8]; 5] = [b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"];
/// Where a ZIP archive has the name of its first file, and how that name begins in the documents of office programs.
const NAME_AT: usize = 30;
const OFFICE: [&[u8]; 6] = [b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/", b"xl/", b"mimetype"];

/// Looks for the beginning of an ISA segment, with ISA01 as two digits: `ISA*00*`. The letters alone occur in any large
/// file. Lower case counts, and so does a text with two bytes for a character, whose zeros are left out.
pub(crate) struct Foreign {
    first: Vec<u8>,
    read: u64,
    /// How many bytes of `ISA*00*` match now.
    matched: u8,
    element: u8,
    has_zeros: bool,
    is_lower: bool,
    /// True if something precedes what matches.
    is_late: bool,
}

impl Foreign {
    pub(crate) const fn new() -> Self {
        Self { first: Vec::new(), read: 0, matched: 0, element: 0, has_zeros: false, is_lower: false, is_late: false }
    }

    /// Reads the next bytes.
    ///
    /// # Errors
    ///
    /// [`FileError`] once it is known.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let missing = FIRST_MAX.saturating_sub(self.first.len());
        self.first.extend(bytes.iter().take(missing));
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            rest = after;
            if self.matches(*byte) {
                return Err(self.found());
            }
            if self.matched == 0 {
                let next = memchr2(b'I', b'i', rest).unwrap_or(rest.len());
                self.is_late |= next > 0;
                rest = rest.get(next..).unwrap_or_default();
            }
        }
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.read = self.read.saturating_add(length);
        if self.read > SEARCH_MAX {
            return Err(self.end());
        }
        Ok(())
    }

    /// True if the byte completes the beginning of an ISA segment.
    fn matches(&mut self, byte: u8) -> bool {
        if byte == 0 && self.matched > 0 {
            self.has_zeros = true;
            return false;
        }
        let fits = match self.matched {
            0 => byte.eq_ignore_ascii_case(&b'I'),
            1 => byte.eq_ignore_ascii_case(&b'S'),
            2 => byte.eq_ignore_ascii_case(&b'A'),
            3 => !byte.is_ascii_alphanumeric(),
            4 | 5 => byte.is_ascii_digit(),
            _ => byte == self.element,
        };
        if fits {
            self.is_lower |= self.matched < 3 && byte.is_ascii_lowercase();
            if self.matched == 3 {
                self.element = byte;
            }
            self.matched = self.matched.saturating_add(1);
            return self.matched == 7;
        }
        self.is_late = true;
        self.matched = 0;
        self.has_zeros = false;
        self.is_lower = false;
        // No later byte of what matched can be an I.
        byte.eq_ignore_ascii_case(&b'I') && self.matches(byte)
    }

    /// What a file is that has an ISA segment.
    fn found(&self) -> FileError {
        if self.is_archive() {
            FileError::Archive
        } else if self.has_zeros {
            FileError::Utf16
        } else if self.is_late {
            FileError::TextBefore
        } else if self.is_lower {
            FileError::LowerCase
        } else {
            FileError::Separators
        }
    }

    /// What the file is if it ends here.
    pub(crate) fn end(&self) -> FileError {
        match *self.first {
            _ if self.is_archive() => FileError::Archive,
            [b'G', b'S', mark, b'H', b'C' | b'P', ref rest @ ..]
            | [b'S', b'T', mark, b'8', b'3', b'5' | b'7', ref rest @ ..]
                if !mark.is_ascii_alphanumeric() && rest.first() == Some(&mark) =>
            {
                FileError::NoHeader
            }
            _ => FileError::NotX12,
        }
    }

    /// True for an archive that may have files like ours in it.
    fn is_archive(&self) -> bool {
        let name = self.first.get(NAME_AT..).unwrap_or_default();
        ARCHIVES.iter().any(|start| self.first.starts_with(start))
            && !OFFICE.iter().any(|start| name.starts_with(start))
    }
}
