//! Parses the JSON of a send leniently. `body!` of the service reads all other bodies.
//!
//! A field of the wrong type does not end the parsing, because the answer lists every problem of a request. So each
//! value keeps the type that it has, and [`crate::request::field`] reports the problem. Text is borrowed from the body
//! where JSON allows it. Unknown keys are skipped without recursion, however deeply they nest.

#[cfg(test)]
mod tests;
mod value;

pub(crate) use value::{AnyValue, Lenient, Object, first};
pub use value::{Text, Texts};

use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Visitor};

pub enum ObjectKey<'a> {
    /// Its text, borrowed unless it has escapes.
    Text(Cow<'a, str>),
    /// Its index among the known keys, from a source that has looked it up; any other number for another key.
    Nth(u64),
}

impl<'de: 'a, 'a> Deserialize<'de> for ObjectKey<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = ObjectKey<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_u64<E>(self, nth: u64) -> Result<Self::Value, E> {
                Ok(ObjectKey::Nth(nth))
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(ObjectKey::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(ObjectKey::Text(Cow::Owned(text.into())))
            }
        }
        from.deserialize_str(KeyVisitor)
    }
}

/// Defines an object with the named keys. `repeated` lists the known keys that occur more than once, which JSON allows
/// without defining the meaning; `keys` counts the known keys that are present, with any value; `unknown` says whether
/// there were other keys.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident { $($key:ident: $type:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name<'a> {
            $(pub(crate) $key: $type,)+
            pub(crate) repeated: alloc::vec::Vec<&'static str>,
            pub(crate) keys: usize,
            pub(crate) unknown: bool,
            // Some objects have no key that borrows.
            pub(crate) body: core::marker::PhantomData<&'a ()>,
        }

        impl $name<'_> {
            /// The known keys, in the order of [`ObjectKey::Nth`]($crate::request::body::ObjectKey::Nth).
            #[allow(dead_code, reason = "few objects are read from a source that looks keys up")]
            pub(crate) const KEYS: &'static [&'static str] = &[$(stringify!($key),)+];
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $name<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                #[allow(non_camel_case_types, reason = "named after the keys")]
                enum Known {
                    $($key,)+
                }
                impl Known {
                    fn of(key: &$crate::request::body::ObjectKey<'_>) -> Option<Self> {
                        match key {
                            $crate::request::body::ObjectKey::Text(text) => match &**text {
                                $(stringify!($key) => Some(Self::$key),)+
                                _ => None,
                            },
                            $($crate::request::body::ObjectKey::Nth(nth) if *nth == Self::$key as u64 => Some(Self::$key),)+
                            $crate::request::body::ObjectKey::Nth(_) => None,
                        }
                    }
                }
                struct ObjectVisitor<'a>(core::marker::PhantomData<&'a ()>);
                impl<'de: 'a, 'a> serde::de::Visitor<'de> for ObjectVisitor<'a> {
                    type Value = $name<'a>;
                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<Self::Value, A::Error> {
                        let mut read = $name::default();
                        $(let mut $key = false;)+
                        while let Some(key) = map.next_key()? {
                            match Known::of(&key) {
                                $(Some(Known::$key) => {
                                    if !core::mem::replace(&mut $key, true) {
                                        read.keys = read.keys.saturating_add(1);
                                    } else if !read.repeated.contains(&stringify!($key)) {
                                        read.repeated.push(stringify!($key));
                                    }
                                    read.$key = map.next_value()?;
                                })+
                                None => {
                                    read.unknown = true;
                                    map.next_value::<serde::de::IgnoredAny>()?;
                                }
                            }
                        }
                        Ok(read)
                    }
                }
                from.deserialize_map(ObjectVisitor(core::marker::PhantomData))
            }
        }
    };
}

pub(crate) use object;

pub const NOT_JSON: Problem = Problem::of_body(Rule::Json);

/// Parses a body that must be an object.
///
/// # Errors
///
/// Those of [`json`].
pub(crate) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Problem> {
    json(bytes, PhantomData).and_then(given)
}

/// Parses JSON.
///
/// # Errors
///
/// The problem of the body as a whole, without a position: the parser's message may contain a value.
pub fn json<'a, S: DeserializeSeed<'a>>(bytes: &'a [u8], seed: S) -> Result<S::Value, Problem> {
    // The causes stay out: the caller gets a rule, and the words of the reader may hold a value.
    let text = core::str::from_utf8(bytes).map_err(|_| NOT_JSON)?;
    let mut json = serde_json::Deserializer::from_str(text);
    let read = seed.deserialize(&mut json).and_then(|read| json.end().map(|()| read));
    read.map_err(|error| if is_number_out_of_range(&error) { Problem::of_body(Rule::NumberRange) } else { NOT_JSON })
}

/// Parses a body that a host has as values instead of text. An error of the source means that JSON cannot express the
/// value.
///
/// # Errors
///
/// Those of [`read`].
pub(crate) fn read_value<'a, T: Deserialize<'a>, D: Deserializer<'a>>(from: D) -> Result<T, Problem> {
    // As above: the words of the reader may hold a value.
    Object::deserialize(from).map_err(|_| NOT_JSON).and_then(given)
}

fn given<T>(read: Object<T>) -> Result<T, Problem> {
    match read {
        Object::Given(object) => Ok(object),
        Object::Absent | Object::Wrong => Err(Problem::of_body(Rule::Object)),
    }
}

/// `1e999` is valid JSON, but no number type here can hold it. serde_json reports this only in its message.
fn is_number_out_of_range(error: &serde_json::Error) -> bool {
    alloc::string::ToString::to_string(error).starts_with("number out of range")
}
