//! API keys of practices and API tokens of people: their text, their checksum, and their hash, which is all that the
//! service stores (interface: Authentication).
//!
//! ```text
//! ovt_live_ <30 random characters of base62: 176 bits> <3 for the cell that made it> <6 for the CRC32 of all before>
//! ```
//!
//! A token has `ovu_` instead of `ovt_` and is otherwise the same. Only random characters are in the hint.

use crate::base::cell::Cell;
#[cfg(feature = "schema")]
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use crc::{CRC_32_ISO_HDLC, Crc};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The kind of environment, which decides the prefix of its keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Realm {
    /// Production: `ovt_live_`, `ovu_live_`.
    Live,
    /// Every other environment: `ovt_test_`, `ovu_test_`.
    Test,
}

/// The kind of a token: a practice's key or a person's token.
pub trait Kind {
    /// The prefix in production.
    const LIVE: &'static str;
    /// The prefix in every other environment.
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

/// A practice's key to the claims interface. Its holder can act as the practice.
pub type ApiKey = Token<OfPractice>;

/// A person's token for integrations. Its holder can act as the person, within its scopes.
pub type ApiToken = Token<OfPerson>;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM: usize = 30;
const CELL: usize = 3;
const CHECKSUM: usize = 6;
/// How many characters of a key may be shown later, to tell keys apart.
const HINT: usize = 13;

/// The text of a key or token. `Debug` prints only the hint.
#[derive(Clone, PartialEq, Eq)]
pub struct Token<K> {
    text: String,
    kind: PhantomData<K>,
}

/// Why a text cannot be a key or token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TokenError {
    /// It does not start with an environment's prefix.
    #[error("the text does not start as one")]
    Prefix,
    /// It has the wrong length or characters.
    #[error("the length or the characters are wrong")]
    Form,
    /// Its checksum is wrong: it was mistyped or cut.
    #[error("the checksum does not fit")]
    Checksum,
}

#[cfg(feature = "schema")]
impl<K: Kind> schemars::JsonSchema for Token<K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        K::NAME.into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let length = RANDOM + CELL + CHECKSUM;
        schemars::json_schema!({
            "type": "string", "pattern": alloc::format!("^({}|{})[0-9A-Za-z]{{{length}}}$", K::LIVE, K::TEST),
        })
    }
}

impl<K: Kind> Token<K> {
    /// A new one from 24 bytes of a cryptographic source, with the stamp of its cell.
    #[must_use]
    pub fn mint(realm: Realm, random: [u8; 24]) -> Self {
        let mut text = String::with_capacity(64);
        text.push_str(Self::prefix(realm));
        let [random @ .., high, low] = random;
        push_base62(&mut text, random, RANDOM);
        push_base62(&mut text, [high, low], CELL);
        let sum = checksum(&text);
        text.push_str(&sum);
        Self::of(text)
    }

    /// True if a text has the prefix of this kind. The rest is not checked.
    #[must_use]
    pub fn is_meant_by(text: &str) -> bool {
        text.starts_with(K::LIVE) || text.starts_with(K::TEST)
    }

    /// The environment that minted it.
    #[must_use]
    pub fn realm(&self) -> Realm {
        if self.text.starts_with(K::LIVE) { Realm::Live } else { Realm::Test }
    }

    /// The cell that made it.
    #[must_use]
    pub fn cell(&self) -> Cell {
        let digits = self.text.bytes().skip(K::LIVE.len().saturating_add(RANDOM)).take(CELL);
        let values = digits.rev().filter_map(|digit| (0_u32..).zip(ALPHABET).find(|(_, one)| **one == digit));
        let number = values.fold(0_u32, |number, (value, _)| number.wrapping_mul(62).wrapping_add(value));
        Cell(u16::try_from(number).unwrap_or_default())
    }

    /// The text itself, to be shown once.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The first characters: enough to tell an owner's keys apart, and no help in guessing one.
    #[must_use]
    pub fn hint(&self) -> &str {
        self.text.get(..HINT).unwrap_or_default()
    }

    /// SHA-256 of the text in hexadecimal: the form that is stored and looked up. The text has 176 random bits, so a
    /// slow hash would add no protection.
    #[must_use]
    pub fn hash(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.text.as_bytes()))
    }

    const fn prefix(realm: Realm) -> &'static str {
        match realm {
            Realm::Live => K::LIVE,
            Realm::Test => K::TEST,
        }
    }

    const fn of(text: String) -> Self {
        Self { text, kind: PhantomData }
    }
}

impl<K: Kind> FromStr for Token<K> {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let rest = [Realm::Live, Realm::Test]
            .into_iter()
            .find_map(|realm| text.strip_prefix(Self::prefix(realm)))
            .ok_or(TokenError::Prefix)?;
        if rest.len() != RANDOM + CELL + CHECKSUM || !rest.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(TokenError::Form);
        }
        let (body, sum) = text.split_at_checked(text.len().saturating_sub(CHECKSUM)).ok_or(TokenError::Form)?;
        if checksum(body) != sum {
            return Err(TokenError::Checksum);
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
    // A faster checksum has tables of 17 KB, and a token has some forty bytes.
    static CRC32: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    let mut sum = String::with_capacity(CHECKSUM);
    let number = CRC32.checksum(text.as_bytes());
    push_base62(&mut sum, number.to_be_bytes(), CHECKSUM);
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
        text.push(ALPHABET.get(usize::from(remainder)).map_or('0', |b| char::from(*b)));
    }
}

#[cfg(test)]
mod tests;
