use super::*;
use crate::request::declare::kinds::Id;
use crate::request::declare::query::Parameter;
use crate::request::declare::query::kinds::Day;
use overturn_core::request::problem::texts;
use uuid::Uuid;

type Pair = (&'static str, &'static str);

fn pairs(query: &[Pair]) -> impl Iterator<Item = (Cow<'static, str>, Cow<'static, str>)> {
    query.iter().map(|(name, value)| (Cow::Borrowed(*name), Cow::Borrowed(*value)))
}

/// A reader whose parameters may be given once.
fn reader<const N: usize>(query: &[Pair], names: [&'static str; N]) -> QueryReader<'static> {
    QueryReader::new(pairs(query), &names.map(|name| (name, false)))
}

fn problems(reader: QueryReader<'_>) -> Vec<String> {
    reader.settle(()).map_or_else(|problems| texts(&problems), |()| Vec::new())
}

#[test]
fn a_read_without_parameters_refuses_every_one() {
    let parse = |query: &[Pair]| NoQuery::parse(pairs(query)).map_err(|problems| texts(&problems));
    assert_eq!(parse(&[]), Ok(NoQuery));
    for name in ["none", "limit", "cursor"] {
        let expected = format!("{name} is not a known parameter; no parameter is known");
        assert_eq!(parse(&[(name, "1")]), Err(vec![expected]));
    }
    let place = "query has an unknown parameter at position 1; no parameter is known";
    assert_eq!(parse(&[("Jane Doe", "")]), Err(vec![place.into()]));
}

#[test]
fn problems_come_in_the_order_unknown_repeated_and_wrong() {
    let query = [("b", "x"), ("c", "x"), ("a", "1"), ("b", "y"), ("a", "2")];
    let mut reader = reader(&query, ["a", "b"]);
    let expected = [
        "c is not a known parameter; known are a, b",
        "b must be given only once",
        "a must be given only once",
        "b must be an id",
    ];
    assert_eq!(Id::<Uuid>::read(&mut reader, "b", ListForm::Json), None);
    assert_eq!(reader.value("a").as_deref(), Some("2"), "the last one");
    assert_eq!(problems(reader), expected);
}

#[test]
fn a_blank_value_is_the_same_as_none() {
    let query = [("a", ""), ("b", " "), ("limit", ""), ("cursor", "\t")];
    let mut reader = reader(&query, ["a", "b", "limit", "cursor"]);
    assert_eq!((reader.value("a"), reader.value("x")), (None, None));
    assert_eq!(Day::read(&mut reader, "b", ListForm::Json), None);
    assert_eq!(reader.limit(ListForm::Json), 25);
    assert_eq!(reader.cursor(|_| Some(1)), None);
    assert_eq!(problems(reader), [""; 0]);
}

#[test]
fn a_parameter_may_be_repeated_only_if_its_list_says_so() {
    let query = [("status", "a"), ("x", "1"), ("status", "b")];
    let mut reader = QueryReader::new(pairs(&query), &[("x", false), ("status", true)]);
    let all = reader.values("status", |_, values| values.collect::<Vec<_>>().join(","));
    assert_eq!(all, "a,b");
    assert_eq!(problems(reader), [""; 0]);
    let reader = QueryReader::tolerant(pairs(&query), &[("x", false)]);
    assert_eq!(problems(reader), [""; 0]);
    let reader = QueryReader::tolerant(pairs(&query), &[("status", false)]);
    assert_eq!(problems(reader), ["status must be given only once"]);
}

#[test]
fn a_value_that_is_out_of_bounds_is_named_and_not_repeated() {
    let query = [("name", "M\u{e4}ria"), ("limit", "11"), ("day", "2026-02-30")];
    let mut reader = reader(&query, ["name", "limit", "day"]);
    assert_eq!(reader.text("name", 4), None);
    assert_eq!(reader.limit_of(5, 10), 5);
    assert_eq!(Day::read(&mut reader, "day", ListForm::Json), None);
    let expected = [
        "name must be at most 4 characters",
        "limit must be a whole number from 1 to 10",
        "day must be a date (YYYY-MM-DD)",
    ];
    assert_eq!(problems(reader), expected);
}
