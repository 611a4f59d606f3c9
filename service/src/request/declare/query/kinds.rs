//! The kinds of parameters that are no [`Form`](crate::request::declare::kinds::choice::Form) of a body.

use super::Parameter;
#[cfg(feature = "schema")]
use super::or_blank;
use crate::request::accept::ListForm;
use crate::request::declare::kinds::form;
#[cfg(feature = "schema")]
use crate::request::declare::schema;
use crate::request::due_place::DuePlace;
use crate::request::query::QueryReader;
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::base::names::{Choice, listed};
use overturn_core::base::time::Time;
use overturn_core::request::problem::Rule;
#[cfg(feature = "schema")]
use serde_json::{Value, json};
use std::borrow::Cow;
use std::marker::PhantomData;
use uuid::Uuid;

/// How many items a page has.
pub struct Limit;

impl Parameter for Limit {
    type Value = usize;

    fn read(query: &mut QueryReader<'_>, _: &'static str, _: ListForm) -> usize {
        query.limit(ListForm::Json)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        let (default, most) = ListForm::Json.limits();
        json!({ "type": "integer", "minimum": 1, "maximum": most, "default": default })
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("Limit");

    #[cfg(feature = "schema")]
    const ABOUT: &'static str = "The maximum number of records on a page.";
}

/// How many items a page has, which may be CSV.
pub struct LimitOrCsv;

impl Parameter for LimitOrCsv {
    type Value = usize;

    fn read(query: &mut QueryReader<'_>, _: &'static str, form: ListForm) -> usize {
        query.limit(form)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        Limit::schema()
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("LimitOrCsv");

    #[cfg(feature = "schema")]
    const ABOUT: &'static str = "The maximum number of records on a page. With `Accept: text/csv` it can be up to 1,000, \
        and the default is 1,000.";
}

/// How many lines an answer has, by default the most.
pub struct Lines<const MAX: usize>;

impl<const MAX: usize> Parameter for Lines<MAX> {
    type Value = usize;

    fn read(query: &mut QueryReader<'_>, _: &'static str, _: ListForm) -> usize {
        query.limit_of(MAX, MAX)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 1, "maximum": MAX, "default": MAX })
    }

    #[cfg(feature = "schema")]
    const ABOUT: &'static str = "The maximum number of lines in the answer.";
}

/// A place in a list, from which a page goes on.
pub trait Place: Sized {
    fn parse(text: &str) -> Option<Self>;

    /// The pattern of its text.
    #[cfg(feature = "schema")]
    const FORM: &'static str;

    /// See [`Parameter::SHARED`].
    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = None;
}

impl Place for Uuid {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    #[cfg(feature = "schema")]
    const FORM: &'static str = "^[0-9a-f]{32}$";

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("Cursor");
}

impl Place for DuePlace {
    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    #[cfg(feature = "schema")]
    const FORM: &'static str = Self::FORM;

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = Some("DueCursor");
}

/// The place after which a page begins.
pub struct Cursor<P>(PhantomData<P>);

impl<P: Place> Parameter for Cursor<P> {
    type Value = Option<P>;

    fn read(query: &mut QueryReader<'_>, _: &'static str, _: ListForm) -> Option<P> {
        query.cursor(P::parse)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        or_blank(json!({ "type": "string", "pattern": P::FORM }))
    }

    #[cfg(feature = "schema")]
    const SHARED: Option<&'static str> = P::SHARED;

    #[cfg(feature = "schema")]
    const ABOUT: &'static str = "The `next_cursor` of the previous page, exactly as you received it.";
}

form! {
    /// A calendar date.
    Day: Date = "a date (YYYY-MM-DD)", Date::parse, { "type": "string", "format": "date" }
}

form! {
    /// `true` or `false`.
    Truth: bool = "true or false", |text: &str| text.parse().ok(), { "type": "string", "enum": ["true", "false"] }
}

form! {
    /// A point in time.
    Moment: Instant = "a time (RFC 3339, such as 2026-03-04T12:00:00Z)", |text| Time::parse(text).map(|time| time.0),
    { "type": "string", "format": "date-time" }
}

/// The instant at which a date begins.
pub struct DayBegins;

impl Parameter for DayBegins {
    type Value = Option<Instant>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, form: ListForm) -> Option<Instant> {
        Day::read(query, name, form).map(Date::begins)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        <Day as Parameter>::schema()
    }
}

/// The instant before which a date ends. `None` for the last date.
pub struct DayEnds;

impl Parameter for DayEnds {
    type Value = Option<Instant>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, form: ListForm) -> Option<Instant> {
        let next = Day::read(query, name, form).and_then(|day| day.plus_days(1));
        next.map(Date::begins)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        <Day as Parameter>::schema()
    }
}

/// A whole number within a range, both ends included.
pub struct Within<const LEAST: i32, const MOST: i32>;

impl<const LEAST: i32, const MOST: i32> Parameter for Within<LEAST, MOST> {
    type Value = Option<i32>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Option<i32> {
        let number = query.value(name)?.trim().parse().ok().filter(|number| (LEAST..=MOST).contains(number));
        if number.is_none() {
            query.refuse(name, Rule::Whole(LEAST.into(), MOST.into()));
        }
        number
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
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
        let given = query.value(name)?;
        let named = named::<C>(given.trim());
        if named.is_none() {
            query.refuse(name, Rule::MustBe(listed(&all::<C>(), "or").into()));
        }
        named
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        or_blank(json!({ "type": "string", "enum": all::<C>() }))
    }
}

/// A name of a list, or else the default.
pub struct OneOrDefault<C>(PhantomData<C>);

impl<C: Choice<Value: Default>> Parameter for OneOrDefault<C> {
    type Value = C::Value;

    fn read(query: &mut QueryReader<'_>, name: &'static str, form: ListForm) -> C::Value {
        OneOf::<C>::read(query, name, form).unwrap_or_default()
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        schema::with(OneOf::<C>::schema(), "default", C::name(C::Value::default()))
    }
}

/// Names of a list with commas, sorted. Each is given at most once. If the parameter may be `REPEATED`, all of its values
/// count.
pub struct Names<C, const REPEATED: bool>(PhantomData<C>);

impl<C: Choice, const REPEATED: bool> Parameter for Names<C, REPEATED> {
    type Value = Vec<C::Value>;

    const REPEATED: bool = REPEATED;

    fn read(query: &mut QueryReader<'_>, name: &'static str, _: ListForm) -> Vec<C::Value> {
        query.values(name, |p, values| {
            let given = values.flat_map(|value| value.split(',')).map(str::trim);
            let given: Vec<&str> = given.filter(|name| !name.is_empty()).collect();
            let mut read: Vec<C::Value> = given.iter().filter_map(|name| named::<C>(name)).collect();
            if read.len() < given.len() {
                p.add(name, Rule::OutOf(all::<C>().join(", ").into()));
            }
            let named = read.len();
            read.sort_by_key(|one| C::name(*one));
            read.dedup();
            if read.len() < named {
                p.add(name, Rule::EachStatusOnce);
            }
            read
        })
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        if REPEATED {
            return json!({ "type": "array", "uniqueItems": true, "items": { "type": "string", "enum": all::<C>() } });
        }
        let one = all::<C>().join("|");
        json!({ "type": "string", "pattern": format!("^(({one})(,({one}))*)?$") })
    }
}

/// The names of a list.
fn all<C: Choice>() -> Vec<&'static str> {
    C::ALL.iter().map(|one| C::name(*one)).collect()
}

fn named<C: Choice>(name: &str) -> Option<C::Value> {
    C::ALL.iter().copied().find(|one| C::name(*one) == name)
}
