//! A file of claims, read as a stream: one claim, a batch, or one of either a line.
//!
//! Which it is, its first line says. If that is a JSON value of its own and more follows, every line is; then a line
//! that is wrong spoils no other. If it is not, the whole is one value, whose `claims` are handed over one by one. So
//! memory holds one claim or one line, never the file.

mod document;
mod guard;
mod lines;
#[cfg(test)]
mod tests;

use crate::failure::Failure;
use lines::Lines;
use overturn_core::intake::BODY_MAX;
use serde::de::IgnoredAny;
use std::fmt;
use std::io::{self, BufRead, Read};

/// Where in a file something stands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Place {
    /// The line, counted from 1, in a file of one value a line.
    pub(crate) line: Option<u64>,
    /// The item of a batch, counted from 0.
    pub(crate) index: Option<u64>,
}

/// `line 3: `, `claims[4]: `, `line 3: claims[4]: `, or nothing where the file is one claim.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(index) = self.index {
            write!(f, "claims[{index}]: ")?;
        }
        Ok(())
    }
}

/// What stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry<'a> {
    /// One claim that is the whole of a request.
    Alone(&'a str),
    /// One item of a batch.
    Item(&'a str),
    /// A batch without its items, which are `null` here: what there is to say of it as a whole.
    Envelope(&'a str),
    /// What is not JSON, and where that shows.
    NotJson {
        /// Counted from 1.
        line: u64,
        /// Counted from 1, in bytes.
        column: u64,
    },
    /// More than a request may hold.
    TooLarge,
}

/// Takes what is found. An error ends the reading.
pub(crate) type Sink<'a> = dyn FnMut(Place, Entry<'_>) -> Result<(), Failure> + 'a;

/// Hands over everything in a file, in its order.
///
/// # Errors
///
/// [`Failure::Usage`] when the file cannot be read, and the failures of the sink.
pub(crate) fn read(input: impl BufRead, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let mut input = without_byte_order_mark(input)?;
    let mut lines = Lines::new(&mut input);
    let Some(first) = lines.next().map_err(unreadable)? else {
        return Ok(());
    };
    if first.cut || is_beginning(&first.text) || !lines.has_more().map_err(unreadable)? {
        let number = first.number;
        let whole = io::Cursor::new(first.text).chain(input);
        return document::read(whole, None, number, sink);
    }
    let mut next = Some(first);
    while let Some(line) = next {
        let at = Some(line.number);
        if line.cut {
            let place = Place {
                line: at,
                index: None,
            };
            sink(place, Entry::TooLarge)?;
            lines.skip_rest().map_err(unreadable)?;
        } else {
            // Without its line break, so that what breaks off does so in its own line.
            document::read(line.text.trim_ascii_end(), at, line.number, sink)?;
        }
        next = lines.next().map_err(unreadable)?;
    }
    Ok(())
}

/// Whether a line is the beginning of a value that goes on behind it. Text cannot go on: JSON has no line breaks in it.
fn is_beginning(line: &[u8]) -> bool {
    let error = serde_json::from_slice::<IgnoredAny>(line).err();
    error.is_some_and(|error| error.is_eof())
}

/// The input without the mark that spreadsheets and older tools write before UTF-8. Others write UTF-16.
fn without_byte_order_mark(mut input: impl BufRead) -> Result<impl BufRead, Failure> {
    let mut start = Vec::new();
    input
        .by_ref()
        .take(3)
        .read_to_end(&mut start)
        .map_err(unreadable)?;
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Err(Failure::Usage(
            "the file is UTF-16, and JSON is UTF-8: save it as UTF-8".into(),
        ));
    }
    if start == b"\xef\xbb\xbf" {
        start.clear();
    }
    Ok(io::Cursor::new(start).chain(input))
}

/// Longest line that is kept: a body, and the line break.
const LINE_MAX: usize = BODY_MAX + 2;

#[expect(clippy::needless_pass_by_value, reason = "what map_err calls")]
fn unreadable(error: io::Error) -> Failure {
    Failure::Usage(format!("cannot read the file: {error}"))
}
