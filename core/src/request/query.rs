//! The query parameters of a read.

use crate::base::date::Date;
use crate::base::text;
use crate::request::accept::ListForm;
use crate::request::field::{self, Problems};
use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
#[cfg(feature = "schema")]
use serde_json::Value;
use uuid::Uuid;

/// A parameter: its name and its value.
pub type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The query parameters of a list.
pub trait ListQuery: Clone {
    /// Reads a query for a form of the answer.
    ///
    /// # Errors
    ///
    /// The problems of the query.
    fn parse_for<'a>(query: impl IntoIterator<Item = Pair<'a>>, form: ListForm) -> Result<Self, Vec<Problem>>;

    /// Reads a query for an answer in JSON.
    ///
    /// # Errors
    ///
    /// The problems of the query.
    fn parse<'a>(query: impl IntoIterator<Item = Pair<'a>>) -> Result<Self, Vec<Problem>> {
        Self::parse_for(query, ListForm::Json)
    }

    /// Its parameters, for the descriptions.
    #[cfg(feature = "schema")]
    #[must_use]
    fn parameters() -> Parameters {
        Parameters::Own(Vec::new())
    }
}

/// The query parameters of a read.
#[cfg(feature = "schema")]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Parameters {
    /// The read looks at none.
    #[default]
    Ignored,
    /// None may be given.
    Refused,
    /// Those of a page: `limit` and `cursor`.
    OfPage,
    /// Those that the query itself names, in the form of the descriptions.
    Own(Vec<Value>),
}

/// The query of a read that looks at no parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyQuery;

impl ListQuery for AnyQuery {
    fn parse_for<'a>(_: impl IntoIterator<Item = Pair<'a>>, _: ListForm) -> Result<Self, Vec<Problem>> {
        Ok(Self)
    }

    #[cfg(feature = "schema")]
    fn parameters() -> Parameters {
        Parameters::Ignored
    }
}

/// The query of a read that refuses every parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoQuery;

impl ListQuery for NoQuery {
    fn parse_for<'a>(query: impl IntoIterator<Item = Pair<'a>>, _: ListForm) -> Result<Self, Vec<Problem>> {
        QueryReader::new(query, &[]).settle(Self)
    }

    #[cfg(feature = "schema")]
    fn parameters() -> Parameters {
        Parameters::Refused
    }
}

