//! Text that is parsed as a whole, and names of closed lists.

#[cfg(feature = "schema")]
use crate::request::declare::schema;
use crate::request::declare::{Field, Raw, Shape, Terms};
use overturn_core::base::names::Choice;
use overturn_core::request::body::{Text, Texts};
use overturn_core::request::field::{self, CodeList, Problems};
use overturn_core::request::problem::Rule;
#[cfg(feature = "schema")]
use serde_json::{Value, json};
#[doc(hidden)]
pub use std::borrow::Cow;
use std::marker::PhantomData;
use uuid::Uuid;

/// Text that is parsed as a whole, and what it must be if it cannot be parsed.
pub trait Form {
    type Value;

    fn words() -> Cow<'static, str>;

    fn parse(text: &str) -> Option<Self::Value>;

    #[cfg(feature = "schema")]
    fn schema() -> Value;
}

impl<F: Form> Field for F {
    type Value = F::Value;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<F::Value> {
        let value = raw.text();
        if field::is_missing(&value) {
            p.add(name, Rule::Required);
            return None;
        }
        let parsed = match &value {
            Text::Given(text) => F::parse(text),
            Text::Absent | Text::Wrong => None,
        };
        if parsed.is_none() {
            p.add(name, Rule::MustBe(F::words()));
        }
        parsed
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        F::schema()
    }
}

/// Defines a [`Form`]: the type of its value, what the text must be, how it is parsed, and its JSON Schema.
macro_rules! form {
    ($(#[$meta:meta])* $name:ident: $value:ty = $words:expr, $parse:expr, $schema:tt) => {
        $(#[$meta])*
        #[allow(unreachable_pub, reason = "it may be private to its module")]
        pub struct $name;

        impl $crate::request::declare::kinds::choice::Form for $name {
            type Value = $value;

            fn words() -> $crate::request::declare::kinds::choice::Cow<'static, str> {
                $words.into()
            }

            fn parse(text: &str) -> Option<$value> {
                $parse(text)
            }

            #[cfg(feature = "schema")]
            fn schema() -> serde_json::Value {
                serde_json::json!($schema)
            }
        }
    };
}
pub(crate) use form;

/// The id of a record.
pub struct Id<T>(PhantomData<T>);

impl<T: From<Uuid>> Form for Id<T> {
    type Value = T;

    fn words() -> Cow<'static, str> {
        "an id".into()
    }

    fn parse(text: &str) -> Option<T> {
        Uuid::try_parse(text).ok().map(T::from)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "format": "uuid" })
    }
}

impl<C: Choice> Form for C {
    type Value = C::Value;

    fn words() -> Cow<'static, str> {
        C::words().into()
    }

    fn parse(text: &str) -> Option<C::Value> {
        C::ALL.iter().copied().find(|one| C::name(*one) == text)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        let names: Vec<&str> = C::ALL.iter().map(|one| C::name(*one)).collect();
        schema::described(json!({ "type": "string", "enum": names }), &[&*C::about()])
    }
}

/// Names a [`Choice`] of some variants of an enumeration.
macro_rules! some_of {
    ($(#[doc = $doc:literal])* $name:ident: $of:ident = $some:expr) => {
        $(#[doc = $doc])*
        #[allow(unreachable_pub, reason = "it may be private to its module")]
        pub struct $name;

        impl overturn_core::base::names::Choice for $name {
            type Value = $of;
            const ALL: &'static [$of] = &$some;
            fn name(one: $of) -> &'static str {
                one.name()
            }
            #[cfg(feature = "schema")]
            fn about() -> overturn_core::base::names::String {
                let doc: &[&str] = &[$($doc),*];
                $crate::request::declare::schema::text(doc)
            }
        }
    };
}
pub(crate) use some_of;

/// At least one name of a list. The value has each once, in the order of the list.
pub struct Names<C>(PhantomData<C>);

impl<C: Choice> Field for Names<C> {
    type Value = Vec<C::Value>;

    const SHAPE: Shape = Shape::Texts;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Self::Value> {
        let texts = raw.texts();
        if field::is_missing_list(&texts) {
            p.add(name, Rule::Required);
            return None;
        }
        let names: Vec<&str> = C::ALL.iter().map(|one| C::name(*one)).collect();
        let given = names_of(p, name, texts, &names, || names.join(" "))?;
        Some(C::ALL.iter().copied().filter(|one| given.iter().any(|given| given == C::name(*one))).collect())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "array", "minItems": 1, "maxItems": Texts::KEPT, "items": <C as Form>::schema() })
    }
}

/// Names of a list, or none. The value has each once, as sent.
pub struct AnyNames<C>(PhantomData<C>);

impl<C: Choice> Field for AnyNames<C> {
    type Value = Vec<C::Value>;

    const SHAPE: Shape = Shape::Texts;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<Self::Value> {
        let names: Vec<&str> = C::ALL.iter().map(|one| C::name(*one)).collect();
        let given = names_of(p, name, raw.texts(), &names, || names.join(" "))?;
        let first = given.iter().enumerate().filter(|(n, name)| !given.iter().take(*n).any(|before| before == *name));
        Some(first.filter_map(|(_, name)| C::ALL.iter().copied().find(|one| C::name(*one) == &**name)).collect())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "array", "maxItems": Texts::KEPT, "items": <C as Form>::schema() })
    }
}

/// The names in an array, if all are known.
fn names_of<'a>(
    p: &mut Problems,
    name: &'static str,
    texts: Texts<'a>,
    known: &[&str],
    words: impl FnOnce() -> String,
) -> Option<Vec<Cow<'a, str>>> {
    let before = p.count();
    let given = field::codes(p, name, texts, CodeList { items: Texts::KEPT, length: Texts::KEPT, commas: false });
    if p.count() > before {
        return None;
    }
    let all = given.iter().all(|given| known.contains(&&**given));
    if !all {
        p.add(name, Rule::OutOf(words().into()));
    }
    all.then_some(given)
}
