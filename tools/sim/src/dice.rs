//! Chance from a seed. Each purpose has a stream of its own, so that a fault that is left out changes no other choice.

use std::cell::Cell;

/// A stream of numbers: xoshiro256**.
pub(crate) struct Dice(Cell<[u64; 4]>);

impl Dice {
    /// The stream of a seed for a purpose.
    #[must_use]
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        let named = purpose.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ named;
        Self(Cell::new([(); 4].map(|()| split_mix(&mut state))))
    }

    /// The next number.
    pub(crate) fn next(&self) -> u64 {
        let [mut a, mut b, mut c, mut d] = self.0.get();
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = b << 17;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = d.rotate_left(45);
        self.0.set([a, b, c, d]);
        result
    }

    /// A number below `bound`; 0 if there is none.
    pub(crate) fn below(&self, bound: u64) -> u64 {
        self.next().checked_rem(bound).unwrap_or(0)
    }

    /// A number from `least` to `most`.
    pub(crate) fn between(&self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// True in so many of ten thousand cases.
    pub(crate) fn chance(&self, of_ten_thousand: u64) -> bool {
        self.below(10_000) < of_ten_thousand
    }

    /// One of several.
    pub(crate) fn pick<'a, T>(&self, of: &'a [T]) -> &'a T {
        let place = self.below(of.len() as u64);
        &of[usize::try_from(place).unwrap_or(0)]
    }

    /// Fills a buffer.
    pub(crate) fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let bytes = self.next().to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
    }

    /// An array of bytes.
    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