/// Reads the parameters of a query by their names, and collects the problems.
///
/// A parameter may be given once, and a blank value is the same as none.
pub struct QueryReader<'a> {
    problems: Problems,
    query: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> QueryReader<'a> {
    /// The reader of a query that has only these parameters.
    pub fn new(query: impl IntoIterator<Item = Pair<'a>>, names: &[&'static str]) -> Self {
        Self::with_repeated(query, names, &[])
    }

    /// The same. The parameters in `repeated` may be given several times.
    pub fn with_repeated(
        query: impl IntoIterator<Item = Pair<'a>>,
        names: &[&'static str],
        repeated: &[&'static str],
    ) -> Self {
        let query: Vec<_> = query.into_iter().collect();
        let mut problems = Problems::default();
        only(&mut problems, &query, &[names, repeated].concat());
        once(&mut problems, &query, names);
        Self { problems, query }
    }

    /// The reader of a query whose other parameters are ignored.
    pub fn tolerant(query: impl IntoIterator<Item = Pair<'a>>, names: &[&'static str]) -> Self {
        let query: Vec<_> = query.into_iter().collect();
        let mut problems = Problems::default();
        once(&mut problems, &query, names);
        Self { problems, query }
    }

    /// Adds a problem.
    pub fn refuse(&mut self, name: &'static str, rule: Rule) {
        self.problems.add(name, rule);
    }

    /// True if a parameter has a value.
    pub fn has(&self, name: &str) -> bool {
        let mut given = self.query.iter();
        given.any(|(known, value)| known == name && !text::is_blank(value))
    }

    /// The value of a parameter, unless it is blank.
    pub fn value(&mut self, name: &str) -> Option<Cow<'a, str>> {
        let mut given = self.query.iter_mut().rev();
        let (_, value) = given.find(|(known, _)| known == name)?;
        Some(core::mem::take(value)).filter(|text| !text::is_blank(text))
    }

    /// The value of a parameter as `parse` reads it, which adds the problems.
    pub fn value_as<T>(&mut self, name: &str, parse: impl FnOnce(&mut Problems, Option<&str>) -> T) -> T {
        let value = self.value(name);
        parse(&mut self.problems, value.as_deref())
    }

    /// All values of a parameter that may be given several times, as `parse` reads them.
    pub fn values<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&mut Problems, &mut dyn Iterator<Item = &str>) -> T,
    ) -> T {
        let Self { problems, query } = self;
        let given = query.iter().filter(|(known, _)| known == name);
        parse(problems, &mut given.map(|(_, value)| &**value))
    }

    /// The value of a parameter that must be as `known` says.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        known: impl Into<Cow<'static, str>>,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let parsed = parse(&self.value(name)?);
        if parsed.is_none() {
            self.refuse(name, Rule::MustBe(known.into()));
        }
        parsed
    }

    pub fn id<T: From<Uuid>>(&mut self, name: &'static str) -> Option<T> {
        self.read(name, "an id", |text| text.trim().parse().ok().map(T::from))
    }

    /// A calendar date.
    pub fn date(&mut self, name: &'static str) -> Option<Date> {
        self.read(name, "a date (YYYY-MM-DD)", |text| Date::parse(text.trim()))
    }

    /// Text of at most this many characters.
    pub fn text(&mut self, name: &'static str, max: usize) -> Option<String> {
        let text = self.value(name)?;
        field::check_length(&mut self.problems, name, &text, max).then(|| text.into_owned())
    }

    /// The number of items on a page, in this form.
    pub fn limit(&mut self, form: ListForm) -> usize {
        let (default, most) = form.limits();
        self.limit_of(default, most)
    }

    /// The number of items on a page, at most `most`.
    pub fn limit_of(&mut self, default: usize, most: usize) -> usize {
        let Some(text) = self.value("limit") else {
            return default;
        };
        let limit = text.parse().ok().filter(|n| (1..=most).contains(n));
        if limit.is_none() {
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            self.refuse("limit", Rule::Whole(1, most));
        }
        limit.unwrap_or(default)
    }

    /// The position to start after.
    pub fn cursor<C>(&mut self, parse: impl FnOnce(&str) -> Option<C>) -> Option<C> {
        self.read("cursor", "one that a page gave", parse)
    }

    /// The query, if it has no problems.
    ///
    /// # Errors
    ///
    /// All problems.
    pub fn settle<Q>(self, query: Q) -> Result<Q, Vec<Problem>> {
        let problems = self.problems.into_list();
        if problems.is_empty() { Ok(query) } else { Err(problems) }
    }
}

/// Refuses a parameter that is given again.
fn once(p: &mut Problems, query: &[(Cow<'_, str>, Cow<'_, str>)], names: &[&'static str]) {
    let mut seen: Vec<&str> = Vec::new();
    for (given, _) in query {
        let Some(name) = names.iter().find(|name| *name == given) else {
            continue;
        };
        if seen.contains(name) {
            p.add(*name, Rule::Once);
        }
        seen.push(name);
    }
}

/// How many unknown parameters are named. The others are counted.
const NAMED_MAX: usize = 5;
/// The longest parameter name that a message repeats.
const REPEATED_MAX: usize = 40;

/// Refuses unknown parameters: a caller who mistyped a filter would believe that it applies. Each unknown name is named
/// once, or by its position if it does not look like a name.
fn only(p: &mut Problems, query: &[(Cow<'_, str>, Cow<'_, str>)], names: &[&str]) {
    let known: Cow<'static, str> = names.join(", ").into();
    let mut unknown: Vec<&str> = Vec::new();
    for (place, (name, _)) in query.iter().enumerate() {
        let name = &**name;
        if names.contains(&name) || unknown.contains(&name) {
            continue;
        }
        unknown.push(name);
        if unknown.len() > NAMED_MAX {
            p.add("query", Rule::MoreUnknownParameters);
            return;
        }
        if looks_like_a_name(name) {
            p.add(String::from(name), Rule::UnknownParameter(known.clone()));
        } else {
            let place = place.saturating_add(1);
            p.add("query", Rule::UnknownParameterAt(place, known.clone()));
        }
    }
}

/// True if a name from the caller may appear in a message: letters, digits, `_` and `-`, beginning with a letter.
/// Anything else may be a misplaced value, such as a date or a patient's name.
fn looks_like_a_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let mut bytes = text.bytes();
    begins && text.len() <= REPEATED_MAX && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

#[cfg(test)]
mod tests;
