//! Common passwords. `README.md` in this folder names the source.
//!
//! The program does not contain the list. [`SET`] holds a hash of each password, in 17 KB instead of 92. A password on
//! the list is always found. One that is not on the list is refused by mistake about once in a million.

use overturn_core::base::text::normalise;
use sha2::{Digest, Sha256};

/// The hashes in ascending order, as a Golomb-Rice code of the differences between them. A difference is its upper part
/// in unary, a zero bit, and its lower [`BITS`] bits. The lowest bit of a byte comes first.
const SET: &[u8] = include_bytes!("common.bin");
/// The number of passwords.
const COUNT: u64 = 6441;
/// The bits of a difference that are not in unary. About one in 2^20 passwords that are not on the list is refused.
const BITS: u32 = 20;

/// True if a password is on the list, in any case and with any white space.
pub(super) fn is_common(password: &str) -> bool {
    let wanted = hash(&normalise(password));
    let mut bits = SET.iter().flat_map(|byte| (0..8).map(move |shift| u64::from((byte >> shift) & 1)));
    let mut reached = 0_u64;
    while reached < wanted {
        let upper = bits.by_ref().take_while(|bit| *bit == 1).count() as u64;
        let Some(lower) = (0..BITS).try_fold(0, |sum, shift| Some(sum | (bits.next()? << shift))) else {
            return false;
        };
        reached = reached.saturating_add((upper << BITS) | lower);
    }
    reached == wanted
}

/// A number from 1 to `COUNT << BITS`, inclusive.
fn hash(normalised: &str) -> u64 {
    let digest = Sha256::digest(normalised);
    let head = digest.iter().take(8);
    let number = head.fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    let scaled = (u128::from(number).saturating_mul(u128::from(COUNT << BITS))) >> u64::BITS;
    u64::try_from(scaled).unwrap_or_default().saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::password::LEAST;

    /// Sorted, one per line, each in the form of [`normalise`].
    const LIST: &str = include_str!("common.txt");

    /// The list as [`SET`] holds it.
    fn encoded() -> Vec<u8> {
        let mut hashes: Vec<u64> = LIST.lines().map(hash).collect();
        hashes.sort_unstable();
        let mut bits = Vec::new();
        let mut before = 0;
        for hash in hashes {
            let difference = hash - before;
            before = hash;
            bits.extend((0..difference >> BITS).map(|_| 1));
            bits.push(0);
            bits.extend((0..BITS).map(|shift| u8::from((difference >> shift) & 1 == 1)));
        }
        let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| (byte << 1) | bit);
        bits.chunks(8).map(byte).collect()
    }

    #[test]
    fn the_set_is_made_of_the_list() {
        assert_eq!(LIST.lines().count() as u64, COUNT);
        // After a change of the list, run `cargo test -p overturn-service common::tests::write -- --ignored`.
        assert!(encoded() == SET, "common.bin is not made of common.txt");
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    #[ignore = "writes common.bin"]
    fn write() {
        let file = std::path::Path::new("..").join(file!());
        let file = file.with_extension("bin");
        std::fs::write(file, encoded()).unwrap();
    }

    #[test]
    fn the_list_is_sorted_and_has_no_line_that_could_never_be_found() {
        assert!(LIST.is_ascii() && LIST.ends_with('\n'));
        assert!(LIST.lines().is_sorted_by(|one, next| one < next));
        for line in LIST.lines() {
            assert!(line.len() >= LEAST, "{line:?}");
            assert_eq!(normalise(line), line);
        }
    }

    /// The test above compares the whole set with the list, so a few lines are enough here.
    #[test]
    fn a_line_is_found_and_nothing_between_two_lines() {
        for line in LIST.lines().step_by(150) {
            assert!(is_common(line), "{line:?}");
            assert!(!is_common(&format!("{line}\u{7f}")), "{line:?}");
        }
        assert!(!is_common(""));
        assert!(!is_common("\n"));
        assert!(!is_common("password12345\npasswordpassword"));
        assert!(!is_common(&"~".repeat(12)));
    }

    #[test]
    fn few_other_passwords_are_mistaken_for_common_ones() {
        let set: std::collections::BTreeSet<u64> = LIST.lines().map(hash).collect();
        let others = (0..1_000_000_u32).map(|n| hash(&format!("correct horse {n}")));
        let mistaken = others.filter(|hash| set.contains(hash)).count();
        assert!(mistaken < 10, "{mistaken}");
    }
}
