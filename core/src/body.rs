//! The JSON of a send request, read without judging it.
//!
//! A field of the wrong type does not end the reading, because a request's every problem is listed, not only the
//! first. So each value is read as what it turned out to be, and [`crate::validate`] says what is wrong with it.
//! Text is borrowed from the body where JSON allows it. Unknown keys are skipped without recursion, however
//! deep they nest.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value that was to be text.
#[derive(Default)]
pub(crate) enum Text<'a> {
    /// Not there, or `null`.
    #[default]
    Absent,
    /// Text, possibly blank.
    Given(Cow<'a, str>),
    /// Of another type.
    Wrong,
}

/// A value that was to be an array of text.
#[derive(Default)]
pub(crate) enum Texts<'a> {
    /// Not there, or `null`.
    #[default]
    Absent,
    /// One text in place of an array.
    One(Cow<'a, str>),
    /// An array; `count` is its length, of which at most [`Texts::KEPT`] are kept.
    Many { items: Vec<Text<'a>>, count: usize },
    /// Of another type.
    Wrong,
}

impl Texts<'_> {
    /// More than any list may have, so that a list too long is noticed and not stored.
    pub(crate) const KEPT: usize = 101;
}

/// A value that was to be an object.
#[derive(Default)]
pub(crate) enum Object<T> {
    /// Not there, or `null`.
    #[default]
    Absent,
    /// An object.
    Given(T),
    /// Of another type.
    Wrong,
}

/// The value of `claims`.
#[derive(Default)]
pub(crate) enum Batch<'a> {
    /// Not there: the envelope is a single item. (`null` counts as there.)
    #[default]
    Absent,
    /// An array; `count` is its length, of which at most [`Batch::MAX`] are kept.
    Items {
        items: Vec<Object<RawItem<'a>>>,
        count: usize,
    },
    /// Of another type.
    Wrong,
}

impl Batch<'_> {
    /// Claims per send request (interface: Limits).
    pub(crate) const MAX: usize = 100;
}

/// How a value is read whatever its type: what is not overridden is `WRONG`.
trait Lenient<'de>: Sized {
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
        let (items, count) = first(array, Self::KEPT)?;
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

impl<'de: 'a, 'a> Lenient<'de> for Batch<'a> {
    const NULL: Self = Self::Wrong;
    const WRONG: Self = Self::Wrong;
    fn array<A: SeqAccess<'de>>(array: A) -> Result<Self, A::Error> {
        let (items, count) = first(array, Self::MAX)?;
        Ok(Self::Items { items, count })
    }
}

/// The first `keep` elements of an array, and how many it has.
fn first<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    mut array: A,
    keep: usize,
) -> Result<(Vec<T>, usize), A::Error> {
    let mut items = Vec::new();
    let mut count = 0_usize;
    while items.len() < keep {
        let Some(item) = array.next_element()? else {
            return Ok((items, count));
        };
        items.push(item);
        count = count.saturating_add(1);
    }
    while array.next_element::<IgnoredAny>()?.is_some() {
        count = count.saturating_add(1);
    }
    Ok((items, count))
}

struct AnyValue<T>(PhantomData<T>);

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

macro_rules! read_any_value {
    ($([$($generics:tt)*] $type:ty),+) => {$(
        impl<'de: 'a, 'a, $($generics)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_any(AnyValue(PhantomData))
            }
        }
    )+};
}
read_any_value!([] Text<'a>, [] Texts<'a>, [] Batch<'a>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue(PhantomData))
    }
}

/// A key of an object, borrowed unless it is written with escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.into())))
            }
        }
        from.deserialize_str(KeyVisitor)
    }
}

/// An object with the named keys, each read once. `repeated` lists the known keys that came again, which JSON
/// allows and whose meaning nobody can know; `unknown` says whether there were other keys.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident { $($key:ident: $type:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name<'a> {
            $(pub(crate) $key: $type,)+
            pub(crate) repeated: Vec<&'static str>,
            pub(crate) unknown: bool,
        }

        impl<'de: 'a, 'a> Deserialize<'de> for $name<'a> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct ObjectVisitor<'a>(PhantomData<&'a ()>);
                impl<'de: 'a, 'a> Visitor<'de> for ObjectVisitor<'a> {
                    type Value = $name<'a>;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                        let mut read = $name::default();
                        $(let mut $key = false;)+
                        while let Some(Key(key)) = map.next_key()? {
                            match &*key {
                                $(stringify!($key) => {
                                    if core::mem::replace(&mut $key, true) {
                                        read.repeated.push(stringify!($key));
                                    }
                                    read.$key = map.next_value()?;
                                })+
                                _ => {
                                    read.unknown = true;
                                    map.next_value::<IgnoredAny>()?;
                                }
                            }
                        }
                        Ok(read)
                    }
                }
                from.deserialize_map(ObjectVisitor(PhantomData))
            }
        }
    };
}

object! {
    /// The request envelope: a single item or a batch.
    RawEnvelope { claims: Batch<'a>, patient: Object<RawPatient<'a>>, claim: Object<RawClaim<'a>>, }
}
object! {
    /// One item.
    RawItem { patient: Object<RawPatient<'a>>, claim: Object<RawClaim<'a>>, }
}
object! {
    /// `patient` as it came.
    RawPatient {
        first_name: Text<'a>, last_name: Text<'a>, date_of_birth: Text<'a>, account_number: Text<'a>,
        member_id: Text<'a>,
    }
}
object! {
    /// `claim` as it came.
    RawClaim {
        claim_number: Text<'a>, payer_claim_number: Text<'a>, payer_name: Text<'a>, date_of_service: Text<'a>,
        denial_date: Text<'a>, plan_type: Text<'a>, procedure_code: Text<'a>, billed_amount: Text<'a>,
        denied_amount: Text<'a>, denial_codes: Texts<'a>, denial_reason: Text<'a>, diagnosis_codes: Texts<'a>,
    }
}

/// Reads a body.
///
/// # Errors
///
/// What is wrong with the body as a whole, as a message of the interface.
pub(crate) fn read(bytes: &[u8]) -> Result<RawEnvelope<'_>, &'static str> {
    const NOT_JSON: &str = "body must be valid JSON";
    let text = core::str::from_utf8(bytes).map_err(|_| NOT_JSON)?;
    let mut json = serde_json::Deserializer::from_str(text);
    let read = Object::deserialize(&mut json).and_then(|read| json.end().map(|()| read));
    match read {
        Ok(Object::Given(envelope)) => Ok(envelope),
        Ok(Object::Absent | Object::Wrong) => Err("body must be an object"),
        Err(error) if is_number_out_of_range(&error) => {
            Err("body must not hold a number out of range")
        }
        Err(_) => Err(NOT_JSON),
    }
}

/// `1e999` is JSON, but a number that nothing here can hold. The reader has no other sign of it than its words.
fn is_number_out_of_range(error: &serde_json::Error) -> bool {
    alloc::string::ToString::to_string(error).starts_with("number out of range")
}
