//! The rules of the service, applied to one claim of a file.

use crate::input::{Entry, Place};
use overturn_core::advice::{self, Advice};
use overturn_core::ctx::Ctx;
use overturn_core::intake::{self, BODY_MAX, BODY_TOO_LARGE, NOT_JSON};
use std::fmt;

/// A claim that may be sent. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    /// Where it stands.
    pub(crate) place: Place,
    /// The caller's number.
    pub(crate) number: String,
    /// The item as it is sent.
    pub(crate) item: String,
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Claim({:?})", self.place)
    }
}

/// What the rules say.
#[derive(Debug)]
pub(crate) enum Judged {
    /// A claim, with what its sender may want to look at again.
    Valid(Claim, Vec<Advice>),
    /// The problems, in the words of the service.
    Invalid(Vec<String>),
    /// Nothing: the entry is no claim, and nothing is wrong with it.
    Nothing,
}

/// How a batch writes the place of its first item.
const FIRST: &str = "claims[0]: ";

/// Where the file is one value, what is wrong in the middle hides the rest.
const UNREAD: &str = "nothing behind it was read";

/// Judges an entry.
pub(crate) fn judge(place: Place, entry: Entry<'_>, ctx: &Ctx) -> Judged {
    match entry {
        Entry::Alone(item) => claim(place, item, item, ctx),
        Entry::Item(item) => claim(place, item, &body([item]), ctx),
        Entry::Envelope(text) => envelope(text, ctx),
        Entry::NotJson { line, column } if place.line.is_none() => {
            let at = format!("line {line}, column {column}; {UNREAD}");
            Judged::Invalid(vec![format!("{NOT_JSON} ({at})")])
        }
        Entry::NotJson { column, .. } => {
            Judged::Invalid(vec![format!("{NOT_JSON} (column {column})")])
        }
        Entry::TooLarge if place.line.is_none() => {
            Judged::Invalid(vec![format!("{BODY_TOO_LARGE} ({UNREAD})")])
        }
        Entry::TooLarge => Judged::Invalid(vec![BODY_TOO_LARGE.into()]),
    }
}

/// The body of a batch.
pub(crate) fn body<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let items: Vec<&str> = items.into_iter().collect();
    format!("{{\"claims\":[{}]}}", items.join(","))
}

/// The length of the body of a batch of these items, in bytes.
pub(crate) fn body_length(items: usize, bytes: usize) -> usize {
    let commas = items.saturating_sub(1);
    body([]).len().saturating_add(bytes).saturating_add(commas)
}

fn claim(place: Place, item: &str, request: &str, ctx: &Ctx) -> Judged {
    if body_length(1, item.len()) > BODY_MAX {
        return Judged::Invalid(vec![BODY_TOO_LARGE.into()]);
    }
    match intake::parse(request.as_bytes(), ctx) {
        Ok(send) => {
            let number = send.claim_numbers().next().unwrap_or_default().to_owned();
            let item = item.to_owned();
            let claim = Claim {
                place,
                number,
                item,
            };
            Judged::Valid(claim, advice::advise(&send.items))
        }
        Err(problems) => Judged::Invalid(problems.iter().map(|text| of_item(text)).collect()),
    }
}

fn of_item(problem: &str) -> String {
    problem.strip_prefix(FIRST).unwrap_or(problem).to_owned()
}

fn envelope(text: &str, ctx: &Ctx) -> Judged {
    let mut problems = intake::parse(text.as_bytes(), ctx)
        .err()
        .unwrap_or_default();
    // The items were judged one by one, and stand here as null.
    problems.retain(|problem| !problem.starts_with(FIRST));
    if problems.is_empty() {
        Judged::Nothing
    } else {
        Judged::Invalid(problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overturn_core::ctx::Instant;

    const ITEM: &str = r#"{"patient":{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29"},
        "claim":{"claim_number":"A-1","payer_claim_number":"I","payer_name":"P","date_of_service":"2025-01-02",
        "billed_amount":"1.00","denial_reason":"no"}}"#;

    fn judged(entry: Entry<'_>) -> Judged {
        let ctx = Ctx::new(Instant(1_767_225_600_000), [0; 32]);
        judge(Place::default(), entry, &ctx)
    }

    fn problems(entry: Entry<'_>) -> Vec<String> {
        match judged(entry) {
            Judged::Invalid(problems) => problems,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_valid_claim_is_sent_as_it_was_written() {
        for entry in [Entry::Alone(ITEM), Entry::Item(ITEM)] {
            let Judged::Valid(claim, advice) = judged(entry) else {
                panic!("it is valid")
            };
            assert_eq!(
                (&*claim.number, &*claim.item, advice.len()),
                ("A-1", ITEM, 0)
            );
        }
    }

    #[test]
    fn the_problems_are_those_of_the_service() {
        let nameless = ITEM.replacen("Jane", "", 1);
        let expected = ["patient.first_name is required"];
        assert_eq!(problems(Entry::Alone(&nameless)), expected);
        assert_eq!(problems(Entry::Item(&nameless)), expected);
        assert_eq!(problems(Entry::Item("null")), ["item must be an object"]);
        assert_eq!(problems(Entry::Alone("null")), ["body must be an object"]);
        // As an item it has no envelope, so `claims` is a key like any other.
        assert_eq!(problems(Entry::Item(r#"{"claims":[]}"#)).len(), 9);
    }

    #[test]
    fn of_a_batch_as_a_whole_everything_is_said_but_what_was_said_of_its_items() {
        assert!(matches!(
            judged(Entry::Envelope(r#"{"claims":[null]}"#)),
            Judged::Nothing
        ));
        for (envelope, expected) in [
            (r#"{"claims":[]}"#, "claims must have 1 to 100 items"),
            (r#"{"claims":null}"#, "claims must be an array"),
            (
                r#"{"claims":[null],"x":1}"#,
                "claims must be the only key of a batch",
            ),
            (
                r#"{"claims":[null],"claims":[null]}"#,
                "claims must be given only once",
            ),
        ] {
            assert_eq!(problems(Entry::Envelope(envelope)), [expected]);
        }
    }

    #[test]
    fn what_is_not_json_is_told_with_where_and_with_what_it_hides() {
        let entry = Entry::NotJson { line: 3, column: 7 };
        let hidden = "body must be valid JSON (line 3, column 7; nothing behind it was read)";
        assert_eq!(problems(entry), [hidden]);
        let place = Place {
            line: Some(3),
            index: None,
        };
        let of_line = judge(place, entry, &Ctx::new(Instant(0), [0; 32]));
        assert!(
            matches!(of_line, Judged::Invalid(found) if found == ["body must be valid JSON (column 7)"])
        );
    }

    #[test]
    fn an_advised_claim_is_valid() {
        let odd = ITEM.replacen("A-1", "0", 1);
        assert!(
            matches!(judged(Entry::Alone(&odd)), Judged::Valid(_, advice) if advice.len() == 1)
        );
    }

    #[test]
    fn a_claim_too_large_for_any_request_is_refused_here() {
        let padded = |bytes: usize| format!("{ITEM}{}", " ".repeat(bytes - ITEM.len()));
        let room = BODY_MAX - body([]).len();
        assert!(matches!(
            judged(Entry::Item(&padded(room))),
            Judged::Valid(..)
        ));
        assert_eq!(problems(Entry::Item(&padded(room + 1))), [BODY_TOO_LARGE]);
        assert_eq!(
            problems(Entry::TooLarge),
            [format!("{BODY_TOO_LARGE} ({UNREAD})")]
        );
    }
}
