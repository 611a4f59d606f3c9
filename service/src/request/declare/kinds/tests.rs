#![allow(dead_code, unreachable_pub, reason = "the macros define more than a test uses")]

use super::*;
use crate::request::declare::{Body, Key, RawObject, body};
use crate::request::secret::{LinkToken, SessionToken};
use crate::testing::decisions::{parse, said};
use overturn_core::names;
use std::fmt::Debug;
use uuid::Uuid;

/// A body with the key `x`.
struct One<F: Field>(F::Value);

impl<F: Field> Body for One<F> {
    #[cfg(feature = "schema")]
    const NAME: &'static str = "One";

    const KEYS: &'static [Key] = &[("x", F::SHAPE)];

    fn read(p: &mut Problems, mut raw: RawObject<'_>, terms: Terms<'_>) -> Option<Self> {
        F::read(p, "x", raw.take("x"), terms).map(Self)
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        F::schema()
    }
}

fn read<F: Field>(value: &str) -> Result<F::Value, Vec<String>> {
    let read = parse(format!(r#"{{"x":{value}}}"#));
    read.map(|One::<F>(value)| value).map_err(said)
}

/// Each value is read as this one.
fn takes<F: Field<Value: PartialEq + Debug>>(values: &[&str], as_what: &F::Value) {
    for value in values {
        assert_eq!(read::<F>(value).as_ref(), Ok(as_what), "{value}");
    }
}

/// Each value has this problem and no other.
fn refuses<F: Field<Value: Debug>>(values: &[&str], problem: &str) {
    for value in values {
        assert_eq!(read::<F>(value).unwrap_err(), [format!("x {problem}")], "{value}");
    }
}

const ABSENT: [&str; 1] = ["null"];
const MISSING: [&str; 4] = ["null", "\"\"", "\" \\t\"", "\"\\u0085\""];
const NO_TEXT: [&str; 6] = ["7", "1.5", "true", "[]", "[\"x\"]", "{}"];

names! { Color { Red = "red", Green = "green", Blue = "blue", } }
some_of! { Warm: Color = [Color::Red] }
some_of! { Cold: Color = [Color::Green, Color::Blue] }

#[test]
fn text_has_a_character_that_counts_and_a_length() {
    takes::<Text<3>>(&["\"abc\"", "\"\\u0061bc\""], &"abc".into());
    takes::<Text<3>>(&["\" \u{e4}b\""], &" \u{e4}b".into());
    takes::<Text<3>>(&["\"a\\u0007b\""], &"a\u{7}b".into());
    refuses::<Text<3>>(&MISSING, "is required");
    refuses::<Text<3>>(&NO_TEXT, "must be text");
    refuses::<Text<3>>(&["\"abcd\""], "must be at most 3 characters");
    takes::<Trimmed<Text<3>>>(&["\" a \""], &"a".into());
    refuses::<Trimmed<Text<3>>>(&["\"  a \""], "must be at most 3 characters");
}

#[test]
fn printable_text_has_no_character_that_hides() {
    takes::<Printable<5>>(&["\" Zo\u{eb} \""], &" Zo\u{eb} ".into());
    refuses::<Printable<5>>(&MISSING, "is required");
    refuses::<Printable<5>>(&NO_TEXT, "must be text");
    refuses::<Printable<5>>(&["\"a\\u0007b\"", "\"a\\u202eb\""], "must have printable characters only");
    refuses::<Printable<5>>(&["\"123456\""], "must be at most 5 characters");
    let both = ["x must be at most 5 characters", "x must have printable characters only"];
    assert_eq!(read::<Printable<5>>("\"12345\\u0007\"").unwrap_err(), both);
}

#[test]
fn a_number_is_whole_and_within_its_range() {
    takes::<Whole<-1, 7>>(&["-1"], &-1);
    takes::<Whole<-1, 7>>(&["7"], &7);
    refuses::<Whole<-1, 7>>(&ABSENT, "is required");
    let wrong = ["-2", "8", "1.0", "1e0", "\"1\"", "\"\"", "true", "[1]", "{}", "18446744073709551615"];
    refuses::<Whole<-1, 7>>(&wrong, "must be a whole number from -1 to 7");
}

#[test]
fn a_flag_is_true_or_false() {
    takes::<Flag>(&["true"], &true);
    takes::<Flag>(&["false"], &false);
    refuses::<Flag>(&ABSENT, "is required");
    refuses::<Flag>(&["\"true\"", "\"\"", "0", "1", "[]", "{}"], "must be true or false");
}

#[test]
fn an_address_can_receive_mail() {
    assert_eq!(read::<Email>("\" Ann@a.example \"").unwrap().key(), "ann@a.example");
    refuses::<Email>(&MISSING, "is required");
    refuses::<Email>(&NO_TEXT, "must be text");
    refuses::<Email>(&["\"ann\"", "\"ann@\"", "\"@a.example\""], "must be an e-mail address");
    refuses::<Email>(&[&format!("\"{}@a.example\"", "a".repeat(250))], "must be at most 254 characters");
}

#[test]
fn a_day_is_a_date_and_a_past_one_not_in_the_future() {
    let day = |text| Date::parse(text).unwrap();
    takes::<Day>(&["\"2026-03-05\""], &day("2026-03-05"));
    takes::<PastDay>(&["\"2026-03-04\""], &day("2026-03-04"));
    refuses::<PastDay>(&["\"2026-03-05\""], "must not be in the future");
    refuses::<Day>(&MISSING, "is required (YYYY-MM-DD)");
    refuses::<PastDay>(&MISSING, "is required (YYYY-MM-DD)");
    let wrong = ["\"2026-02-30\"", "\"03/04/2026\"", "\"2026-3-4\"", "20260304", "true", "[]", "{}"];
    refuses::<Day>(&wrong, "must be a date (YYYY-MM-DD)");
    refuses::<PastDay>(&wrong, "must be a date (YYYY-MM-DD)");
}

#[test]
fn an_amount_has_two_decimals_and_is_positive() {
    takes::<Amount>(&["\"80.00\"", "\"0080.00\""], &Cents::new(8_000).unwrap());
    refuses::<Amount>(&MISSING, "is required");
    let wrong = ["\"80\"", "\"80.0\"", "\"-80.00\"", "\"0.00\"", "80.00", "8000", "true", "[]", "{}"];
    refuses::<Amount>(&wrong, "must be a positive amount as text with two decimals");
}

#[test]
fn a_token_that_cannot_be_one_is_refused_as_an_unknown_one() {
    let token = LinkToken::mint([7; 32]);
    takes::<Token<LinkToken>>(&[&format!("{:?}", token.expose())], &Ok(token));
    refuses::<Token<LinkToken>>(&MISSING, "is required");
    refuses::<Token<LinkToken>>(&NO_TEXT, "must be text");
    refuses::<Token<LinkToken>>(&[&format!("\"{}\"", "x".repeat(129))], "must be at most 128 characters");
    for other in ["x", SessionToken::mint([7; 32]).expose()] {
        takes::<Token<LinkToken>>(&[&format!("{other:?}")], &Err(RequestError::SignInFailed));
    }
}

#[test]
fn an_id_is_a_uuid() {
    let id = Uuid::from_u128(7);
    takes::<Id<Uuid>>(&[&format!("\"{id}\"")], &id);
    refuses::<Id<Uuid>>(&MISSING, "is required");
    refuses::<Id<Uuid>>(&NO_TEXT, "must be an id");
    refuses::<Id<Uuid>>(&["\"x\"", &format!("\" {id}\"")], "must be an id");
}

#[test]
fn a_choice_is_one_of_its_names() {
    takes::<Color>(&["\"green\""], &Color::Green);
    takes::<Cold>(&["\"green\""], &Color::Green);
    refuses::<Color>(&MISSING, "is required");
    for wrong in [&NO_TEXT[..], &["\"Red\"", "\" red\"", "\"black\""]] {
        refuses::<Color>(wrong, "must be one of red, green, blue");
        refuses::<Cold>(wrong, "must be green or blue");
    }
    refuses::<Cold>(&["\"red\""], "must be green or blue");
    refuses::<Warm>(&["\"blue\""], "must be red");
}

#[test]
fn a_list_of_names_has_each_once_in_the_order_of_the_enumeration() {
    let both = [Color::Red, Color::Blue].into();
    takes::<Names<Color>>(&["[\"blue\",\"red\"]", "[\"red\",\"\",\"blue\",\"red\"]"], &both);
    refuses::<Names<Color>>(&["null", "[]", "\"\"", "\" , \"", "[\" \"]"], "is required");
    refuses::<Names<Color>>(&["\"red\"", "7", "true", "{}", "[1]", "[null]", "[[]]"], "must be an array of text");
    refuses::<Names<Color>>(&["[\"red\",\"black\"]", "[\"Red\"]"], "must be out of red green blue");
    refuses::<Names<Cold>>(&["[\"red\"]"], "must be out of green blue");
    let many = format!("[{}]", ["\"red\""; 102].join(","));
    refuses::<Names<Color>>(&[&many], "must have at most 101 items");
}

#[test]
fn a_field_that_may_be_absent_says_what_counts_as_absent() {
    let seven = Some(7);
    takes::<Optional<Whole<1, 7>>>(&["null"], &None);
    takes::<Changed<Whole<1, 7>>>(&["null"], &None);
    takes::<Clearable<Whole<1, 7>>>(&["null"], &Some(None));
    takes::<Optional<Whole<1, 7>>>(&["7"], &seven);
    takes::<Changed<Whole<1, 7>>>(&["7"], &seven);
    takes::<Clearable<Whole<1, 7>>>(&["7"], &Some(seven));
    takes::<Optional<Text<3>>>(&MISSING, &None);
    takes::<Clearable<Text<3>>>(&MISSING, &Some(None));
    refuses::<Changed<Text<3>>>(&MISSING[1..], "is required");
    takes::<Optional<Names<Color>>>(&["null", "[]", "[\"\"]"], &None);
    refuses::<Changed<Names<Color>>>(&["[]"], "is required");
    refuses::<Clearable<Inside<Point>>>(&["\"\"", "[]"], "must be an object");
    for given in [
        parse::<One<Optional<Flag>>>("{}").map(|one| one.0),
        parse::<One<Changed<Flag>>>("{}").map(|one| one.0),
        parse::<One<Clearable<Flag>>>("{}").map(|one| one.0.flatten()),
    ] {
        assert_eq!(given, Ok(None));
    }
    assert_eq!(parse::<One<Clearable<Flag>>>("{}").unwrap().0, None);
}

body! {
    closed Point { x: Whole<0, 9>, y: Whole<0, 9> }
}
body! {
    edit Line {
        color: Changed<Color>,
        from: Clearable<Inside<Point>>,
        warm: When<Flag> where color == Some(Some(Color::Red)),
    }
}

#[test]
fn a_body_lists_its_problems_in_the_order_of_its_keys() {
    let problems = |body: &str| said(parse::<Line>(body).unwrap_err());
    let body = r#"{"from":{"z":1,"y":1,"x":"1","y":10},"warm":0,"blur":1,"color":"red","warm":1}"#;
    assert_eq!(
        problems(body),
        [
            "warm must be given only once",
            "body must have only color, from and warm",
            "from.y must be given only once",
            "from must have only x and y",
            "from.x must be a whole number from 0 to 9",
            "from.y must be a whole number from 0 to 9",
            "warm must be true or false",
        ]
    );
    assert_eq!(problems(r#"{"from":[]}"#), ["from must be an object"]);
    assert_eq!(said(parse::<Point>("{}").unwrap_err()), ["x is required", "y is required"]);
    for empty in ["{}", r#"{"color":null,"warm":7}"#] {
        assert_eq!(problems(empty), ["body must have color, from or warm"], "{empty}");
    }
}

#[test]
fn a_key_counts_only_under_its_condition() {
    let warm = |body: &str| parse::<Line>(body).map(|line| line.warm).map_err(said);
    assert_eq!(warm(r#"{"color":"red","warm":true}"#), Ok(Some(true)));
    assert_eq!(warm(r#"{"color":"blue","warm":7}"#), Ok(None));
    assert_eq!(warm(r#"{"color":"red"}"#), Err(["warm is required".to_owned()].into()));
}

#[test]
fn a_body_is_json_and_an_object_and_prints_no_value() {
    for (body, problem) in [
        ("", "body must be valid JSON"),
        ("{} x", "body must be valid JSON"),
        ("\u{feff}{}", "body must be valid JSON"),
        ("[]", "body must be an object"),
        ("null", "body must be an object"),
        (r#"{"x":1e999}"#, "body must not hold a number out of range"),
    ] {
        let Err(RequestError::Malformed(found)) = parse::<Point>(body) else { panic!("{body}") };
        assert_eq!(std::string::ToString::to_string(&found), problem, "{body}");
    }
    assert_eq!(format!("{:?}", parse::<Point>(r#"{"x":1,"y":2}"#).unwrap()), "Point(…)");
    let deep = format!(r#"{{"x":{}1{},"y":{0}1{1},"z":{0}1{1}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(said(parse::<Point>(deep).unwrap_err()).len(), 3);
}
