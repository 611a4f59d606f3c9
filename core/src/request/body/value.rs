//! A value of a request, with the type that it actually has.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value that should be text.
#[derive(Default)]
pub enum Text<'a> {
    /// Absent, or `null`.
    #[default]
    Absent,
    /// Text, possibly blank.
    Given(Cow<'a, str>),
    /// Of another type.
    Wrong,
}

/// A value that should be an array of text.
#[derive(Default)]
pub enum Texts<'a> {
    /// Absent, or `null`.
    #[default]
    Absent,
    /// One text instead of an array.
    One(Cow<'a, str>),
    /// An array without its blank texts; `count` is its length. At most [`Texts::KEPT`] items are kept.
    Many { items: Vec<Text<'a>>, count: usize },
    /// Of another type.
    Wrong,
}

impl Texts<'_> {
    /// More than any list may have, so that a list that is too long is noticed without storing it.
    pub const KEPT: usize = 101;
}

/// A value that should be an object.
#[derive(Default)]
pub(crate) enum Object<T> {
    /// Absent, or `null`.
    #[default]
    Absent,
    /// An object.
    Given(T),
    /// Of another type.
    Wrong,
}

/// Parses a value of any type. A type without its own method gives `WRONG`.
pub(crate) trait Lenient<'de>: Sized {
    const NULL: Self;
    const WRONG: Self;

    fn text(_: Cow<'de, str>) -> Self {
        Self::WRONG
    }
    fn array<A: SeqAccess<'de>>(mut array: A) -> Result<Self, A::Error> {
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::WRONG)
    }
    fn object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::WRONG)
    }
}

impl<'de: 'a, 'a> Lenient<'de> for Text<'a> {
    const NULL: Self = Self::Absent;
    const WRONG: Self = Self::Wrong;
    fn text(text: Cow<'de, str>) -> Self {
        Self::Given(text)
    }
}

impl<'de: 'a, 'a> Lenient<'de> for Texts<'a> {
    const NULL: Self = Self::Absent;
    const WRONG: Self = Self::Wrong;
    fn text(text: Cow<'de, str>) -> Self {
        Self::One(text)
    }
    fn array<A: SeqAccess<'de>>(array: A) -> Result<Self, A::Error> {
        let is_blank = |item: &Text<'a>| matches!(item, Text::Given(text) if text.trim().is_empty());
        let (items, count) = first(array, Self::KEPT, |item| !is_blank(item))?;
        Ok(Self::Many { items, count })
    }
}

impl<'de, T: Deserialize<'de>> Lenient<'de> for Object<T> {
    const NULL: Self = Self::Absent;
    const WRONG: Self = Self::Wrong;
    fn object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(Self::Given)
    }
}

/// The first `keep` elements of an array that count, and how many count. After the last kept one, all elements count,
/// because there are too many already.
pub(crate) fn first<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    mut array: A,
    keep: usize,
    counts: impl Fn(&T) -> bool,
) -> Result<(Vec<T>, usize), A::Error> {
    let mut items = Vec::new();
    let mut count = 0_usize;
    while items.len() < keep {
        let Some(item) = array.next_element()? else {
            return Ok((items, count));
        };
        if counts(&item) {
            items.push(item);
            count = count.saturating_add(1);
        }
    }
    while array.next_element::<IgnoredAny>()?.is_some() {
        count = count.saturating_add(1);
    }
    Ok((items, count))
}

/// A value of any type.
pub(crate) struct AnyValue<T>(pub(crate) PhantomData<T>);

impl<'de, T: Lenient<'de>> Visitor<'de> for AnyValue<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_bool<E>(self, _: bool) -> Result<T, E> {
        Ok(T::WRONG)
    }
    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(T::WRONG)
    }
    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(T::WRONG)
    }
    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(T::WRONG)
    }
    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::NULL)
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::text(Cow::Owned(text.into())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<T, A::Error> {
        T::array(array)
    }
    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::object(object)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue(PhantomData))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Texts<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue(PhantomData))
    }
}
