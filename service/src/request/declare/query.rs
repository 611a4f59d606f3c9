//! One declaration for the parameters of a query: how they are read, and how they are described.
//!
//! ```text
//! query! {
//!     /// The query of the list.
//!     pub(crate) CasesQuery {
//!         limit: Limit,
//!         cursor: Cursor<DuePlace>,
//!         /// Only cases that are due before this day.
//!         due_before: Day,
//!     }
//! }
//! ```
//!
//! The expansion is a struct with a public field for each parameter, and its [`ListQuery`](crate::request::query::ListQuery).
//! A kind such as `Day` is a [`Parameter`], and so is every [`Form`] of a body. A parameter may be given once, a blank value
//! is the same as none, and an unknown parameter is refused, unless the query is `tolerant`. With `refuses rule`, the
//! function `rule` adds the problems of parameters that do not go together.

pub mod kinds;
#[cfg(test)]
mod tests;

use crate::request::accept::ListForm;
use crate::request::declare::kinds::choice::Form;
#[cfg(feature = "schema")]
use crate::request::declare::schema::text;
#[cfg(feature = "schema")]
use crate::request::query::Described;
use crate::request::query::QueryReader;
use overturn_core::request::problem::{Problem, Rule};
#[cfg(feature = "schema")]
use serde_json::{Value, json};

/// A kind of parameter.
pub trait Parameter {
    type Value;

    /// Whether it may be given several times.
    const REPEATED: bool = false;

    fn read(query: &mut QueryReader<'_>, name: &'static str, form: ListForm) -> Self::Value;

    /// The JSON Schema of the value. Blank text is a value.
    #[cfg(feature = "schema")]
    fn schema() -> Value;

    /// The name in the descriptions, if several queries have it with the same meaning.
    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = None;

    /// What it means, if that is the same in every query.
    #[cfg(feature = "schema")]
    const ABOUT: &'static str = "";
}

impl<F: Form> Parameter for F {
    type Value = Option<F::Value>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<F::Value> {
        let parsed = F::parse(query.value(name)?.trim());
        if parsed.is_none() {
            query.refuse(name, Rule::MustBe(F::words()));
        }
        parsed
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        or_blank(F::schema())
    }
}

/// The schema of a value that may be blank.
#[cfg(feature = "schema")]
fn or_blank(mut schema: Value) -> Value {
    if let Some(Value::Array(names)) = schema.get_mut("enum") {
        names.push("".into());
        return schema;
    }
    json!({ "anyOf": [schema, { "type": "string", "maxLength": 0 }] })
}

/// Describes a parameter of this kind by its doc comment.
#[cfg(feature = "schema")]
#[must_use]
pub fn described<P: Parameter>(name: &str, doc: &[&str]) -> Described {
    let about = if doc.is_empty() { P::ABOUT.into() } else { text(doc) };
    let schema = P::schema();
    let mut parameter = json!({ "name": name, "in": "query", "required": false, "description": about });
    if let Value::Object(words) = &mut parameter {
        if schema.get("type").is_some_and(|kind| kind == "array") {
            words.extend([("style".into(), "form".into()), ("explode".into(), false.into())]);
        }
        words.insert("schema".into(), schema);
    }
    Described { shared: P::SHARED, parameter }
}

/// Declares a query, see [the module](crate::request::declare::query).
macro_rules! query {
    ($(#[doc = $of:literal])* $(#[derive($($derive:path),+)])? tolerant $vis:vis $name:ident $fields:tt $(refuses $rule:path)?) => {
        $crate::request::declare::query::query!(
            @tolerant [$($of)*] [$($($derive),+)?] [$vis] $name $fields [$($rule)?]
        );
    };
    ($(#[doc = $of:literal])* $(#[derive($($derive:path),+)])? $vis:vis $name:ident $fields:tt $(refuses $rule:path)?) => {
        $crate::request::declare::query::query!(@new [$($of)*] [$($($derive),+)?] [$vis] $name $fields [$($rule)?]);
    };
    (@$reader:ident [$($of:literal)*] [$($derive:path),*] [$vis:vis] $name:ident {
        $($(#[doc = $doc:literal])* $key:ident: $kind:ty),+ $(,)?
    } [$($rule:path)?]) => {
        $(#[doc = $of])*
        #[derive(Clone, PartialEq, Eq, Debug $(, $derive)*)]
        $vis struct $name {
            $($(#[doc = $doc])* pub $key: <$kind as $crate::request::declare::query::Parameter>::Value,)+
        }

        impl $crate::request::query::ListQuery for $name {
            fn parse_for<'a>(
                query: impl IntoIterator<Item = $crate::request::query::Pair<'a>>,
                form: $crate::request::accept::ListForm,
            ) -> $crate::request::declare::query::Read<Self> {
                use $crate::request::declare::query::Parameter;
                let names = [$((stringify!($key), <$kind as Parameter>::REPEATED)),+];
                let mut query = $crate::request::query::QueryReader::$reader(query, &names);
                $(let $key = <$kind as Parameter>::read(&mut query, stringify!($key), form);)+
                let read = Self { $($key),+ };
                $($rule(&read, &mut query);)?
                query.settle(read)
            }

            #[cfg(feature = "schema")]
            fn parameters() -> $crate::request::query::Parameters {
                use $crate::request::declare::query::described;
                Some([$(described::<$kind>(stringify!($key), &[$($doc),*])),+].into())
            }
        }
    };
}

pub(crate) use query;

/// What was read, or every problem.
pub type Read<T> = Result<T, Vec<Problem>>;
