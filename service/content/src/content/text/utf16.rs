//! Text in UTF-16, which Windows programs save as "Unicode".

use super::classes::is_plain;
use super::markup::{Markup, is_program};
use crate::content::ContentRefusal;
use alloc::vec::Vec;

/// Reads a text in UTF-16.
#[derive(Default, Debug)]
pub(in crate::content) struct Utf16 {
    big_endian: bool,
    /// The first byte of a code unit that the last chunk cut.
    cut: Option<u8>,
    /// The first half of a surrogate pair.
    surrogate: Option<u16>,
    markup: Markup,
    program: bool,
}

impl Utf16 {
    /// The reader for a text that starts with the byte order mark of UTF-16.
    pub(in crate::content) fn of(head: &[u8]) -> Option<Self> {
        let big_endian = match head {
            [0xfe, 0xff, ..] => true,
            [0xff, 0xfe, ..] => false,
            _ => return None,
        };
        let text = Self { big_endian, ..Self::default() };
        let units = head.get(2..).unwrap_or_default().chunks_exact(2);
        let first: Vec<u8> = units
            .map(|unit| match unit {
                [a, b] => ascii(text.unit(*a, *b)),
                _ => b' ',
            })
            .collect();
        Some(Self { program: is_program(&first), ..text })
    }

    const fn unit(&self, first: u8, second: u8) -> u16 {
        if self.big_endian { u16::from_be_bytes([first, second]) } else { u16::from_le_bytes([first, second]) }
    }

    /// Reads the next bytes, also the byte order mark.
    pub(in crate::content) fn feed(&mut self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        if self.program {
            return Err(ContentRefusal::Program);
        }
        let mut rest = bytes;
        if let Some(first) = self.cut.take() {
            let Some((second, after)) = rest.split_first() else {
                self.cut = Some(first);
                return Ok(());
            };
            self.push(self.unit(first, *second))?;
            rest = after;
        }
        let (units, cut) = rest.as_chunks::<2>();
        for [first, second] in units {
            self.push(self.unit(*first, *second))?;
        }
        self.cut = cut.first().copied();
        Ok(())
    }

    fn push(&mut self, unit: u16) -> Result<(), ContentRefusal> {
        // Most characters change nothing.
        let usual = matches!(unit, 0x20..=0x3b | 0x3d..=0x7e | 0xa0..=0xd7ff);
        if usual && self.surrogate.is_none() && self.markup.is_closed() {
            return Ok(());
        }
        let low = matches!(unit, 0xdc00..=0xdfff);
        if self.surrogate.take().is_some() != low {
            return Err(ContentRefusal::Unknown);
        }
        if matches!(unit, 0xd800..=0xdbff) {
            self.surrogate = Some(unit);
        }
        let control = matches!(unit, 0x80..=0x9f | 0xfffe | 0xffff) || !is_plain(&[ascii(unit)]);
        if control {
            return Err(ContentRefusal::Unknown);
        }
        self.markup.push(ascii(unit))
    }

    pub(in crate::content) fn finish(self) -> Result<(), ContentRefusal> {
        if self.cut.is_some() || self.surrogate.is_some() {
            return Err(ContentRefusal::Unknown);
        }
        Ok(())
    }
}

/// An ASCII character as a byte, and any other as a letter that no tag has.
fn ascii(unit: u16) -> u8 {
    u8::try_from(unit).ok().filter(u8::is_ascii).unwrap_or(0xff)
}
