//! A look at the first lines of a file, which tell whether it is one value or one a line.

use super::LINE_MAX;
use super::lines::{Line, Lines};
use serde::de::IgnoredAny;
use std::io::{self, BufRead};

/// What a file is.
#[derive(Debug)]
pub(super) enum Shape {
    /// One value, of which this much was read.
    One(Vec<u8>),
    /// A value a line, of which these were read.
    Lines(Vec<Line>),
}

/// What a file is that begins with this line. No more than two further ones are read.
pub(super) fn shape<R: BufRead>(first: Line, lines: &mut Lines<'_, R>) -> io::Result<Shape> {
    if !is_beginning(&first.text) {
        return Ok(if lines.has_more()? {
            Shape::Lines(vec![first])
        } else {
            Shape::One(first.text)
        });
    }
    let mut read = first.text.clone();
    let Some(second) = next(lines, &mut read)?.filter(is_object) else {
        return Ok(Shape::One(read));
    };
    if !is_beginning(&read) {
        return Ok(Shape::Lines(vec![first, second]));
    }
    // The second may be what the first began with, such as the one item of a batch. What comes then tells.
    match next(lines, &mut read)? {
        Some(third) if !goes_on(&third) => Ok(Shape::Lines(vec![first, second, third])),
        _ => Ok(Shape::One(read)),
    }
}

/// The next line that is not blank; all that is read of the input goes behind `read` as well.
fn next<R: BufRead>(lines: &mut Lines<'_, R>, read: &mut Vec<u8>) -> io::Result<Option<Line>> {
    let max = read.len().saturating_add(LINE_MAX);
    while let Some(line) = lines.take()? {
        read.extend_from_slice(&line.text);
        if !line.text.trim_ascii().is_empty() {
            return Ok(Some(line));
        }
        if read.len() > max {
            break;
        }
    }
    Ok(None)
}

/// Whether a text is the beginning of a value that goes on behind it. A string cannot go on: JSON has no line breaks in
/// one.
fn is_beginning(text: &[u8]) -> bool {
    let error = serde_json::from_slice::<IgnoredAny>(text).err();
    error.is_some_and(|error| error.is_eof())
}

fn is_object(line: &Line) -> bool {
    let is_value = serde_json::from_slice::<IgnoredAny>(&line.text).is_ok();
    is_value && line.text.trim_ascii_start().starts_with(b"{")
}

/// Whether a line begins with what can stand behind a value within another.
fn goes_on(line: &Line) -> bool {
    let first = line.text.trim_ascii_start().first();
    matches!(first, Some(b',' | b']' | b'}'))
}
