//! Pages of a list (interface: 25 items by default, at most 100).

#[cfg(feature = "schema")]
use crate::request::accept::ListForm;
use crate::request::csv;
#[cfg(feature = "schema")]
use crate::request::declare::query::kinds::Place;
use crate::request::declare::query::kinds::{Cursor, Limit};
use crate::request::declare::query::query;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::cmp::Ordering;
use std::iter;
use uuid::Uuid;

query! {
    /// The requested page. Lists run from the newest record to the oldest, by id.
    #[derive(Copy)]
    tolerant pub Page {
        limit: Limit,
        cursor: Cursor<Uuid>,
    }
}

impl Page {
    /// How many records to read: one more than requested, which shows whether there is another page.
    #[must_use]
    pub const fn reads(self) -> usize {
        self.limit.saturating_add(1)
    }

    /// The page from the records.
    pub fn list<T: Item>(self, items: Vec<T>, id: impl Fn(&T) -> Uuid) -> Listed<T> {
        Listed::cut(items, self.limit, |last| id(last).simple().to_string())
    }
}

/// An item of a list.
pub trait Item: Serialize {
    /// The key of the list in an answer.
    const LIST: &'static str;

    /// The form of the cursor.
    #[cfg(feature = "schema")]
    const CURSOR: &'static str = <Uuid as Place>::FORM;

    /// Whether a page can say how many items pass the filters.
    #[cfg(feature = "schema")]
    const COUNTED: bool = false;

    /// Whether the list is over all practices, so that cells can be missing.
    #[cfg(feature = "schema")]
    const OF_ALL: bool = false;
}

/// Adds the cells that can be missing in an answer over all practices.
#[cfg(feature = "schema")]
pub(crate) fn of_all(schema: &mut Schema) {
    let missing = json_schema!({
        "description": "The databases that did not answer in time, by number. What they have is not in this answer. Only \
            given if there are any.",
        "type": "array",
        "minItems": 1,
        "items": { "type": "integer", "minimum": 0, "maximum": u16::MAX },
    });
    if let Some(properties) = schema.get_mut("properties").and_then(|properties| properties.as_object_mut()) {
        properties.insert("missing_cells".into(), missing.into());
    }
}

/// A page of a list, as answered: `{"<LIST>": […], "next_cursor": …}`, with a `count` if the
/// caller asked for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed<T> {
    items: Vec<T>,
    next_cursor: Option<String>,
    count: Option<Count>,
}

/// How many claims pass the filters, with `count=true` on the first page. At most 1,000 are counted, among the first 10,000
/// claims of the statuses and days.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Count {
    #[cfg_attr(feature = "schema", schemars(range(max = 1_000)))]
    pub claims: usize,
    /// `true` if there may be more.
    pub more: bool,
}

impl<T> Listed<T> {
    /// The page from the records, without the extra record that shows another page; `cursor` makes the next page's
    /// cursor from the last record.
    #[must_use]
    pub fn cut(mut items: Vec<T>, limit: usize, cursor: impl Fn(&T) -> String) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        let next_cursor = items.last().filter(|_| more).map(cursor);
        Self::new(items, next_cursor)
    }

    /// A page whose end is known otherwise than by an extra record.
    #[must_use]
    pub const fn new(items: Vec<T>, next_cursor: Option<String>) -> Self {
        Self { items, next_cursor, count: None }
    }

    /// The same with how many records pass.
    #[must_use]
    pub fn counted(self, count: Option<Count>) -> Self {
        Self { count, ..self }
    }

    /// The cursor of the next page, `None` on the last one.
    #[must_use]
    pub fn next_cursor(&self) -> Option<&str> {
        self.next_cursor.as_deref()
    }
}

/// The first records of two lists that are in this order, the first list's before equal ones of the second.
pub fn merged<T>(lists: [Vec<T>; 2], most: usize, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let [mut first, mut second] = lists.map(|list| list.into_iter().peekable());
    let next = || match (first.peek(), second.peek()) {
        (Some(one), Some(other)) if order(other, one).is_ge() => first.next(),
        (_, Some(_)) => second.next(),
        (_, None) => first.next(),
    };
    iter::from_fn(next).take(most).collect()
}

