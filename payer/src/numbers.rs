//! Chance from a seed.

/// A small source of numbers (SplitMix64): the same seed gives the same numbers.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; 0 if the bound is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        match self.next().checked_rem(bound) {
            Some(number) => number,
            None => 0,
        }
    }

    /// One of several.
    pub fn pick<T: Copy, const N: usize>(&mut self, from: &[T; N]) -> T {
        const { assert!(N > 0, "there must be something to pick") };
        let at = usize::try_from(self.below(N as u64)).unwrap_or(0);
        #[expect(clippy::indexing_slicing, reason = "the number is below the length")]
        from[at]
    }
}
