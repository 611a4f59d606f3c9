//! One declaration for the parameters of a list: how they are read, and how they are described.
//!
//! ```text
//! query! { pub(crate) CasesQuery { limit: Limit, cursor: Cursor<DuePlace>, due_before: Day } }
//! ```
//!
//! The expansion is a struct with a public field for each parameter, and its [`ListQuery`](crate::request::query::ListQuery).
//! A parameter may be given once, a blank value is the same as none, and an unknown parameter is refused. With
//! `refuses rule`, the function `rule` adds the problems of parameters that do not go together.

use crate::base::date::Date;
use crate::base::names::{Choice, listed};
use crate::request::accept::ListForm;
use crate::request::due_place::DuePlace;
use crate::request::problem::Problem;
use crate::request::query::QueryReader;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;
#[cfg(feature = "schema")]
use serde_json::{Value, json};
use uuid::Uuid;

/// A kind of parameter.
pub trait Parameter {
    type Value;

    fn read(query: &mut QueryReader<'_>, name: &'static str, form: ListForm) -> Self::Value;

    /// The JSON Schema of the value. Blank text is a value.
    #[cfg(feature = "schema")]
    fn schema() -> Value;

    /// The shared parameter that it is, by its name in the descriptions.
    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = None;

    /// The parameter in the form of the descriptions.
    #[cfg(feature = "schema")]
    fn described(name: &str, doc: &[&str]) -> Value {
        if let Some(shared) = Self::SHARED {
            return json!({ "$ref": alloc::format!("#/components/parameters/{shared}") });
        }
        let doc: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
        json!({
            "name": name, "in": "query", "required": false, "description": doc.join("\n"), "schema": Self::schema(),
        })
    }
}

/// How many items a page has.
pub struct Limit;

impl Parameter for Limit {
    type Value = usize;

    fn read(query: &mut QueryReader<'_>, _: &'static str, _: ListForm) -> usize {
        query.limit(ListForm::Json)
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("Limit");

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "integer" })
    }
}

/// How many items a page has, which may be CSV.
pub struct LimitOrCsv;

impl Parameter for LimitOrCsv {
    type Value = usize;

    fn read(query: &mut QueryReader<'_>, _: &'static str, form: ListForm) -> usize {
        query.limit(form)
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("LimitOrCsv");

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "integer" })
    }
}

/// A place in a list, from which a page goes on.
pub trait Place: Sized {
    fn parse(text: &str) -> Option<Self>;

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = None;

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl Place for Uuid {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("Cursor");
}

impl Place for DuePlace {
    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^(([0-9]{4}-[0-9]{2}-[0-9]{2}|none)_[0-9a-f]{32})?$" })
    }
}

/// The `next_cursor` of the page before.
pub struct Cursor<P>(PhantomData<P>);

impl<P: Place> Parameter for Cursor<P> {
    type Value = Option<P>;

    fn read(query: &mut QueryReader<'_>, _: &'static str, _: ListForm) -> Option<P> {
        query.cursor(P::parse)
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = P::SHARED;

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        P::schema()
    }
}

/// The id of a record.
pub struct OfId<T>(PhantomData<T>);

impl<T: From<Uuid>> Parameter for OfId<T> {
    type Value = Option<T>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<T> {
        query.id(name)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        or_blank(json!({ "type": "string", "format": "uuid" }))
    }
}

/// A calendar date.
pub struct Day;

impl Parameter for Day {
    type Value = Option<Date>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<Date> {
        query.date(name)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        or_blank(json!({ "type": "string", "format": "date" }))
    }
}

/// Any text.
pub struct AnyText;

impl Parameter for AnyText {
    type Value = Option<String>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<String> {
        query.value(name).map(Cow::into_owned)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

/// Text of at most `MAX` characters.
pub struct TextOf<const MAX: usize>;

impl<const MAX: usize> Parameter for TextOf<MAX> {
    type Value = Option<String>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<String> {
        query.text(name, MAX)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "maxLength": MAX })
    }
}

/// A name of a list.
pub struct OneOf<C>(PhantomData<C>);

impl<C: Choice> Parameter for OneOf<C> {
    type Value = Option<C::Value>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<C::Value> {
        let names: Vec<&str> = C::ALL.iter().map(|one| C::name(*one)).collect();
        let find = |text: &str| C::ALL.iter().copied().find(|one| C::name(*one) == text.trim());
        query.read(name, listed(&names, "or"), find)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        let names = C::ALL.iter().map(|one| C::name(*one));
        json!({ "type": "string", "enum": names.chain([""]).collect::<Vec<_>>() })
    }
}

/// `true` or `false`.
pub struct Truth;

impl Parameter for Truth {
    type Value = Option<bool>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<bool> {
        query.read(name, "true or false", |text| text.trim().parse().ok())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "enum": ["true", "false", ""] })
    }
}

/// The schema of a value, which may be blank.
#[cfg(feature = "schema")]
#[must_use]
pub fn or_blank(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "string", "maxLength": 0 }] })
}

/// Declares a query, see [the module](crate::request::declare::query).
#[macro_export]
macro_rules! query {
    ($(#[doc = $of:literal])* $(#[derive($($derive:path),+)])? $vis:vis $name:ident {
        $($(#[doc = $doc:literal])* $key:ident: $kind:ty),+ $(,)?
    } $(refuses $rule:path)?) => {
        $(#[doc = $of])*
        #[derive(Clone, PartialEq, Eq, Debug $($(, $derive)+)?)]
        $vis struct $name {
            $($(#[doc = $doc])* pub $key: <$kind as $crate::request::declare::query::Parameter>::Value,)+
        }

        impl $crate::request::query::ListQuery for $name {
            fn parse_for<'a>(
                query: impl IntoIterator<Item = $crate::request::declare::query::Given<'a>>,
                form: $crate::request::accept::ListForm,
            ) -> Result<Self, $crate::request::declare::query::Refused> {
                use $crate::request::declare::query::Parameter;
                let mut query = $crate::request::query::QueryReader::new(query, &[$(stringify!($key)),+]);
                $(let $key = <$kind as Parameter>::read(&mut query, stringify!($key), form);)+
                let read = Self { $($key),+ };
                $($rule(&read, &mut query);)?
                query.settle(read)
            }

            #[cfg(feature = "schema")]
            fn parameters() -> $crate::request::query::Parameters {
                use $crate::request::declare::query::Parameter;
                $crate::request::query::Parameters::Own(
                    [$(<$kind as Parameter>::described(stringify!($key), &[$($doc),*])),+].into(),
                )
            }
        }
    };
}

pub use query;

/// A parameter with its value.
pub type Given<'a> = (Cow<'a, str>, Cow<'a, str>);
/// Why a query is refused.
pub type Refused = Vec<Problem>;
