//! The query parameters of a read.

use crate::request::accept::ListForm;
use overturn_core::base::text;
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::{Problem, Rule};
#[cfg(feature = "schema")]
use serde_json::Value;
use std::borrow::Cow;

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
    fn parameters() -> Parameters;
}

/// A parameter in the form of the descriptions.
#[cfg(feature = "schema")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Described {
    /// The name in the descriptions, if several queries have it with the same meaning.
    pub shared: Option<&'static str>,
    pub parameter: Value,
}

/// The parameters of a read. `None` if it looks at none, and empty if none may be given.
#[cfg(feature = "schema")]
pub type Parameters = Option<Vec<Described>>;

/// The query of a read that looks at no parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyQuery;

impl ListQuery for AnyQuery {
    fn parse_for<'a>(_: impl IntoIterator<Item = Pair<'a>>, _: ListForm) -> Result<Self, Vec<Problem>> {
        Ok(Self)
    }

    #[cfg(feature = "schema")]
    fn parameters() -> Parameters {
        None
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
        Some(Vec::new())
    }
}

/// What a `cursor` must be.
pub const NOT_A_CURSOR: Rule = Rule::MustBe(Cow::Borrowed("one that a page gave"));

/// Reads the parameters of a query by their names, and collects the problems.
///
/// A parameter may be given once, and a blank value is the same as none.
pub struct QueryReader<'a> {
    problems: Problems,
    query: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> QueryReader<'a> {
    /// The reader of a query that has only these parameters. One with `true` may be given several times.
    pub fn new(query: impl IntoIterator<Item = Pair<'a>>, names: &[(&'static str, bool)]) -> Self {
        let (repeated, once): (Vec<_>, Vec<_>) = names.iter().partition(|(_, is_repeated)| *is_repeated);
        let names = once.iter().chain(&repeated).map(|(name, _)| *name);
        let mut read = Self { problems: Problems::default(), query: query.into_iter().collect() };
        only(&mut read.problems, &read.query, &names.collect::<Vec<_>>());
        read.once(&once);
        read
    }

    /// The reader of a query whose other parameters are ignored.
    pub fn tolerant(query: impl IntoIterator<Item = Pair<'a>>, names: &[(&'static str, bool)]) -> Self {
        let mut read = Self { problems: Problems::default(), query: query.into_iter().collect() };
        read.once(names);
        read
    }

    /// Adds a problem.
    pub fn refuse(&mut self, name: &'static str, rule: Rule) {
        self.problems.add(name, rule);
    }

    /// The value of a parameter, unless it is blank.
    pub fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut given = self.query.iter().rev();
        let (_, value) = given.find(|(known, _)| known == name)?;
        Some(value.clone()).filter(|text| !text::is_blank(text))
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
        let parsed = parse(&self.value("cursor")?);
        if parsed.is_none() {
            self.refuse("cursor", NOT_A_CURSOR);
        }
        parsed
    }

    /// The query, if it has no problems.
    ///
    /// # Errors
    ///
    /// All problems.
    pub fn settle<Q>(self, query: Q) -> Result<Q, Vec<Problem>> {
        self.problems.settle(Some(query))
    }

    /// Refuses a parameter that is given again.
    fn once(&mut self, names: &[(&'static str, bool)]) {
        let mut seen: Vec<&str> = Vec::new();
        for (given, _) in &self.query {
            let Some((name, false)) = names.iter().find(|(name, _)| name == given) else {
                continue;
            };
            if seen.contains(name) {
                self.problems.add(*name, Rule::Once);
            }
            seen.push(name);
        }
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
