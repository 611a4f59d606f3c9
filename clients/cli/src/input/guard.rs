//! Limits how much is read between two claims.

use std::cell::Cell;
use std::io::{self, Read};

/// Fails once more than `max` bytes were read since the last reset.
pub(super) struct Guard<'a, R> {
    input: R,
    read: &'a Cell<usize>,
    max: usize,
}

impl<'a, R> Guard<'a, R> {
    /// `read` counts the bytes. Setting it to 0 is the reset.
    pub(super) fn new(input: R, read: &'a Cell<usize>, max: usize) -> Self {
        Self { input, read, max }
    }
}

impl<R: Read> Read for Guard<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.read.get() > self.max {
            return Err(io::Error::other("too large"));
        }
        let count = self.input.read(into)?;
        self.read.set(self.read.get().saturating_add(count));
        Ok(count)
    }
}
