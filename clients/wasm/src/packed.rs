//! A request that was an object in JavaScript. `js/pack.js` packs it into one text and a list of words.
//!
//! The text has the characters of every string that the rules read, one string behind the other. The words describe the values in the order in which they are
//! read. The low four bits of a word are its tag, the others a number:
//!
//! | tag | value | number |
//! | --- | --- | --- |
//! | 0 | `null` | |
//! | 1 | a string, which is the next part of the text | its length in units of UTF-16 |
//! | 2 | a value of a type that no rule accepts | |
//! | 3 | an array; its items follow | how many items |
//! | 4 | a string, or an object with a key, that is not Unicode, so JSON text of it cannot be read | |
//! | 5 to 8 | an object of [`OBJECTS`]; its values follow | a bit for each key that is there, and one above them for other keys |
//!
//! The reader trusts none of it: invalid words cause an error, never a panic, and nothing recurses.

use core::fmt;
use overturn_core::base::instant::Instant;
use overturn_core::claims::check::{CheckReport, OBJECTS, check_value};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

const NULL: u32 = 0;
const TEXT: u32 = 1;
const WRONG: u32 = 2;
const LIST: u32 = 3;
const NOT_UNICODE: u32 = 4;
const FIRST_OBJECT: u32 = 5;

/// The report that the service would give for a packed request at `now`. Returns `None` if the text cannot be split
/// into its strings because one ends within a character. Then the strings have to be packed one by one.
#[must_use]
pub fn check(text: &str, words: &[u32], now: Instant) -> Option<CheckReport> {
    let mut source = Source { text, words, is_split: false };
    let report = check_value(&mut source, now);
    (!source.is_split).then_some(report)
}

/// The part that is still to be read.
struct Source<'de> {
    text: &'de str,
    words: &'de [u32],
    is_split: bool,
}

impl<'de> Source<'de> {
    /// The tag and the number of the next word.
    fn word(&mut self) -> Result<(u32, u32), PackedError> {
        let (word, rest) = self.words.split_first().ok_or(PackedError)?;
        self.words = rest;
        Ok((word & 15, word >> 4))
    }

    /// The next string, `units` units of UTF-16 long.
    fn string(&mut self, units: u32) -> Result<&'de str, PackedError> {
        // A `usize` has 32 bits at least wherever this is built.
        let units = usize::try_from(units).map_err(|_| PackedError)?;
        // Up to its first character outside ASCII, a string has one byte for each unit.
        let bytes = match self.text.as_bytes().get(..units) {
            Some(start) if start.is_ascii() => units,
            _ => self.bytes_of(units)?,
        };
        let (string, rest) = self.text.split_at_checked(bytes).ok_or(PackedError)?;
        self.text = rest;
        Ok(string)
    }

    fn bytes_of(&mut self, units: usize) -> Result<usize, PackedError> {
        let (mut bytes, mut counted) = (0_usize, 0_usize);
        let mut characters = self.text.chars();
        while counted < units {
            let character = characters.next().ok_or(PackedError)?;
            bytes = bytes.saturating_add(character.len_utf8());
            counted = counted.saturating_add(character.len_utf16());
        }
        if counted > units {
            self.is_split = true;
            return Err(PackedError);
        }
        Ok(bytes)
    }

    /// Skips the next value.
    fn skip(&mut self) -> Result<(), PackedError> {
        let mut values = 1_u64;
        while let Some(rest) = values.checked_sub(1) {
            values = rest;
            match self.word()? {
                (TEXT, units) => {
                    self.string(units)?;
                }
                (LIST, count) => values = values.saturating_add(count.into()),
                (tag, mask) => {
                    if let Some(keys) = keys(tag) {
                        let known = mask & bit(keys).saturating_sub(1);
                        values = values.saturating_add(known.count_ones().into());
                    }
                }
            }
        }
        Ok(())
    }
}

/// How many keys the kind of object with this tag has.
fn keys(tag: u32) -> Option<u32> {
    let kind = tag.checked_sub(FIRST_OBJECT)?;
    let keys = OBJECTS.get(usize::try_from(kind).ok()?)?;
    u32::try_from(keys.len()).ok()
}

fn bit(nth: u32) -> u32 {
    1_u32.checked_shl(nth).unwrap_or_default()
}

impl<'de> Deserializer<'de> for &mut Source<'de> {
    type Error = PackedError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackedError> {
        match self.word()? {
            (NULL, _) => visitor.visit_unit(),
            (TEXT, units) => visitor.visit_borrowed_str(self.string(units)?),
            (WRONG, _) => visitor.visit_bool(false),
            (LIST, count) => visitor.visit_seq(Items { source: self, count }),
            (NOT_UNICODE, _) => Err(PackedError),
            (tag, mask) => {
                visitor.visit_map(Entries { source: self, keys: keys(tag).ok_or(PackedError)?, next: 0, mask })
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackedError> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}

struct Items<'s, 'de> {
    source: &'s mut Source<'de>,
    count: u32,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = PackedError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, PackedError> {
        let Some(rest) = self.count.checked_sub(1) else {
            return Ok(None);
        };
        self.count = rest;
        seed.deserialize(&mut *self.source).map(Some)
    }
}

struct Entries<'s, 'de> {
    source: &'s mut Source<'de>,
    /// How many keys the kind of object has.
    keys: u32,
    /// The index of the key to look for next.
    next: u32,
    mask: u32,
}

/// The index of every unknown key. The words have no values for these keys.
const OTHER: u64 = u64::MAX;

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = PackedError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, PackedError> {
        while self.next <= self.keys {
            let nth = self.next;
            self.next = nth.saturating_add(1);
            if self.mask & bit(nth) != 0 {
                let key = if nth < self.keys { nth.into() } else { OTHER };
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, PackedError> {
        if self.next > self.keys {
            return seed.deserialize(().into_deserializer());
        }
        seed.deserialize(&mut *self.source)
    }
}

/// The words and the text do not describe a JSON value.
#[derive(Debug, thiserror::Error)]
#[error("the value has no form in JSON")]
struct PackedError;

impl Error for PackedError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests;
