//! Reads one JSON value: a claim, or a batch whose items are passed on as they are read.

use super::guard::Guard;
use super::{Broken, Entry, Fault, Hidden, LINE_MAX, Place, Position, Sink, unreadable};
use crate::error::CommandError;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::cell::Cell;
use std::fmt;
use std::io::Read;

/// Reads an input that is one value. `line` is its line in a file of several values, and `first` the number of its
/// first line.
pub(super) fn read(input: impl Read, line: Option<u64>, first: u64, sink: &mut Sink<'_>) -> Result<(), CommandError> {
    let since_last = Cell::new(0);
    let mut document =
        Document { line, sink, since_last: &since_last, failed: None, kept: Vec::new(), items: 0, is_batch: false };
    let mut guard = Guard::new(input, &since_last, LINE_MAX);
    let mut json = serde_json::Deserializer::from_reader(&mut guard);
    let read = Whole(&mut document).deserialize(&mut json);
    let is_whole = read.is_ok();
    let read = read.and_then(|text| json.end().map(|()| text));
    if let Some(failure) = document.failed.take() {
        return Err(failure);
    }
    let place = Place { line, index: None };
    let error = match read {
        Ok(text) => {
            let is_batch = document.is_batch;
            let entry = if is_batch { Entry::Envelope } else { Entry::Alone };
            return sink(place, entry(&text));
        }
        Err(error) => error,
    };
    let hides = match (line, document.items) {
        (None, _) => Hidden::RestOfFile,
        (Some(_), 0) => Hidden::Nothing,
        (Some(_), _) => Hidden::RestOfLine,
    };
    let at = position(&error, first);
    let fault = if since_last.get() > LINE_MAX {
        Fault::TooLarge
    } else if error.classify() == Category::Io {
        return Err(unreadable(error.into()));
    } else if is_whole {
        Fault::Several(at)
    } else if is_not_utf_8(&error) {
        Fault::NotUtf8(at)
    } else {
        Fault::NotJson(at)
    };
    sink(place, Entry::Broken(Broken { fault, hides }))
}

fn position(error: &serde_json::Error, first: u64) -> Position {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX).max(1);
    let lines_before = first.saturating_sub(1);
    Position { line: count(error.line()).saturating_add(lines_before), column: count(error.column()) }
}

/// serde_json reports this error only in its message.
fn is_not_utf_8(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("invalid unicode code point")
}

struct Document<'d, 's> {
    line: Option<u64>,
    sink: &'d mut Sink<'s>,
    since_last: &'d Cell<usize>,
    /// The error of the sink that ended the reading.
    failed: Option<CommandError>,
    /// The members of the object, as JSON text.
    kept: Vec<String>,
    items: u64,
    is_batch: bool,
}

impl Document<'_, '_> {
    fn item<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let place = Place { line: self.line, index: Some(self.items) };
        self.items = self.items.saturating_add(1);
        self.since_last.set(0);
        // A sound batch has the key `claims` once, and no other key.
        let is_sound = self.kept.is_empty();
        let entry = if is_sound { Entry::Item } else { Entry::Stray };
        (self.sink)(place, entry(text)).map_err(|failure| {
            self.failed = Some(failure);
            E::custom("stopped")
        })
    }
}

/// Stands for a value that is not an object. The rules ask only whether it is one.
const NO_OBJECT: &str = "null";
/// Stands for an array. The advice on what to write instead differs for arrays.
const ARRAY: &str = "[]";

/// Reads the value. Yields its text, without the items that were passed on.
struct Whole<'a, 'd, 's>(&'a mut Document<'d, 's>);

impl<'de> DeserializeSeed<'de> for Whole<'_, '_, '_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_any(self)
    }
}

/// Reads the value of `claims`. Yields its text, without the items.
struct Claims<'a, 'd, 's>(&'a mut Document<'d, 's>);

impl<'de> DeserializeSeed<'de> for Claims<'_, '_, '_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_any(self)
    }
}

/// Visits every kind of value but arrays and objects, all in the same way.
macro_rules! any_scalar {
    ($($visit:ident($($value:ident: $type:ty)?)),+) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any value")
        }
        $(fn $visit<E>(self, $($value: $type)?) -> Result<String, E> {
            Ok(NO_OBJECT.into())
        })+
    };
    () => {
        any_scalar!(
            visit_unit(),
            visit_bool(_value: bool),
            visit_i64(_value: i64),
            visit_u64(_value: u64),
            visit_f64(_value: f64),
            visit_str(_value: &str)
        );
    };
}

impl<'de> Visitor<'de> for Whole<'_, '_, '_> {
    type Value = String;

    any_scalar!();
    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<String, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {
            // An item may be long: the bytes since the last item start at 0 again.
            self.0.since_last.set(0);
        }
        Ok(ARRAY.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<String, A::Error> {
        while let Some(key) = object.next_key::<String>()? {
            let value = if key == "claims" {
                self.0.is_batch = true;
                object.next_value_seed(Claims(self.0))?
            } else {
                object.next_value::<Box<RawValue>>()?.get().to_owned()
            };
            let key = serde_json::to_string(&key).map_err(A::Error::custom)?;
            self.0.kept.push(format!("{key}:{value}"));
        }
        Ok(format!("{{{}}}", self.0.kept.join(",")))
    }
}

impl<'de> Visitor<'de> for Claims<'_, '_, '_> {
    type Value = String;

    any_scalar!();
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<String, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(NO_OBJECT.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<String, A::Error> {
        let before = self.0.items;
        while let Some(item) = array.next_element::<Box<RawValue>>()? {
            self.0.item(item.get())?;
        }
        let empty = self.0.items == before;
        Ok(if empty { "[]" } else { "[null]" }.into())
    }
}
