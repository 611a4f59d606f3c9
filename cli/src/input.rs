//! A file of claims, read as a stream: one claim, a batch, or one of either a line.
//!
//! Which it is, its first lines say. If the first is a JSON value of its own and more follows, every line is; then a line
//! that is wrong spoils no other. If it is the beginning of one, the whole is one value, whose `claims` are handed over
//! one by one; unless the line behind it is a value of its own that cannot stand there, for then only the first line was
//! cut. So memory holds one claim or one line, never the file.

mod ahead;
mod document;
mod foreign;
mod guard;
mod lines;
#[cfg(test)]
mod tests;

use crate::failure::Failure;
use ahead::Shape;
use lines::{Line, Lines};
use overturn_core::claims::intake::BODY_MAX;
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
    /// One item of a batch that is already known to be wrong as a whole.
    Stray(&'a str),
    /// A batch without its items, which are `null` here: what there is to say of it as a whole.
    Envelope(&'a str),
    /// What could not be read to its end.
    Broken(Broken),
}

/// What could not be read to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Broken {
    pub(crate) fault: Fault,
    pub(crate) hides: Hidden,
}

/// Why, and where that shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// It is not JSON.
    NotJson(Position),
    /// Something follows the value.
    Several(Position),
    /// Somewhere in this line, or before it, are bytes that are not UTF-8.
    NotUtf8(Position),
    /// It is more than a request may hold.
    TooLarge,
}

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    /// Counted from 1.
    pub(crate) line: u64,
    /// Counted from 1, in bytes; `None` where nobody counted them.
    pub(crate) column: Option<u64>,
}

/// What may hold claims and was not read because of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hidden {
    Nothing,
    RestOfLine,
    RestOfFile,
}

/// Takes what is found. An error ends the reading.
pub(crate) type Sink<'a> = dyn FnMut(Place, Entry<'_>) -> Result<(), Failure> + 'a;

/// Hands over everything in a file, in its order.
///
/// # Errors
///
/// [`Failure::Usage`] when the file cannot be read or is of another format, and the failures of the sink.
pub(crate) fn read(input: impl BufRead, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let mut input = without_byte_order_mark(input)?;
    let mut lines = Lines::new(&mut input, 0);
    let Some(first) = lines.next().map_err(unreadable)? else {
        return Ok(());
    };
    if foreign::of(&first, None).is_some() {
        let second = lines.next().map_err(unreadable)?;
        return match foreign::of(&first, second.as_ref()) {
            Some(foreign) => Err(foreign.into()),
            None => each([first].into_iter().chain(second).collect(), lines, sink),
        };
    }
    if first.cut {
        return long(first, input, sink);
    }
    let number = first.number;
    match ahead::shape(first, &mut lines).map_err(unreadable)? {
        Shape::Lines(ahead) => each(ahead, lines, sink),
        Shape::One(text) => {
            let whole = io::Cursor::new(text).chain(input);
            document::read(whole, None, number, sink)
        }
    }
}

/// Every line by itself, those that were read ahead first.
fn each<R: BufRead>(
    ahead: Vec<Line>,
    mut lines: Lines<'_, R>,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let mut ahead = ahead.into_iter();
    loop {
        let next = ahead
            .next()
            .map_or_else(|| lines.next(), |line| Ok(Some(line)));
        let Some(Line { number, text, cut }) = next.map_err(unreadable)? else {
            return Ok(());
        };
        if cut {
            let whole = io::Cursor::new(text).chain(lines.rest());
            document::read(whole, Some(number), number, sink)?;
            lines.skip_rest().map_err(unreadable)?;
        } else {
            // Without its line break, so that what breaks off does so in its own line.
            document::read(text.trim_ascii_end(), Some(number), number, sink)?;
        }
    }
}

/// A file whose first line is longer than is kept: that line may be all of a value or the beginning of one, and only
/// its end tells which.
fn long(first: Line, input: impl BufRead, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let number = first.number;
    let mut whole = io::Cursor::new(first.text).chain(input);
    let Some(breaks) = document::read_one(&mut whole, number, sink)? else {
        return Ok(());
    };
    let last = number.saturating_sub(1).saturating_add(breaks);
    let mut lines = Lines::new(&mut whole, last);
    if !lines.has_more().map_err(unreadable)? {
        return Ok(());
    }
    if breaks == 0 && lines.number() > last {
        return each(Vec::new(), lines, sink);
    }
    let line = lines.number().saturating_add(1);
    let fault = Fault::Several(Position { line, column: None });
    let hides = Hidden::RestOfFile;
    sink(Place::default(), Entry::Broken(Broken { fault, hides }))
}

/// The input without the mark that spreadsheets and older tools write before UTF-8. Others write UTF-16.
pub(crate) fn without_byte_order_mark(mut input: impl BufRead) -> Result<impl BufRead, Failure> {
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
