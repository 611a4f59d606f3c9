//! A bound on how much is read between two claims, and a count of the line breaks.

use std::cell::Cell;
use std::io::{self, Read};

/// Fails once more bytes were read than may be since the last reset.
pub(super) struct Guard<'a, R> {
    input: R,
    read: &'a Cell<usize>,
    max: usize,
    breaks: u64,
}

impl<'a, R> Guard<'a, R> {
    /// `read` counts, and setting it to 0 is the reset.
    pub(super) fn new(input: R, read: &'a Cell<usize>, max: usize) -> Self {
        Self {
            input,
            read,
            max,
            breaks: 0,
        }
    }

    /// How many line breaks were read.
    pub(super) fn breaks(&self) -> u64 {
        self.breaks
    }
}

impl<R: Read> Read for Guard<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.read.get() > self.max {
            return Err(io::Error::other("too large"));
        }
        let count = self.input.read(into)?;
        self.read.set(self.read.get().saturating_add(count));
        let breaks = into.iter().take(count).filter(|byte| **byte == b'\n');
        let breaks = u64::try_from(breaks.count()).unwrap_or_default();
        self.breaks = self.breaks.saturating_add(breaks);
        Ok(count)
    }
}
