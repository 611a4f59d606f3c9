//! Lines that are not blank, none of them held beyond what a request may hold.

use super::LINE_MAX;
use std::io::{self, BufRead, Read};

/// A line with its line break.
#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1, blank lines included.
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    /// Whether it goes on.
    pub(super) cut: bool,
}

/// The lines of an input.
pub(super) struct Lines<'a, R> {
    input: &'a mut R,
    number: u64,
}

impl<'a, R: BufRead> Lines<'a, R> {
    pub(super) fn new(input: &'a mut R) -> Self {
        Self { input, number: 0 }
    }

    /// The next one, of which no more is read than [`LINE_MAX`].
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        if !self.has_more()? {
            return Ok(None);
        }
        let mut text = Vec::new();
        let max = u64::try_from(LINE_MAX).unwrap_or(u64::MAX);
        self.input.by_ref().take(max).read_until(b'\n', &mut text)?;
        let ended = text.last() == Some(&b'\n');
        let cut = !ended && text.len() == LINE_MAX;
        let number = self.number.saturating_add(1);
        if ended {
            self.number = number;
        }
        Ok(Some(Line { number, text, cut }))
    }

    /// Whether anything but white space follows, which is skipped.
    pub(super) fn has_more(&mut self) -> io::Result<bool> {
        loop {
            let buffer = self.input.fill_buf()?;
            let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            let blanks: Vec<u8> = buffer.iter().take_while(blank).copied().collect();
            let breaks = blanks.iter().filter(|byte| **byte == b'\n').count();
            let (length, more) = (blanks.len(), blanks.len() < buffer.len());
            let breaks = u64::try_from(breaks).unwrap_or_default();
            self.number = self.number.saturating_add(breaks);
            self.input.consume(length);
            if more || length == 0 {
                return Ok(more);
            }
        }
    }

    /// Leaves out the rest of a line that was cut.
    pub(super) fn skip_rest(&mut self) -> io::Result<()> {
        self.input.skip_until(b'\n')?;
        self.number = self.number.saturating_add(1);
        Ok(())
    }
}
