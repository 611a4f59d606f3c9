//! Pages of a list (interface: 25 items by default, at most 100).

use crate::base::text;
use crate::request::field::Problems;
use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use uuid::Uuid;

/// The default number of items on a page.
pub const LIMIT: usize = 25;
/// Most items of a page.
pub const LIMIT_MAX: usize = 100;

/// The requested page. Lists run from the newest record to the oldest, by id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Most items.
    pub limit: usize,
    /// The record to start after.
    pub after: Option<Uuid>,
}

/// The query parameters of a list.
pub trait ListQuery: Clone {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// The problems of the query.
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<Problem>>;
}

impl ListQuery for Page {
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<Problem>> {
        let mut p = Problems::default();
        let [limit, cursor] = once(&mut p, query, ["limit", "cursor"]);
        let limit = read_limit(&mut p, limit);
        let after = read_cursor(&mut p, cursor, |text| text.parse().ok());
        match limit {
            Some(limit) if p.count() == 0 => Ok(Self { limit, after }),
            _ => Err(p.into_list()),
        }
    }
}

/// The values of the named parameters. Each may occur once; blank is the same as absent. Others are ignored.
pub(crate) fn once<'a, const N: usize>(
    p: &mut Problems,
    query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    names: [&'static str; N],
) -> [Option<Cow<'a, str>>; N] {
    let mut values = [const { None }; N];
    for (name, value) in query {
        let known = names
            .iter()
            .zip(&mut values)
            .find(|(known, _)| **known == name);
        if let Some((known, slot)) = known
            && slot.replace(value).is_some()
        {
            p.add(*known, Rule::Once);
        }
    }
    values.map(|value: Option<Cow<'a, str>>| value.filter(|text| !text::is_blank(text)))
}

/// How many unknown parameters are named. The others are counted.
const NAMED_MAX: usize = 5;
/// The longest parameter name that a message repeats.
const REPEATED_MAX: usize = 40;

/// Refuses unknown parameters: a caller who mistyped a filter would believe that it applies. Each unknown name is named
/// once, or by its position if it does not look like a name.
pub(crate) fn only(p: &mut Problems, query: &[(Cow<'_, str>, Cow<'_, str>)], names: &[&str]) {
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
    begins
        && text.len() <= REPEATED_MAX
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// The value of a parameter; `known` lists the allowed values.
pub(crate) fn read<T>(
    p: &mut Problems,
    name: &'static str,
    known: &'static str,
    value: Option<Cow<'_, str>>,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let parsed = parse(&value?);
    if parsed.is_none() {
        p.add(name, Rule::MustBe(known.into()));
    }
    parsed
}

/// The number of items on a page.
pub(crate) fn read_limit(p: &mut Problems, limit: Option<Cow<'_, str>>) -> Option<usize> {
    let limit = limit.map_or(Some(LIMIT), |text| {
        text.parse().ok().filter(|n| (1..=LIMIT_MAX).contains(n))
    });
    if limit.is_none() {
        p.add("limit", Rule::Whole(1, 100));
    }
    limit
}

/// The position to start after.
pub(crate) fn read_cursor<C>(
    p: &mut Problems,
    cursor: Option<Cow<'_, str>>,
    parse: impl Fn(&str) -> Option<C>,
) -> Option<C> {
    let after = parse(&cursor?);
    if after.is_none() {
        p.add("cursor", Rule::MustBe("one that a page gave".into()));
    }
    after
}

impl Page {
    /// How many records to read: one more than requested, which shows whether there is another page.
    #[must_use]
    pub const fn reads(self) -> usize {
        self.limit.saturating_add(1)
    }

    /// The page from the records: its items under their noun.
    pub fn list<T>(self, noun: &'static str, items: Vec<T>, id: impl Fn(&T) -> Uuid) -> Listed<T> {
        Listed::cut(noun, items, self.limit, |last| Cursor(id(last)).to_string())
    }
}

/// A page of a list, as answered: `{"<noun>": […], "next_cursor": …}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed<T> {
    noun: &'static str,
    items: Vec<T>,
    next_cursor: Option<String>,
}

impl<T> Listed<T> {
    /// The page from the records, without the extra record that shows another page; `cursor` makes the next page's
    /// cursor from the last record.
    pub(crate) fn cut(
        noun: &'static str,
        mut items: Vec<T>,
        limit: usize,
        cursor: impl Fn(&T) -> String,
    ) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        let next_cursor = items.last().filter(|_| more).map(cursor);
        Self {
            noun,
            items,
            next_cursor,
        }
    }

    /// The cursor of the next page, `None` on the last one.
    #[must_use]
    pub fn next_cursor(&self) -> Option<&str> {
        self.next_cursor.as_deref()
    }
}

impl<T: Serialize> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry(self.noun, &self.items)?;
        map.serialize_entry("next_cursor", &self.next_cursor)?;
        map.end()
    }
}

/// The cursor of the next page. It is opaque to callers.
#[derive(Clone, Copy, Debug, Serialize)]
struct Cursor(Uuid);

impl core::fmt::Display for Cursor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.0.simple())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::problem::texts;
    use crate::testing::test;

    fn parse(query: &[(&'static str, &'static str)]) -> Result<Page, Vec<String>> {
        let cow = |text: &&'static str| Cow::Borrowed(*text);
        let query = query.iter().map(|(name, value)| (cow(name), cow(value)));
        Page::parse(query).map_err(|problems| texts(&problems))
    }

    #[test]
    fn a_page_has_25_items_by_default_and_at_most_100() {
        let page = |limit| Page { limit, after: None };
        assert_eq!(parse(&[]), Ok(page(25)));
        assert_eq!(
            parse(&[("limit", ""), ("cursor", ""), ("x", "y")]),
            Ok(page(25))
        );
        assert_eq!(parse(&[("limit", "1")]), Ok(page(1)));
        assert_eq!(parse(&[("limit", "100")]), Ok(page(100)));
        for bad in ["0", "101", "-1", "x", "1.0"] {
            assert_eq!(
                parse(&[("limit", bad)]).unwrap_err(),
                ["limit must be a whole number from 1 to 100"]
            );
        }
        let twice = parse(&[("limit", "1"), ("limit", "2"), ("cursor", "!")]);
        assert_eq!(
            twice.unwrap_err(),
            [
                "limit must be given only once",
                "cursor must be one that a page gave"
            ]
        );
    }

    #[test]
    fn pages_follow_each_other_without_a_gap() {
        let all: Vec<Uuid> = (0..7).rev().map(Uuid::from_u128).collect();
        let mut seen = Vec::new();
        let mut page = Page {
            limit: 3,
            after: None,
        };
        loop {
            let rest = all
                .iter()
                .copied()
                .filter(|id| page.after.is_none_or(|after| *id < after));
            let read: Vec<Uuid> = rest.take(page.reads()).collect();
            let listed = page.list("records", read, |id| *id);
            let shown = serde_json::to_value(&listed).unwrap();
            assert_eq!(shown["next_cursor"].as_str(), listed.next_cursor());
            let ids = shown["records"].as_array().unwrap();
            seen.extend(
                ids.iter()
                    .map(|id| id.as_str().unwrap().parse::<Uuid>().unwrap()),
            );
            let Some(next) = listed.next_cursor() else {
                break;
            };
            page.after = Some(next.parse().unwrap());
        }
        assert_eq!(seen, all);
    }
}
