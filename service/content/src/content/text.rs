//! Plain text.
//!
//! A text is UTF-8, UTF-16 with a byte order mark, or Windows-1252: billing systems still print explanations of benefits
//! in that encoding, of which Latin-1 is a part. Every byte from 0x80 is then a character, but for five that Windows-1252
//! leaves out. No encoding may have control characters other than tab, line feed, form feed and carriage return.

mod classes;
mod markup;
mod utf16;

pub(super) use classes::{CONTROL, classes, is_plain};
pub(super) use markup::{has_tags, is_program, start};
pub(super) use utf16::Utf16;

use super::ContentRefusal;
use classes::{HIGH, LEFT_OUT};
use markup::Markup;

/// Reads a text in UTF-8 or Windows-1252.
#[derive(Default, Debug)]
pub(super) struct Text {
    /// The start of a UTF-8 character that the last chunk cut.
    cut: [u8; 4],
    cut_length: usize,
    not_utf8: bool,
    not_windows: bool,
    markup: Markup,
}

impl Text {
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        // Pieces of this size stay in the nearest cache while they are read three times.
        bytes.chunks(8 * 1024).try_for_each(|piece| self.read(piece))
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), ContentRefusal> {
        let classes = classes(bytes);
        // The first of two rules that a text breaks must be the same for every chunk size.
        if classes & CONTROL != 0 {
            let plain = bytes.iter().take_while(|b| is_plain(&[**b])).count();
            self.markup.feed(bytes.get(..plain).unwrap_or_default())?;
            return Err(ContentRefusal::Unknown);
        }
        self.not_windows |= classes & LEFT_OUT != 0;
        if !self.not_utf8 && (classes & HIGH != 0 || self.cut_length > 0) {
            self.not_utf8 = !self.continues_utf8(bytes);
        }
        self.markup.feed(bytes)
    }

    /// True if the text is UTF-8 so far.
    fn continues_utf8(&mut self, bytes: &[u8]) -> bool {
        let mut rest = bytes;
        while self.cut_length > 0 {
            let Some((next, after)) = rest.split_first() else {
                return true;
            };
            let Some(place) = self.cut.get_mut(self.cut_length) else {
                return false;
            };
            *place = *next;
            self.cut_length = self.cut_length.saturating_add(1);
            rest = after;
            match core::str::from_utf8(self.cut.get(..self.cut_length).unwrap_or_default()) {
                Ok(_) => self.cut_length = 0,
                Err(error) if error.error_len().is_some() => return false,
                Err(_) => {}
            }
        }
        let Err(error) = core::str::from_utf8(rest) else {
            return true;
        };
        let cut = rest.get(error.valid_up_to()..).unwrap_or_default();
        for (place, byte) in self.cut.iter_mut().zip(cut) {
            *place = *byte;
        }
        self.cut_length = cut.len();
        error.error_len().is_none()
    }

    pub(super) fn finish(self) -> Result<(), ContentRefusal> {
        let utf8 = !self.not_utf8 && self.cut_length == 0;
        if utf8 || !self.not_windows { Ok(()) } else { Err(ContentRefusal::Unknown) }
    }
}
