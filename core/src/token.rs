//! API keys: their text, their checksum, and the hash that is all the service keeps (interface: Authentication).
//!
//! ```text
//! ovt_live_ <33 characters of base62: 192 random bits> <6 characters of base62: CRC32 of all before>
//! ```

use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use sha2::{Digest, Sha256};

/// Where a service runs, as far as its keys are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Realm {
    /// Production: `ovt_live_`.
    Live,
    /// Every other environment: `ovt_test_`.
    Test,
}

impl Realm {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Live => "ovt_live_",
            Self::Test => "ovt_test_",
        }
    }
}

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM: usize = 33;
const CHECKSUM: usize = 6;
/// How much of a key may be shown after its creation, to tell keys apart.
const HINT: usize = 13;

/// The text of an API key. Whoever holds it can act as the practice: it is not printed by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// Why a text cannot be an API key, found without asking anyone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// It does not start with an environment's prefix.
    Prefix,
    /// It has the wrong length or characters.
    Form,
    /// Its checksum does not fit: it was mistyped or cut.
    Checksum,
}

impl ApiKey {
    /// A new key from 24 bytes of a cryptographic source.
    #[must_use]
    pub fn mint(realm: Realm, random: [u8; 24]) -> Self {
        let mut text = String::with_capacity(64);
        text.push_str(realm.prefix());
        push_base62(&mut text, random, RANDOM);
        let sum = checksum(&text);
        text.push_str(&sum);
        Self(text)
    }

    /// The environment that minted the key.
    #[must_use]
    pub fn realm(&self) -> Realm {
        if self.0.starts_with(Realm::Live.prefix()) {
            Realm::Live
        } else {
            Realm::Test
        }
    }

    /// The key itself, to be shown once.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The first characters, enough to tell a practice's keys apart and no help in guessing one.
    #[must_use]
    pub fn hint(&self) -> &str {
        self.0.get(..HINT).unwrap_or_default()
    }

    /// SHA-256 of the key in hexadecimal: what is stored and looked up. The key has 192 random bits, so a slow
    /// hash would protect nothing.
    #[must_use]
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.0.as_bytes()))
    }
}

impl FromStr for ApiKey {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let rest = [Realm::Live, Realm::Test]
            .into_iter()
            .find_map(|realm| text.strip_prefix(realm.prefix()))
            .ok_or(Malformed::Prefix)?;
        if rest.len() != RANDOM + CHECKSUM || !rest.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(Malformed::Form);
        }
        let (body, sum) = text
            .split_at_checked(text.len().saturating_sub(CHECKSUM))
            .ok_or(Malformed::Form)?;
        if checksum(body) != sum {
            return Err(Malformed::Checksum);
        }
        Ok(Self(text.into()))
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}…)", self.hint())
    }
}

fn checksum(text: &str) -> String {
    let mut sum = String::with_capacity(CHECKSUM);
    push_base62(
        &mut sum,
        crc32fast::hash(text.as_bytes()).to_be_bytes(),
        CHECKSUM,
    );
    sum
}

/// Appends a big-endian number in exactly `width` digits, the least significant first.
fn push_base62<const N: usize>(text: &mut String, mut number: [u8; N], width: usize) {
    for _ in 0..width {
        let mut remainder = 0_u16;
        for byte in &mut number {
            let value = (remainder << 8) | u16::from(*byte);
            *byte = u8::try_from(value / 62).unwrap_or_default();
            remainder = value % 62;
        }
        text.push(
            ALPHABET
                .get(usize::from(remainder))
                .map_or('0', |b| char::from(*b)),
        );
    }
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| {
        DIGITS
            .get(usize::from(nibble))
            .map_or('0', |b| char::from(*b))
    };
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use proptest::prelude::*;

    #[test]
    fn the_form_of_a_key_is_pinned() {
        let key = ApiKey::mint(Realm::Test, [7; 24]);
        assert_eq!(
            key.expose(),
            "ovt_test_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh40nSetp0"
        );
        assert_eq!(
            key.hash(),
            "084717fc78e9af895f2e7b2d38b6c15a29e136ec12dc49c75d07cf8ee37b802b"
        );
        assert_eq!(alloc::format!("{key:?}"), "ApiKey(ovt_test_3Ueu…)");
        assert_eq!(ApiKey::mint(Realm::Live, [0; 24]).realm(), Realm::Live);
    }

    #[test]
    fn a_text_that_is_no_key_is_told_apart_without_asking_anyone() {
        assert_eq!("".parse::<ApiKey>(), Err(Malformed::Prefix));
        assert_eq!("sk_live_abc".parse::<ApiKey>(), Err(Malformed::Prefix));
        assert_eq!("ovt_test_short".parse::<ApiKey>(), Err(Malformed::Form));
        let cut = "ovt_test_".to_owned() + &"é".repeat(19) + "x";
        assert_eq!(cut.parse::<ApiKey>(), Err(Malformed::Form));
    }

    use alloc::borrow::ToOwned;

    proptest! {
        #![proptest_config(crate::testing::config())]
        #[test]
        fn a_key_reads_back_and_any_one_wrong_character_is_noticed(
            random in any::<[u8; 24]>(), live in any::<bool>(), at in 9_usize..48, to in 0_usize..62,
        ) {
            let key = ApiKey::mint(if live { Realm::Live } else { Realm::Test }, random);
            prop_assert_eq!(key.expose().parse::<ApiKey>(), Ok(key.clone()));
            let mut typed = key.expose().as_bytes().to_vec();
            typed[at] = ALPHABET[to];
            let typed = String::from_utf8(typed).unwrap();
            prop_assert_eq!(typed.parse::<ApiKey>().is_ok(), typed == key.expose());
        }

        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in "(ovt_(live|test)_)?\\PC{0,60}") {
            let _ = text.parse::<ApiKey>();
        }
    }
}
