use super::kinds::{Cursor, DayBegins, DayEnds, Lines, Moment, Names, OneOf, OneOrDefault, TextOf, Truth, Within};
use super::query;
use crate::request::query::{ListQuery as _, QueryReader};
use crate::testing::decisions::parsed;
use overturn_core::base::date::Date;
use overturn_core::base::instant::{DAY_MS, Instant};
use overturn_core::base::names::Choice;
use overturn_core::request::problem::Rule;
use uuid::Uuid;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Color {
    Red,
    #[default]
    Green,
    Blue,
}

impl Choice for Color {
    type Value = Self;
    const ALL: &'static [Self] = &[Self::Red, Self::Green, Self::Blue];
    fn name(one: Self) -> &'static str {
        match one {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
        }
    }
}

query! {
    Paints {
        limit: Lines<500>,
        cursor: Cursor<Uuid>,
        /// Any of these.
        /// Each once.
        colors: Names<Color, true>,
        others: Names<Color, false>,
        base: OneOf<Color>,
        order: OneOrDefault<Color>,
        from: DayBegins,
        to: DayEnds,
        since: Moment,
        coats: Within<1, 3>,
        dry: Truth,
        name: TextOf<4>,
    }
    refuses green_on_green
}

fn green_on_green(query: &Paints, reader: &mut QueryReader<'_>) {
    if query.base == Some(query.order) {
        reader.refuse("base", Rule::NotWith("order"));
    }
}

query! {
    tolerant Tin { name: TextOf<4> }
}

#[test]
fn each_kind_reads_what_it_takes() {
    let begins = Date::parse("2026-03-01").unwrap().begins();
    let given = [
        ("limit", "7"),
        ("cursor", "00000000000000000000000000000009"),
        ("colors", "red,blue"),
        ("others", " green , "),
        ("colors", "green"),
        ("base", " red "),
        ("order", "blue"),
        ("from", "2026-03-01"),
        ("to", " 2026-03-01"),
        ("since", "1970-01-01T00:00:01Z"),
        ("coats", "3"),
        ("dry", "false"),
        ("name", "Zoë!"),
    ];
    let read = Paints {
        limit: 7,
        cursor: Some(Uuid::from_u128(9)),
        colors: vec![Color::Blue, Color::Green, Color::Red],
        others: vec![Color::Green],
        base: Some(Color::Red),
        order: Color::Blue,
        from: Some(begins),
        to: Some(begins.plus(DAY_MS)),
        since: Some(Instant(1_000)),
        coats: Some(3),
        dry: Some(false),
        name: Some("Zoë!".into()),
    };
    assert_eq!(parsed(&given), Ok(read));
}

#[test]
fn a_blank_value_is_none_or_the_default() {
    let none = parsed::<Paints>(&[]).unwrap();
    assert_eq!((none.limit, none.order, none.dry), (500, Color::Green, None));
    let names = ["limit", "cursor", "colors", "others", "base", "order", "from", "to", "since", "coats", "dry", "name"];
    let last = [("to", "9999-12-31")];
    assert_eq!(parsed(&names.map(|name| (name, " "))), Ok(none.clone()));
    assert_eq!(parsed(&last), Ok(none), "no instant comes after the last date");
}

#[test]
fn each_kind_says_what_is_wrong_and_never_repeats_a_value() {
    let wrong = [
        ("limit", "501"),
        ("cursor", "secret"),
        ("colors", "secret,red"),
        ("colors", "red"),
        ("others", "red"),
        ("others", "blue"),
        ("base", "secret"),
        ("order", "secret"),
        ("from", "2026-02-30"),
        ("to", "secret"),
        ("since", "2026-01-01"),
        ("coats", "4"),
        ("dry", "yes"),
        ("name", "secret"),
        ("more", "secret"),
    ];
    assert_eq!(
        parsed::<Paints>(&wrong).unwrap_err(),
        [
            "more is not a known parameter; known are limit, cursor, others, base, order, from, to, since, coats, dry, \
             name, colors",
            "others must be given only once",
            "limit must be a whole number from 1 to 500",
            "cursor must be one that a page gave",
            "colors must be out of red, green, blue",
            "colors must name each status only once",
            "base must be red, green or blue",
            "order must be red, green or blue",
            "from must be a date (YYYY-MM-DD)",
            "to must be a date (YYYY-MM-DD)",
            "since must be a time (RFC 3339, such as 2026-03-04T12:00:00Z)",
            "coats must be a whole number from 1 to 3",
            "dry must be true or false",
            "name must be at most 4 characters",
        ]
    );
    assert_eq!(parsed::<Paints>(&[("base", "green")]).unwrap_err(), ["base must not be given beside order"]);
}

#[test]
fn a_tolerant_query_ignores_other_parameters() {
    assert_eq!(parsed(&[("name", "Zoë"), ("more", "x")]), Ok(Tin { name: Some("Zoë".into()) }));
    let twice = parsed::<Tin>(&[("name", "a"), ("name", "b")]);
    assert_eq!(twice.unwrap_err(), ["name must be given only once"]);
}

#[cfg(feature = "schema")]
#[test]
fn a_query_describes_its_parameters() {
    use serde_json::json;

    let described = Paints::parameters().unwrap();
    let of = |name: &str| described.iter().find(|one| one.parameter["name"] == name).unwrap();
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": 500, "default": 500 });
    assert_eq!(of("limit").parameter["schema"], limit);
    assert_eq!(of("cursor").shared, Some("Cursor"));
    let colors = json!({
        "name": "colors", "in": "query", "required": false, "description": "Any of these.\nEach once.", "style": "form",
        "explode": false,
        "schema": { "type": "array", "uniqueItems": true, "items": { "type": "string", "enum": ["red", "green", "blue"] } },
    });
    assert_eq!(of("colors").parameter, colors);
    let order = json!({ "type": "string", "enum": ["red", "green", "blue", ""], "default": "green" });
    assert_eq!(of("order").parameter["schema"], order);
    let day = json!({ "anyOf": [{ "type": "string", "format": "date" }, { "type": "string", "maxLength": 0 }] });
    assert_eq!(of("to").parameter["schema"], day);
    assert_eq!(of("dry").parameter["schema"], json!({ "type": "string", "enum": ["true", "false", ""] }));
}
