//! How much a file may unpack to.
//!
//! The virus scanner reads no more than its own limits, and of a part of a ZIP file that is over them it reads the
//! beginning and says nothing. So the bounds are below the limits that `docs/operations/scanner.md` asks for. What is unpacked is
//! counted, because the sizes that a file names can be wrong.

use super::ContentRefusal;
use crate::FILE_MAX;

/// Most bytes of one part or stream. A file that is not packed has no more either.
const PART_MAX: u64 = FILE_MAX;
/// Most bytes of all parts or streams together.
const TOTAL_MAX: u64 = 200 * 1024 * 1024;
/// How many times its own size a file may unpack to. A DOCX with a long table reaches 24, and zeros 1,030.
const RATIO_MAX: u64 = 100;
/// What may unpack at any ratio, such as the empty pages of a small file.
const RATIO_FREE: u64 = 10 * 1024 * 1024;

/// What the parts of a file have unpacked to.
#[derive(Default, Debug)]
pub(super) struct Budget {
    total: u64,
    /// What the open part has unpacked to.
    part: u64,
    is_spent: bool,
}

impl Budget {
    /// A part begins.
    pub(super) const fn open(&mut self) {
        self.part = 0;
    }

    /// Counts unpacked bytes. False if they are too many.
    pub(super) fn spend(&mut self, bytes: &[u8]) -> bool {
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.part = self.part.saturating_add(count);
        self.total = self.total.saturating_add(count);
        self.is_spent |= self.part > PART_MAX || self.total > TOTAL_MAX;
        !self.is_spent
    }

    /// What the open part has unpacked to.
    pub(super) const fn part(&self) -> u64 {
        self.part
    }

    /// # Errors
    ///
    /// The file unpacks to too much, whatever its size is.
    pub(super) const fn check(&self) -> Result<(), ContentRefusal> {
        if self.is_spent {
            return Err(ContentRefusal::Oversized);
        }
        Ok(())
    }

    /// # Errors
    ///
    /// The whole file, of this many bytes, unpacks to too much.
    pub(super) fn check_all(&self, size: u64) -> Result<(), ContentRefusal> {
        if self.total > RATIO_FREE && self.total > size.saturating_mul(RATIO_MAX) {
            return Err(ContentRefusal::Oversized);
        }
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn many_parts_that_fit_can_be_too_much_together() {
        let piece = vec![0; 1024 * 1024];
        let mut budget = Budget::default();
        for part in 0..4 {
            budget.open();
            for _ in 0..50 {
                assert!(budget.spend(&piece), "{part}");
            }
            assert_eq!(budget.part(), PART_MAX);
        }
        assert_eq!(budget.check_all(TOTAL_MAX), Ok(()));
        budget.open();
        assert!(!budget.spend(b"x"));
        assert_eq!(budget.check(), Err(ContentRefusal::Oversized));
        // It stays so.
        budget.open();
        assert!(!budget.spend(b""));
    }
}
