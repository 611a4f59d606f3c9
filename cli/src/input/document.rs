//! One JSON value: a claim, or a batch whose items are handed over as they are read.

use super::guard::Guard;
use super::{Entry, LINE_MAX, Place, Sink, unreadable};
use crate::failure::Failure;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::cell::Cell;
use std::fmt;
use std::io::Read;

/// Reads one value; `line` is where it stands if it is one of several, `first` the number of its first line.
pub(super) fn read(
    input: impl Read,
    line: Option<u64>,
    first: u64,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let since_last = Cell::new(0);
    let mut document = Document {
        line,
        sink,
        since_last: &since_last,
        failed: None,
        kept: Vec::new(),
        items: 0,
        is_batch: false,
    };
    let mut json = serde_json::Deserializer::from_reader(Guard::new(input, &since_last, LINE_MAX));
    let read = Whole(&mut document)
        .deserialize(&mut json)
        .and_then(|text| json.end().map(|()| text));
    if let Some(failure) = document.failed.take() {
        return Err(failure);
    }
    let place = Place { line, index: None };
    match read {
        Ok(text) if document.is_batch => sink(place, Entry::Envelope(&text)),
        Ok(text) => sink(place, Entry::Alone(&text)),
        Err(_) if since_last.get() > LINE_MAX => sink(place, Entry::TooLarge),
        Err(error) if error.classify() == Category::Io => Err(unreadable(error.into())),
        Err(error) => {
            let lines_before = first.saturating_sub(1);
            let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
            let entry = Entry::NotJson {
                line: count(error.line()).max(1).saturating_add(lines_before),
                column: count(error.column()).max(1),
            };
            sink(place, entry)
        }
    }
}

struct Document<'d, 's> {
    line: Option<u64>,
    sink: &'d mut Sink<'s>,
    since_last: &'d Cell<usize>,
    /// Why the sink wants no more.
    failed: Option<Failure>,
    /// The members of the object, as they are written.
    kept: Vec<String>,
    items: u64,
    is_batch: bool,
}

impl Document<'_, '_> {
    fn item<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let place = Place {
            line: self.line,
            index: Some(self.items),
        };
        self.items = self.items.saturating_add(1);
        self.since_last.set(0);
        (self.sink)(place, Entry::Item(text)).map_err(|failure| {
            self.failed = Some(failure);
            E::custom("stopped")
        })
    }
}

/// Text for the rules to judge where a value is no object. They ask only whether it is one.
const NO_OBJECT: &str = "null";

/// Reads the value; its text, without the items that were handed over.
struct Whole<'a, 'd, 's>(&'a mut Document<'d, 's>);

impl<'de> DeserializeSeed<'de> for Whole<'_, '_, '_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_any(self)
    }
}

/// The value of `claims`: its text, without the items.
struct Claims<'a, 'd, 's>(&'a mut Document<'d, 's>);

impl<'de> DeserializeSeed<'de> for Claims<'_, '_, '_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        from.deserialize_any(self)
    }
}

/// What is neither array nor object.
macro_rules! scalars {
    ($($visit:ident($type:ty)),+) => {$(
        fn $visit<E>(self, _: $type) -> Result<String, E> {
            Ok(NO_OBJECT.into())
        }
    )+};
}

impl<'de> Visitor<'de> for Whole<'_, '_, '_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    scalars!(
        visit_bool(bool),
        visit_i64(i64),
        visit_u64(u64),
        visit_f64(f64),
        visit_str(&str)
    );
    fn visit_unit<E>(self) -> Result<String, E> {
        Ok(NO_OBJECT.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<String, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(NO_OBJECT.into())
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

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    scalars!(
        visit_bool(bool),
        visit_i64(i64),
        visit_u64(u64),
        visit_f64(f64),
        visit_str(&str)
    );
    fn visit_unit<E>(self) -> Result<String, E> {
        Ok(NO_OBJECT.into())
    }
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
