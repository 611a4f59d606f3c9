//! A JSON object as it came, each value with the type that it has. One reader serves all declared bodies, so a body adds
//! no code of its own to it.

use overturn_core::base::names::listed;
use overturn_core::base::text::is_blank;
use overturn_core::request::body::{ObjectKey, Text, Texts, json};
use overturn_core::request::field::{Problems, repeated};
use overturn_core::request::problem::{Problem, Rule};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// What is kept of the value of a key. The rest is skipped without recursion, however deeply it nests.
#[derive(Clone, Copy)]
pub enum Shape {
    /// No array and no object.
    One,
    /// Texts. Blank ones do not count.
    Texts,
    /// Objects with these keys.
    Objects(&'static [Key]),
    Object(&'static [Key]),
    /// An object with any keys.
    AnyObject,
}

/// Which keys a body may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    Any,
    /// Only the declared ones.
    Only,
    /// Only the declared ones, and at least one.
    Some,
}

/// A key of an object, with its name.
pub type Key = (&'static str, Shape);

/// A value of a body.
#[derive(Default)]
pub enum Raw<'a> {
    #[default]
    Absent,
    Null,
    Flag(bool),
    Whole(i64),
    Text(Cow<'a, str>),
    /// The first items of an array, and how many it has. At most `Texts::KEPT` are kept.
    List(Vec<Raw<'a>>, usize),
    Object(RawObject<'a>),
    AnyObject(Map<String, Value>),
    /// A type that the field does not take, or a number out of range.
    Wrong,
    /// A value that another field makes meaningless.
    Ignored,
}

/// The values of an object's keys.
pub struct RawObject<'a> {
    keys: &'static [Key],
    values: Vec<Option<Raw<'a>>>,
    repeated: Vec<&'static str>,
    unknown: bool,
}

impl<'a> Raw<'a> {
    /// The value, unless it means nothing.
    pub fn only_if(self, counts: bool) -> Self {
        if counts { self } else { Self::Ignored }
    }

    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent | Self::Null | Self::Ignored)
    }

    /// `null`, blank text and an empty array are the same as absent.
    pub fn is_missing(&self, shape: Shape) -> bool {
        match self {
            Self::Text(text) => matches!(shape, Shape::One) && is_blank(text),
            Self::List(_, count) => *count == 0,
            other => other.is_absent(),
        }
    }

    pub fn text(self) -> Text<'a> {
        match self {
            Self::Absent | Self::Null | Self::Ignored => Text::Absent,
            Self::Text(text) => Text::Given(text),
            _ => Text::Wrong,
        }
    }

    pub(crate) fn texts(self) -> Texts<'a> {
        match self {
            Self::Absent | Self::Null | Self::Ignored => Texts::Absent,
            Self::Text(text) => Texts::One(text),
            Self::List(items, count) => Texts::Many { items: items.into_iter().map(Raw::text).collect(), count },
            _ => Texts::Wrong,
        }
    }
}

impl<'a> RawObject<'a> {
    /// An object from another source than JSON. A form or a query refuses what it does not know itself, and may have been
    /// given names twice that are not keys of this object.
    pub fn of(
        keys: &'static [Key],
        value: impl Fn(&'static str) -> Option<Raw<'a>>,
        repeated: &[&'static str],
    ) -> Self {
        let values = keys.iter().map(|(name, _)| value(name)).collect();
        let repeated = repeated.iter().copied().filter(|name| keys.iter().any(|(key, _)| key == name));
        Self { keys, values, repeated: repeated.collect(), unknown: false }
    }

    /// Adds the problems of its keys.
    pub fn open(&self, p: &mut Problems, keys: Keys) {
        repeated(p, "", &self.repeated);
        if self.unknown && keys != Keys::Any {
            p.add_to_whole(Rule::OnlyKeys(self.listed("and").into()));
        }
    }

    /// Adds the problem of an edit that says nothing.
    pub fn say_something(&self, p: &mut Problems) {
        if p.count() == 0 {
            p.add_to_whole(Rule::SomeKeys(self.listed("or").into()));
        }
    }

    /// Takes the value of a key.
    pub fn take(&mut self, name: &str) -> Raw<'a> {
        let mut values = self.keys.iter().zip(&mut self.values);
        let value = values.find(|((key, _), _)| *key == name);
        value.and_then(|(_, value)| value.take()).unwrap_or_default()
    }

    fn listed(&self, last: &str) -> String {
        let names: Vec<&str> = self.keys.iter().map(|(name, _)| *name).collect();
        listed(&names, last)
    }
}

/// Parses a body that must be an object.
pub(crate) fn read<'a>(bytes: &'a [u8], keys: &'static [Key]) -> Result<RawObject<'a>, Problem> {
    match json(bytes, Shape::Object(keys))? {
        Raw::Object(object) => Ok(object),
        _ => Err(Problem::of_body(Rule::Object)),
    }
}

impl<'de> DeserializeSeed<'de> for Shape {
    type Value = Raw<'de>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Raw<'de>, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Shape {
    type Value = Raw<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_bool<E>(self, flag: bool) -> Result<Raw<'de>, E> {
        Ok(Raw::Flag(flag))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Raw<'de>, E> {
        Ok(Raw::Whole(number))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Raw<'de>, E> {
        Ok(i64::try_from(number).map_or(Raw::Wrong, Raw::Whole))
    }
    fn visit_f64<E>(self, _: f64) -> Result<Raw<'de>, E> {
        Ok(Raw::Wrong)
    }
    fn visit_unit<E>(self) -> Result<Raw<'de>, E> {
        Ok(Raw::Null)
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Raw<'de>, E> {
        Ok(Raw::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Raw<'de>, E> {
        Ok(Raw::Text(Cow::Owned(text.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Raw<'de>, A::Error> {
        let (of, skips_blank) = match self {
            Self::Texts => (Self::One, true),
            Self::Objects(keys) => (Self::Object(keys), false),
            Self::One | Self::Object(_) | Self::AnyObject => {
                while array.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(Raw::Wrong);
            }
        };
        let mut items = Vec::new();
        while items.len() < Texts::KEPT {
            let Some(item) = array.next_element_seed(of)? else {
                let count = items.len();
                return Ok(Raw::List(items, count));
            };
            if !(skips_blank && matches!(&item, Raw::Text(text) if text.trim().is_empty())) {
                items.push(item);
            }
        }
        // There are too many already, so the others count without a look.
        let mut count = items.len();
        while array.next_element::<IgnoredAny>()?.is_some() {
            count = count.saturating_add(1);
        }
        Ok(Raw::List(items, count))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw<'de>, A::Error> {
        let keys = match self {
            Self::Object(keys) => keys,
            Self::AnyObject => return Map::deserialize(MapAccessDeserializer::new(map)).map(Raw::AnyObject),
            Self::One | Self::Texts | Self::Objects(_) => {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(Raw::Wrong);
            }
        };
        let values = keys.iter().map(|_| None).collect();
        let mut object = RawObject { keys, values, repeated: Vec::new(), unknown: false };
        while let Some(key) = map.next_key()? {
            let mut known = keys.iter().zip(&mut object.values);
            match known.find(|((name, _), _)| matches!(&key, ObjectKey::Text(text) if text == name)) {
                Some(((name, shape), value)) => {
                    if value.replace(map.next_value_seed(*shape)?).is_some() && !object.repeated.contains(name) {
                        object.repeated.push(name);
                    }
                }
                None => {
                    object.unknown = true;
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Raw::Object(object))
    }
}
