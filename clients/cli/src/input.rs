//! Reads a file of claims as a stream: one claim, one batch, or one of them on each line.
//!
//! `format.rs` decides which. In a file with one value on each line, a bad line does not affect the others. In a file
//! with one value, the items of `claims` are passed on one by one. So memory holds one claim or one line, never the
//! whole file.

mod csv;
mod document;
mod format;
mod guard;
mod lines;
#[cfg(test)]
mod tests;

use crate::error::CommandError;
pub(crate) use csv::{Header, Names};
pub(crate) use format::Format;
use lines::{Line, Lines};
use overturn_core::claims::intake::BODY_MAX;
use std::fmt;
use std::io::{self, BufRead, Read};

/// A place in the file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Place {
    /// The line, counted from 1, in a file with one value on each line.
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

/// What was found at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry<'a> {
    /// A claim that is a request by itself.
    Alone(&'a str),
    Item(&'a str),
    /// A claim of a row of CSV, as JSON, and the header that names its columns.
    Row(&'a str, &'a Header),
    /// One item of a batch that is already known to be wrong as a whole.
    Stray(&'a str),
    /// A batch with its items replaced by `null`, to be judged as a whole.
    Envelope(&'a str),
    Broken(Broken),
}

/// Text that could not be read to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Broken {
    pub(crate) fault: Fault,
    pub(crate) hides: Hidden,
}

/// Why it could not be read, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    NotJson(Position),
    /// Another value follows the value.
    Several(Position),
    /// This line, or one before it, has bytes that are not UTF-8.
    NotUtf8(Position),
    /// It is larger than a request may be.
    TooLarge,
    /// A row of CSV has more cells than the header.
    Cells,
    /// A quotation mark of CSV does not end.
    Quote,
}

/// A position in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    /// Counted from 1.
    pub(crate) line: u64,
    /// Counted from 1, in bytes.
    pub(crate) column: u64,
}

/// The part of the file that was not read because of the fault. It may hold claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hidden {
    Nothing,
    RestOfLine,
    RestOfFile,
}

/// Gets each entry. An error ends the reading.
pub(crate) type Sink<'a> = dyn FnMut(Place, Entry<'_>) -> Result<(), CommandError> + 'a;

/// How to read a file.
#[derive(Clone, Default, Debug)]
pub(crate) struct Shape {
    pub(crate) asked: Option<Format>,
    /// The format that the name of the file suggests.
    pub(crate) named: Option<Format>,
    /// The names of the columns of CSV.
    pub(crate) names: Names,
}

/// Passes on every entry of a file, in order. The format is the first of these that is known: the one asked for, the
/// one that the name of the file suggests, the one that the first line suggests.
///
/// # Errors
///
/// [`CommandError::Usage`] when the file cannot be read or has a format that is not supported, and the failures of the sink.
pub(crate) fn read(input: impl BufRead, shape: &Shape, sink: &mut Sink<'_>) -> Result<(), CommandError> {
    let mut input = without_byte_order_mark(input)?;
    let mut lines = Lines::new(&mut input);
    let Some(first) = lines.next().map_err(unreadable)? else {
        return Ok(());
    };
    if shape.asked.is_none() {
        format::refuse_foreign(&first)?;
    }
    let format = shape.asked.or(shape.named);
    let is_csv = match format {
        Some(format) => format == Format::Csv,
        None => format::is_csv(&first) && !lines.is_json_next().map_err(unreadable)?,
    };
    if is_csv {
        // The lines that were skipped count, and the blanks before the first cell belong to it.
        let breaks = usize::try_from(first.number.saturating_sub(1)).unwrap_or_default();
        let start = [vec![b'\n'; breaks], lines.indent, first.text].concat();
        return csv::read(io::Cursor::new(start).chain(input), &shape.names, sink);
    }
    let found = format.unwrap_or_else(|| Format::of_line(&first));
    // The second line is read only if each line is a value, or if the file has one line.
    let second = match found {
        Format::Ndjson if !first.cut => lines.next().map_err(unreadable)?,
        _ => None,
    };
    if found == Format::Ndjson && (format.is_some() || second.is_some()) {
        return each([first].into_iter().chain(second).collect(), lines, sink);
    }
    let number = first.number;
    document::read(io::Cursor::new(first.text).chain(input), None, number, sink)
}

/// Reads every line separately, beginning with the lines that were read ahead.
fn each<R: BufRead>(ahead: Vec<Line>, mut lines: Lines<'_, R>, sink: &mut Sink<'_>) -> Result<(), CommandError> {
    let mut ahead = ahead.into_iter();
    loop {
        let next = ahead.next().map_or_else(|| lines.next(), |line| Ok(Some(line)));
        let Some(Line { number, text, cut }) = next.map_err(unreadable)? else {
            return Ok(());
        };
        if cut {
            let whole = io::Cursor::new(text).chain(lines.rest());
            document::read(whole, Some(number), number, sink)?;
            lines.skip_rest().map_err(unreadable)?;
        } else {
            // Without its line break, so that the position of an unexpected end is in this line.
            document::read(text.trim_ascii_end(), Some(number), number, sink)?;
        }
    }
}

/// Removes the byte order mark that spreadsheets and older tools write before UTF-8. A mark of UTF-16 is an error.
pub(crate) fn without_byte_order_mark(mut input: impl BufRead) -> Result<impl BufRead, CommandError> {
    let mut start = Vec::new();
    input.by_ref().take(3).read_to_end(&mut start).map_err(unreadable)?;
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Err(CommandError::Usage("the file is UTF-16, and JSON is UTF-8: save it as UTF-8".into()));
    }
    if start == b"\xef\xbb\xbf" {
        start.clear();
    }
    Ok(io::Cursor::new(start).chain(input))
}

/// The longest line that is kept: a body and its line break.
const LINE_MAX: usize = BODY_MAX + 2;

#[expect(clippy::needless_pass_by_value, reason = "what map_err calls")]
fn unreadable(error: io::Error) -> CommandError {
    CommandError::Usage(format!("cannot read the file: {error}"))
}
