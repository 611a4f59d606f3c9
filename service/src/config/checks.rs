//! Finds settings that are well formed but too weak. The messages never repeat a value.

mod text;

pub(crate) use text::{host_and_port, is_placeholder, is_public};

use crate::store::keyring::entries;
use core::ops::RangeInclusive;

/// The most calls that a limit may allow in its window. The limiter stores the time of each.
pub(crate) const LIMIT_MAX: u32 = 100_000;
/// How many password hashes may wait in one isolate. Unknown devices take at most half of the places, so at least two are
/// needed for them to have one. A hash starts every 150 ms, so the last of 64 waits ten seconds.
pub(crate) const HASHES_WAITING: RangeInclusive<u32> = 2..=64;
/// The minimum length of the operator's token.
const TOKEN_MIN: usize = 32;
/// The minimum of different characters in it: a random token of 32 has about 25.
const TOKEN_CHARACTERS: usize = 12;
/// The minimum of different bytes in the root of a key. 32 random bytes have fewer less than once in 10^11 keys.
const ROOT_BYTES: usize = 17;
/// The weakness of a well-formed key secret.
#[must_use]
pub(crate) fn sealing_keys(secret: &str) -> Option<&'static str> {
    let roots: Vec<[u8; 32]> = entries(secret).flatten().map(|(_, root)| root).collect();
    if roots.iter().any(is_weak_root) {
        return Some("has a key that is not 32 random bytes");
    }
    let repeated = |(n, root): (usize, &[u8; 32])| roots.iter().take(n).any(|before| before == root);
    roots.iter().enumerate().any(repeated).then_some("has one key under two versions")
}

/// True if bytes are clearly not random: few different ones, a sequence, or text.
fn is_weak_root(root: &[u8; 32]) -> bool {
    let is_sequence = root.windows(3).all(|of| matches!(of, [a, b, c] if b.wrapping_sub(*a) == c.wrapping_sub(*b)));
    let is_text = root.iter().all(|byte| (b' '..=b'~').contains(byte));
    different(root) < ROOT_BYTES || is_sequence || is_text
}

fn different(bytes: &[u8]) -> usize {
    let mut bytes = bytes.to_vec();
    bytes.sort_unstable();
    bytes.dedup();
    bytes.len()
}

/// The weakness of the operator's token.
#[must_use]
pub(crate) fn operator_token(token: &str) -> Option<&'static str> {
    if token.len() < TOKEN_MIN {
        Some("is too short to be safe")
    } else if is_placeholder(token) || token.contains(char::is_whitespace) {
        Some("is a placeholder")
    } else if different(token.as_bytes()) < TOKEN_CHARACTERS {
        Some("is not random")
    } else {
        None
    }
}

/// A limit, in digits.
#[must_use]
pub(crate) fn limit(text: &str, allowed: &RangeInclusive<u32>) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let limit = text.parse().ok().filter(|_| is_number);
    limit.filter(|limit| allowed.contains(limit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use sha2::{Digest, Sha256};

    fn key(version: u32, root: [u8; 32]) -> String {
        format!("{version}:{}", BASE64.encode(&root))
    }

    fn random(n: u32) -> [u8; 32] {
        Sha256::digest(n.to_be_bytes()).into()
    }

    #[test]
    fn a_key_that_is_not_random_is_weak() {
        let mut sequence = [0; 32];
        let mut by_seven = [3; 32];
        let mut halves = random(1);
        for n in 0..32_u8 {
            sequence[usize::from(n)] = n;
            by_seven[usize::from(n)] = n.wrapping_mul(7);
        }
        halves.copy_within(0..16, 16);
        let text = *b"correct horse battery staple, 32";
        for root in [[0; 32], [255; 32], [1; 32], sequence, by_seven, halves, text] {
            let secret = format!("{},{}", key(2, random(1)), key(1, root));
            assert_eq!(sealing_keys(&secret), Some("has a key that is not 32 random bytes"), "{root:?}");
        }
        let twice = format!("{},{}", key(2, random(1)), key(1, random(1)));
        assert_eq!(sealing_keys(&twice), Some("has one key under two versions"));
    }

    #[test]
    fn random_keys_are_never_weak() {
        for n in 0..20_000 {
            assert!(!is_weak_root(&random(n)), "{n}");
        }
        let both = format!("{}, {}", key(2, random(1)), key(1, random(2)));
        assert_eq!(sealing_keys(&both), None);
    }

    #[test]
    fn an_operators_token_is_long_random_and_no_placeholder() {
        for (token, wrong) in [
            ("short", "is too short to be safe"),
            (&*"t".repeat(43), "is not random"),
            (&"abcdefghijk".repeat(4), "is not random"),
            ("replace-this-with-a-random-token-0123456789", "is a placeholder"),
            ("REPLACE WITH 32 RANDOM BYTES, 0123456789", "is a placeholder"),
            ("a sentence that somebody typed in here 123", "is a placeholder"),
            ("<the operator's token of 43 characters 0123>", "is a placeholder"),
        ] {
            assert_eq!(operator_token(token), Some(wrong), "{token}");
        }
        let random = data_encoding::BASE64URL_NOPAD.encode(&random(7));
        assert_eq!(operator_token(&random), None);
    }

    #[test]
    fn a_limit_is_a_number_that_a_limiter_can_keep() {
        for wrong in ["", "0", "-1", "+5", "1.5", " 5", "5 ", "100001", "4294967296", "many"] {
            assert_eq!(limit(wrong, &(1..=LIMIT_MAX)), None, "{wrong}");
        }
        assert_eq!(limit("1", &(1..=LIMIT_MAX)), Some(1));
        assert_eq!(limit("100000", &(1..=LIMIT_MAX)), Some(100_000));
    }

    #[test]
    fn unknown_devices_have_a_place_among_the_hashes_that_wait() {
        for wrong in ["0", "1", "65", "1000"] {
            assert_eq!(limit(wrong, &HASHES_WAITING), None, "{wrong}");
        }
        assert_eq!(limit("2", &HASHES_WAITING), Some(2));
        assert_eq!(limit("64", &HASHES_WAITING), Some(64));
    }
}
