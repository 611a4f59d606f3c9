//! Lines that are not blank. None is kept beyond the size limit of a request.

use super::LINE_MAX;
use std::io::{self, BufRead, Read};

#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1, blank lines included.
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    /// True if the line is longer than the part that was kept.
    pub(super) cut: bool,
}

#[derive(Debug)]
pub(super) struct Lines<'a, R> {
    input: &'a mut R,
    number: u64,
    /// True while the rest of a cut line is unread.
    in_line: bool,
    /// The blanks that were skipped at the start of the line.
    pub(super) indent: Vec<u8>,
}

impl<'a, R: BufRead> Lines<'a, R> {
    pub(super) fn new(input: &'a mut R) -> Self {
        Self { input, number: 0, in_line: false, indent: Vec::new() }
    }

    /// The next line that is not blank, up to [`LINE_MAX`] bytes of it.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        if self.has_more()? { self.take() } else { Ok(None) }
    }

    /// The next line, blank or not.
    fn take(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        let max = u64::try_from(LINE_MAX).unwrap_or(u64::MAX);
        self.input.by_ref().take(max).read_until(b'\n', &mut text)?;
        if text.is_empty() {
            return Ok(None);
        }
        let ended = text.last() == Some(&b'\n');
        let cut = !ended && text.len() == LINE_MAX;
        let number = self.number.saturating_add(1);
        if ended {
            self.number = number;
        }
        self.in_line = cut;
        Ok(Some(Line { number, text, cut }))
    }

    /// True if the next line begins like JSON, as far as the buffer shows.
    pub(super) fn is_json_next(&mut self) -> io::Result<bool> {
        let next = self.input.fill_buf()?.trim_ascii_start();
        Ok(matches!(next.first(), Some(b'{' | b'[' | b'}' | b']')))
    }

    /// Skips white space, and says whether anything follows it.
    fn has_more(&mut self) -> io::Result<bool> {
        self.indent.clear();
        loop {
            let buffer = self.input.fill_buf()?;
            let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            let blanks: Vec<u8> = buffer.iter().take_while(blank).copied().collect();
            match blanks.rsplit(|byte| *byte == b'\n').next() {
                Some(rest) if rest.len() < blanks.len() => self.indent = rest.to_vec(),
                _ => self.indent.extend_from_slice(&blanks),
            }
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

    /// The rest of a cut line, without its line break.
    pub(super) fn rest(&mut self) -> Rest<'_, 'a, R> {
        Rest(self)
    }

    /// Skips the rest of the line.
    pub(super) fn skip_rest(&mut self) -> io::Result<()> {
        if self.in_line {
            self.input.skip_until(b'\n')?;
            self.end_line();
        }
        Ok(())
    }

    fn end_line(&mut self) {
        self.in_line = false;
        self.number = self.number.saturating_add(1);
    }
}

#[derive(Debug)]
pub(super) struct Rest<'l, 'a, R>(&'l mut Lines<'a, R>);

impl<R: BufRead> Read for Rest<'_, '_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if !self.0.in_line {
            return Ok(0);
        }
        let there = self.0.input.fill_buf()?;
        let before_break = there.iter().zip(into.iter_mut()).take_while(|(byte, _)| **byte != b'\n');
        let count = before_break.map(|(byte, place)| *place = *byte).count();
        if count == 0 && there.first() == Some(&b'\n') {
            self.0.input.consume(1);
            self.0.end_line();
        } else {
            self.0.input.consume(count);
        }
        Ok(count)
    }
}
