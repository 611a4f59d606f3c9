//! API keys of practices and API tokens of persons: their text, their checksum, and the hash that is all the service
//! keeps (interface: Authentication).
//!
//! ```text
//! ovt_live_ <33 characters of base62: 192 random bits> <6 characters of base62: CRC32 of all before>
//! ```
//!
//! A token has `ovu_` for `ovt_` and is otherwise the same. Which of the two a text is, its first characters say.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use sha2::{Digest, Sha256};

/// Where a service runs, as far as its keys are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Realm {
    /// Production: `ovt_live_`, `ovu_live_`.
    Live,
    /// Every other environment: `ovt_test_`, `ovu_test_`.
    Test,
}

/// Who acts by a token.
pub trait Kind {
    /// What its text starts with in production.
    const LIVE: &'static str;
    /// What its text starts with in every other environment.
    const TEST: &'static str;
    /// The name of its type, for `Debug`.
    const NAME: &'static str;
}

/// The kind of an [`ApiKey`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfPractice {}

impl Kind for OfPractice {
    const LIVE: &'static str = "ovt_live_";
    const TEST: &'static str = "ovt_test_";
    const NAME: &'static str = "ApiKey";
}

/// The kind of an [`ApiToken`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfPerson {}

impl Kind for OfPerson {
    const LIVE: &'static str = "ovu_live_";
    const TEST: &'static str = "ovu_test_";
    const NAME: &'static str = "ApiToken";
}

/// The key of a practice to the claims interface: whoever holds it can act as the practice.
pub type ApiKey = Token<OfPractice>;

/// A token of a person for integrations: whoever holds it can act as the person, as far as its scopes go.
pub type ApiToken = Token<OfPerson>;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM: usize = 33;
const CHECKSUM: usize = 6;
/// How much of a key may be shown after its creation, to tell keys apart.
const HINT: usize = 13;

/// The text of a key or token, of which `Debug` prints the hint only.
#[derive(Clone, PartialEq, Eq)]
pub struct Token<K> {
    text: String,
    kind: PhantomData<K>,
}

/// Why a text cannot be a key or token, found without asking anyone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// It does not start with an environment's prefix.
    Prefix,
    /// It has the wrong length or characters.
    Form,
    /// Its checksum does not fit: it was mistyped or cut.
    Checksum,
}

impl<K: Kind> Token<K> {
    /// A new one from 24 bytes of a cryptographic source.
    #[must_use]
    pub fn mint(realm: Realm, random: [u8; 24]) -> Self {
        let mut text = String::with_capacity(64);
        text.push_str(Self::prefix(realm));
        push_base62(&mut text, random, RANDOM);
        let sum = checksum(&text);
        text.push_str(&sum);
        Self::of(text)
    }

    /// The environment that minted it.
    #[must_use]
    pub fn realm(&self) -> Realm {
        if self.text.starts_with(K::LIVE) {
            Realm::Live
        } else {
            Realm::Test
        }
    }

    /// The text itself, to be shown once.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The first characters, enough to tell an owner's keys apart and no help in guessing one.
    #[must_use]
    pub fn hint(&self) -> &str {
        self.text.get(..HINT).unwrap_or_default()
    }

    /// SHA-256 of the text in hexadecimal: what is stored and looked up. The text has 192 random bits, so a slow
    /// hash would protect nothing.
    #[must_use]
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.text.as_bytes()))
    }

    const fn prefix(realm: Realm) -> &'static str {
        match realm {
            Realm::Live => K::LIVE,
            Realm::Test => K::TEST,
        }
    }

    const fn of(text: String) -> Self {
        Self {
            text,
            kind: PhantomData,
        }
    }
}

impl<K: Kind> FromStr for Token<K> {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let rest = [Realm::Live, Realm::Test]
            .into_iter()
            .find_map(|realm| text.strip_prefix(Self::prefix(realm)))
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
        Ok(Self::of(text.into()))
    }
}

impl<K: Kind> fmt::Debug for Token<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}…)", K::NAME, self.hint())
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
    fn a_token_has_the_form_of_a_key_and_another_prefix() {
        let token = ApiToken::mint(Realm::Live, [7; 24]);
        let (body, sum) = token.expose().split_at(42);
        assert_eq!(body, "ovu_live_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh40");
        assert_eq!(sum, checksum(body));
        assert_eq!(token.hint(), "ovu_live_3Ueu");
        assert_eq!(alloc::format!("{token:?}"), "ApiToken(ovu_live_3Ueu…)");
        assert_eq!(token.realm(), Realm::Live);
        assert_eq!(ApiToken::mint(Realm::Test, [0; 24]).realm(), Realm::Test);
    }

    #[test]
    fn a_key_is_no_token_and_a_token_is_no_key() {
        let (key, token) = (
            ApiKey::mint(Realm::Test, [7; 24]),
            ApiToken::mint(Realm::Test, [7; 24]),
        );
        assert_eq!(key.expose().parse::<ApiToken>(), Err(Malformed::Prefix));
        assert_eq!(token.expose().parse::<ApiKey>(), Err(Malformed::Prefix));
        assert_eq!(token.expose().parse(), Ok(token.clone()));
        // A prefix changed by hand does not fit the checksum.
        let changed = token.expose().replace("ovu_", "ovt_");
        assert_eq!(changed.parse::<ApiKey>(), Err(Malformed::Checksum));
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
