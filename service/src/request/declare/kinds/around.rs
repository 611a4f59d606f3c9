//! Kinds around other kinds: objects, and fields that need not be there.

#[cfg(feature = "schema")]
use crate::request::declare::schema;
use crate::request::declare::{Body, Field, Raw, Shape, Terms};
use overturn_core::request::field::Problems;
use overturn_core::request::problem::Rule;
#[cfg(feature = "schema")]
use serde_json::Value;
use std::marker::PhantomData;

/// An object.
pub struct Inside<B>(PhantomData<B>);

impl<B: Body> Field for Inside<B> {
    type Value = B;

    const SHAPE: Shape = Shape::Object(B::KEYS);

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<B> {
        match raw {
            Raw::Object(raw) => return p.inside(name, |p| B::read(p, raw, terms)),
            Raw::Absent | Raw::Null => p.add(name, Rule::Required),
            _ => p.add(name, Rule::Object),
        }
        None
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        B::schema()
    }
}

/// A field that may be absent, `null` or blank.
pub struct Optional<F>(PhantomData<F>);

/// A field that may be absent or `null`. In an edit, what is stored stays then.
pub struct Changed<F>(PhantomData<F>);

/// A field that an edit can clear, by `null` or blank text. If it is absent, what is stored stays.
pub struct Clearable<F>(PhantomData<F>);

/// A field that counts only under the condition that its declaration names.
pub struct When<F>(PhantomData<F>);

/// Implements a [`Field`] around another one: the type of its value, how this holds a value of the other one, and what is
/// read if there is none.
macro_rules! around {
    ($($name:ident<$of:ident> $given:ident: $value:ty, $some:expr, |$raw:ident| $none:expr;)+) => {$(
        impl<$of: Field> Field for $name<$of> {
            type Value = $value;

            const SHAPE: Shape = $of::SHAPE;

            fn read(
                p: &mut Problems,
                name: &'static str,
                $raw: Raw<'_>,
                terms: Terms<'_>,
            ) -> Option<Self::Value> {
                match $none {
                    Some(none) => Some(none),
                    None => $of::read(p, name, $raw, terms).map($some),
                }
            }

            fn is_given(value: &Self::Value) -> bool {
                value.is_some()
            }

            #[cfg(feature = "schema")]
            const GIVEN: schema::Given = schema::Given::$given;

            #[cfg(feature = "schema")]
            fn schema() -> Value {
                schema::around(schema::Given::$given, $of::schema())
            }
        }
    )+};
}
around! {
    Optional<F> OrBlank: Option<F::Value>, Some, |raw| raw.is_missing(F::SHAPE).then_some(None);
    Changed<F> OrNull: Option<F::Value>, Some, |raw| raw.is_absent().then_some(None);
    Clearable<F> OrCleared: Option<Option<F::Value>>, |value| Some(Some(value)), |raw| match raw {
        Raw::Absent => Some(None),
        _ => raw.is_missing(F::SHAPE).then_some(Some(None)),
    };
    When<F> OrNull: Option<F::Value>, Some, |raw| matches!(raw, Raw::Ignored).then_some(None);
}
