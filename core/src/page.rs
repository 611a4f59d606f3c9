//! Pages of a list (interface: 25 items unless told otherwise, at most 100).

use crate::field::{self, Problems};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;
use uuid::Uuid;

/// Items of a page unless told otherwise.
pub const LIMIT: usize = 25;
/// Most items of a page.
pub const LIMIT_MAX: usize = 100;

/// Which page is asked for. Lists run from the newest record to the oldest, by their ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// Most items.
    pub limit: usize,
    /// The record after which to go on.
    pub after: Option<Uuid>,
}

impl Page {
    /// Reads `limit` and `cursor` of a query.
    ///
    /// # Errors
    ///
    /// The problems of the query.
    pub fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<String>> {
        let mut p = Problems::default();
        let (mut limit, mut cursor) = (None, None);
        for (name, value) in query {
            let seen = match &*name {
                "limit" => limit.replace(value),
                "cursor" => cursor.replace(value),
                _ => continue,
            };
            if seen.is_some() {
                p.add(&alloc::format!("{name} must be given only once"));
            }
        }
        let limit = limit.filter(|text| !field::is_blank(text));
        let limit = limit.map_or(Some(LIMIT), |text| {
            text.parse().ok().filter(|n| (1..=LIMIT_MAX).contains(n))
        });
        if limit.is_none() {
            p.add("limit must be a whole number from 1 to 100");
        }
        let cursor = cursor.filter(|text| !field::is_blank(text));
        let after = cursor.map(|text| text.parse().ok());
        if after == Some(None) {
            p.add("cursor must be one that a page gave");
        }
        match limit {
            Some(limit) if p.count() == 0 => Ok(Self {
                limit,
                after: after.flatten(),
            }),
            _ => Err(p.into_list()),
        }
    }

    /// How many records to read: one more than asked for tells whether there is another page.
    #[must_use]
    pub const fn reads(self) -> usize {
        self.limit.saturating_add(1)
    }

    /// Takes the record too many off, and says where the next page goes on.
    pub fn cut<T>(self, items: &mut Vec<T>, id: impl Fn(&T) -> Uuid) -> Option<String> {
        let more = items.len() > self.limit;
        items.truncate(self.limit);
        let last = items.last().filter(|_| more)?;
        Some(Cursor(id(last)).to_string())
    }
}

/// Where the next page goes on. Callers hand it back as it is and read nothing into it.
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
    use crate::testing::test;

    fn parse(query: &[(&'static str, &'static str)]) -> Result<Page, Vec<String>> {
        let cow = |text: &&'static str| Cow::Borrowed(*text);
        Page::parse(query.iter().map(|(name, value)| (cow(name), cow(value))))
    }

    #[test]
    fn a_page_has_25_items_unless_told_otherwise_and_at_most_100() {
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
            let mut items: Vec<Uuid> = rest.take(page.reads()).collect();
            let next = page.cut(&mut items, |id| *id);
            seen.extend(items);
            let Some(next) = next else { break };
            page.after = Some(next.parse().unwrap());
        }
        assert_eq!(seen, all);
    }
}
