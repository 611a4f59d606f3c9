//! The message about text that could not be read to its end: the service's words, then the position, what to do, and
//! what was not read.

use crate::input::{Broken, Fault, Hidden, Place, Position};
use overturn_core::claims::intake::BODY_TOO_LARGE;
use overturn_core::claims::intake::NOT_JSON;

const SEVERAL: &str = "something follows the value; several claims go one a line, or together into {\"claims\": […]}";
const CELLS: &str = "the row has more cells than the first line has columns";
const QUOTE: &str = "a quotation mark in this row does not end";
const NOT_UTF_8: &str = "the text is not UTF-8; save the file as UTF-8";

/// The problem as one message.
pub(super) fn problem(place: Place, broken: Broken) -> String {
    let message = match broken.fault {
        Fault::TooLarge => BODY_TOO_LARGE.to_string(),
        Fault::Cells => CELLS.into(),
        Fault::Quote => QUOTE.into(),
        Fault::NotJson(_) | Fault::Several(_) | Fault::NotUtf8(_) => NOT_JSON.to_string(),
    };
    let (at, hint) = match broken.fault {
        Fault::NotJson(at) => (Some(at), None),
        Fault::Several(at) => (Some(at), Some(SEVERAL)),
        Fault::NotUtf8(at) => (Some(at), Some(NOT_UTF_8)),
        Fault::TooLarge | Fault::Cells | Fault::Quote => (None, None),
    };
    let unread = match broken.hides {
        Hidden::Nothing => None,
        Hidden::RestOfLine => Some("nothing behind it in the line was read"),
        Hidden::RestOfFile => Some("nothing behind it was read"),
    };
    let at = at.map(|at| position(place, at));
    let said: Vec<&str> = [at.as_deref(), hint, unread].into_iter().flatten().collect();
    if said.is_empty() {
        return message;
    }
    format!("{message} ({})", said.join("; "))
}

/// The position, with the line only if the place does not name it.
fn position(place: Place, Position { line, column }: Position) -> String {
    let line = place.line.is_none().then(|| format!("line {line}"));
    let column = format!("column {column}");
    let said: Vec<String> = line.into_iter().chain([column]).collect();
    said.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_part_is_reported_with_its_position_and_a_hint() {
        let at = Position { line: 3, column: 7 };
        let of_line = Place { line: Some(3), index: None };
        for (place, fault, hides, says) in [
            (
                Place::default(),
                Fault::NotJson(at),
                Hidden::RestOfFile,
                "body must be valid JSON (line 3, column 7; nothing behind it was read)",
            ),
            (of_line, Fault::NotJson(at), Hidden::Nothing, "body must be valid JSON (column 7)"),
            (
                of_line,
                Fault::NotUtf8(at),
                Hidden::RestOfLine,
                "body must be valid JSON (column 7; the text is not UTF-8; save the file as UTF-8; \
                 nothing behind it in the line was read)",
            ),
            (
                of_line,
                Fault::Several(at),
                Hidden::Nothing,
                "body must be valid JSON (column 7; something follows the value; several claims go one a line, \
                 or together into {\"claims\": […]})",
            ),
            (
                Place::default(),
                Fault::Several(at),
                Hidden::RestOfFile,
                "body must be valid JSON (line 3, column 7; something follows the value; several claims go one a line, \
                 or together into {\"claims\": […]}; nothing behind it was read)",
            ),
            (of_line, Fault::TooLarge, Hidden::Nothing, "body is over 2 MiB"),
            (Place::default(), Fault::TooLarge, Hidden::RestOfFile, "body is over 2 MiB (nothing behind it was read)"),
        ] {
            assert_eq!(problem(place, Broken { fault, hides }), says);
        }
    }
}