/// A row of a list that can be read as CSV. It names no patient.
pub trait CsvRow: Item {
    /// The name of the file.
    const FILE: &'static str;
    /// The columns, see [`csv::table`].
    const COLUMNS: &'static [&'static str];
}

/// A page that can be read as CSV.
pub trait CsvPage: Serialize {
    /// The name of the file.
    fn file(&self) -> &'static str;
    /// The table.
    fn csv(&self) -> String;
    /// The cursor of the next page, `None` on the last one.
    fn next(&self) -> Option<&str>;
}

impl<T: CsvRow> CsvPage for Listed<T> {
    fn file(&self) -> &'static str {
        T::FILE
    }

    fn csv(&self) -> String {
        csv::table(T::COLUMNS, &self.items)
    }

    fn next(&self) -> Option<&str> {
        self.next_cursor()
    }
}

#[cfg(feature = "schema")]
impl<T: Item + JsonSchema> JsonSchema for Listed<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}List", T::schema_name()).into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        let (_, most) = ListForm::Json.limits();
        let mut page = json_schema!({
            "type": "object",
            "required": [T::LIST, "next_cursor"],
            "properties": {
                (T::LIST): { "type": "array", "maxItems": most, "items": schemas.subschema_for::<T>() },
                "next_cursor": {
                    "description": "The `cursor` for the next page. `null` on the last page.",
                    "type": ["string", "null"],
                    "pattern": T::CURSOR,
                },
            },
        });
        let count = T::COUNTED.then(|| schemas.subschema_for::<Count>());
        if let (Some(count), Some(properties)) =
            (count, page.get_mut("properties").and_then(|properties| properties.as_object_mut()))
        {
            properties.insert("count".into(), count.into());
        }
        if T::OF_ALL {
            of_all(&mut page);
        }
        page
    }
}

impl<T: Item> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry(T::LIST, &self.items)?;
        map.serialize_entry("next_cursor", &self.next_cursor)?;
        if let Some(count) = self.count {
            map.serialize_entry("count", &count)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::decisions::parsed;

    impl Item for Uuid {
        const LIST: &'static str = "records";
    }

    fn parse(query: &[(&'static str, &'static str)]) -> Result<Page, Vec<String>> {
        parsed(query)
    }

    #[test]
    fn a_page_has_25_items_by_default_and_at_most_100() {
        let page = |limit| Page { limit, cursor: None };
        assert_eq!(parse(&[]), Ok(page(25)));
        assert_eq!(parse(&[("limit", ""), ("cursor", ""), ("x", "y")]), Ok(page(25)));
        assert_eq!(parse(&[("limit", "1")]), Ok(page(1)));
        assert_eq!(parse(&[("limit", "100")]), Ok(page(100)));
        for bad in ["0", "101", "-1", "x", "1.0"] {
            assert_eq!(parse(&[("limit", bad)]).unwrap_err(), ["limit must be a whole number from 1 to 100"]);
        }
        let twice = parse(&[("limit", "1"), ("limit", "2"), ("cursor", "!")]);
        assert_eq!(twice.unwrap_err(), ["limit must be given only once", "cursor must be one that a page gave"]);
    }

    #[test]
    fn pages_follow_each_other_without_a_gap() {
        let all: Vec<Uuid> = (0..7).rev().map(Uuid::from_u128).collect();
        let mut seen = Vec::new();
        let mut page = Page { limit: 3, cursor: None };
        loop {
            let rest = all.iter().copied().filter(|id| page.cursor.is_none_or(|after| *id < after));
            let read: Vec<Uuid> = rest.take(page.reads()).collect();
            let listed = page.list(read, |id| *id);
            let shown = serde_json::to_value(&listed).unwrap();
            assert_eq!(shown["next_cursor"].as_str(), listed.next_cursor());
            let ids = shown["records"].as_array().unwrap();
            seen.extend(ids.iter().map(|id| id.as_str().unwrap().parse::<Uuid>().unwrap()));
            let Some(next) = listed.next_cursor() else {
                break;
            };
            page.cursor = Some(next.parse().unwrap());
        }
        assert_eq!(seen, all);
    }
}
