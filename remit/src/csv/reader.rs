//! Splits CSV into records. Bytes come in chunks of any size, and only an unfinished record is kept.

use crate::error::CsvError;
use crate::text;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The longest record, in bytes with its separators: the service takes no larger request.
const RECORD_MAX: usize = 2 * 1024 * 1024;
/// The marks that separate cells. Spreadsheets in some countries write semicolons.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One record. `Debug` prints nothing of its cells.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct CsvRecord {
    /// The line on which it begins, counted from 1.
    pub line: u32,
    /// The cells, not trimmed.
    pub cells: Vec<String>,
}

impl fmt::Debug for CsvRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CsvRecord({})", self.line)
    }
}

impl CsvRecord {
    /// True if no cell has a visible character.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// Where the next byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// In a cell without quotation marks, or before its first visible character.
    Plain,
    Quoted,
    /// Behind a quotation mark in a quoted cell: its end, or the first of two.
    Mark,
}

/// A reader of CSV. The first record decides on the separator: the mark that it has most often, or the one of a line
/// `sep=;`. A record is UTF-8, else Windows-1252. Lines end with LF, CR LF or CR.
pub struct CsvReader {
    separator: Option<u8>,
    at: At,
    /// The bytes of the cells that were read, without quotation marks. Before the separator is known, all bytes.
    text: Vec<u8>,
    /// Where each complete cell ends in `text`.
    ends: Vec<usize>,
    line: u32,
    begins: u32,
    /// True if the byte before was a CR.
    after_return: bool,
}

impl fmt::Debug for CsvReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CsvReader(line {})", self.line)
    }
}

impl Default for CsvReader {
    fn default() -> Self {
        Self::new()
    }
}

impl CsvReader {
    /// A reader at the start of a file.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            separator: None,
            at: At::Plain,
            text: Vec::new(),
            ends: Vec::new(),
            line: 1,
            begins: 1,
            after_return: false,
        }
    }

    /// The next record, `None` if these bytes do not complete one. Removes what it read from `bytes`.
    ///
    /// # Errors
    ///
    /// [`CsvError::TooLong`]. Nothing after it can be read.
    pub fn read(&mut self, bytes: &mut &[u8]) -> Result<Option<CsvRecord>, CsvError> {
        while let [byte, rest @ ..] = *bytes {
            *bytes = rest;
            let is_second = core::mem::take(&mut self.after_return) && *byte == b'\n';
            if is_second && self.is_empty() {
                continue;
            }
            if self.text.len().saturating_add(self.ends.len()) >= RECORD_MAX {
                return Err(CsvError::TooLong(self.begins));
            }
            let ends = match self.separator {
                Some(separator) => self.take(*byte, separator),
                None => self.take_first(*byte),
            };
            self.after_return = *byte == b'\r';
            if matches!(byte, b'\n' | b'\r') && !is_second {
                self.line = self.line.saturating_add(1);
            }
            if ends && let Some(record) = self.end()? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// The last record, if the file does not end with a line break. Call it until it gives none.
    ///
    /// # Errors
    ///
    /// [`CsvError::Quote`] for a quotation mark that does not end.
    pub fn finish(&mut self) -> Result<Option<CsvRecord>, CsvError> {
        if self.at == At::Quoted {
            return Err(CsvError::Quote(self.begins));
        }
        if self.is_empty() {
            return Ok(None);
        }
        self.end()
    }

    /// True before the first byte of a record.
    const fn is_empty(&self) -> bool {
        matches!(self.at, At::Plain) && self.text.is_empty() && self.ends.is_empty()
    }

    /// A byte of a record. True if it ends the record.
    fn take(&mut self, byte: u8, separator: u8) -> bool {
        match (self.at, byte) {
            (At::Plain | At::Mark, b'\n' | b'\r') => return true,
            (At::Quoted, b'"') => self.at = At::Mark,
            (At::Mark, b'"') => {
                self.text.push(b'"');
                self.at = At::Quoted;
            }
            (At::Plain | At::Mark, _) if byte == separator => {
                self.ends.push(self.text.len());
                self.at = At::Plain;
            }
            (At::Plain, b'"') if self.is_cell_blank() => self.at = At::Quoted,
            (At::Mark, _) => {
                self.text.push(byte);
                self.at = At::Plain;
            }
            (At::Plain | At::Quoted, _) => self.text.push(byte),
        }
        false
    }

    fn is_cell_blank(&self) -> bool {
        let start = self.ends.last().copied().unwrap_or_default();
        let cell = self.text.get(start..).unwrap_or_default();
        cell.trim_ascii().is_empty()
    }

    /// A byte of the first record, which is kept as it is. True if it ends the record.
    fn take_first(&mut self, byte: u8) -> bool {
        match byte {
            b'\n' | b'\r' if self.at == At::Plain => return true,
            b'"' => {
                self.at = match self.at {
                    At::Plain => At::Quoted,
                    At::Quoted | At::Mark => At::Plain,
                }
            }
            _ => {}
        }
        self.text.push(byte);
        false
    }

    /// The record that ended. `None` if it was the line that names the separator.
    fn end(&mut self) -> Result<Option<CsvRecord>, CsvError> {
        if self.separator.is_some() {
            return Ok(Some(self.record()));
        }
        let first = core::mem::take(&mut self.text);
        let first = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&first);
        if let [b's', b'e', b'p', b'=', separator] = first {
            self.separator = Some(*separator);
            self.begins = self.line;
            return Ok(None);
        }
        let separator = separator(first);
        self.separator = Some(separator);
        self.at = At::Plain;
        for byte in first {
            if self.take(*byte, separator) {
                // A quotation mark within a cell hid the end of the line.
                return Err(CsvError::Quote(self.begins));
            }
        }
        Ok(Some(self.record()))
    }

    fn record(&mut self) -> CsvRecord {
        self.ends.push(self.text.len());
        let is_utf8 = core::str::from_utf8(&self.text).is_ok();
        let mut start = 0;
        let mut cells = Vec::with_capacity(self.ends.len());
        for end in self.ends.drain(..) {
            let cell = self.text.get(start..end).unwrap_or_default();
            cells.push(decode(cell, is_utf8));
            start = end;
        }
        self.text.clear();
        self.at = At::Plain;
        CsvRecord { line: core::mem::replace(&mut self.begins, self.line), cells }
    }
}

/// The mark that a first record has most often outside of quoted cells.
fn separator(record: &[u8]) -> u8 {
    let mut counts = SEPARATORS.map(|mark| (0_usize, mark));
    let mut quoted = false;
    for byte in record {
        quoted ^= *byte == b'"';
        for (count, mark) in &mut counts {
            if !quoted && byte == mark {
                *count = count.saturating_add(1);
            }
        }
    }
    // Of equal counts, the first mark counts.
    let most = counts.into_iter().rev().max_by_key(|(count, _)| *count);
    most.map_or(b',', |(_, mark)| mark)
}

fn decode(cell: &[u8], is_utf8: bool) -> String {
    if is_utf8 {
        return text::decode(cell).into_owned();
    }
    text::windows_1252_text(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Every record of a file that comes in chunks of a size.
    fn records(file: &[u8], size: usize) -> Result<Vec<(u32, Vec<String>)>, CsvError> {
        let mut reader = CsvReader::new();
        let mut records = Vec::new();
        for mut chunk in file.chunks(size) {
            while let Some(record) = reader.read(&mut chunk)? {
                records.push((record.line, record.cells));
            }
        }
        while let Some(record) = reader.finish()? {
            records.push((record.line, record.cells));
        }
        Ok(records)
    }

    fn is(file: &[u8], expected: &[(u32, &[&str])]) {
        let expected: Vec<(u32, Vec<String>)> =
            expected.iter().map(|(line, cells)| (*line, cells.iter().map(|cell| (*cell).into()).collect())).collect();
        for size in [1, 2, 3, 7, 1000] {
            assert_eq!(records(file, size).as_ref(), Ok(&expected), "{size}");
        }
    }

    #[test]
    fn cells_may_have_separators_line_breaks_and_quotation_marks() {
        is(
            b"a,b\r\n\"1,\n2\",\"say \"\"yes\"\"\"\n , \"x\" \n",
            &[(1, &["a", "b"]), (2, &["1,\n2", "say \"yes\""]), (4, &[" ", " x "])],
        );
        is(b"a\n\"1\r\n2\"\r\n3\r\n", &[(1, &["a"]), (2, &["1\r\n2"]), (4, &["3"])]);
        is(b"a\n5\" pipe\n\"x\"y\n", &[(1, &["a"]), (2, &["5\" pipe"]), (3, &["xy"])]);
    }

    #[test]
    fn lines_end_as_systems_end_them() {
        for file in ["a,b\n1,2\n\n3,4", "a,b\r\n1,2\r\n\r\n3,4\r\n", "a,b\r1,2\r\r3,4\r"] {
            is(file.as_bytes(), &[(1, &["a", "b"]), (2, &["1", "2"]), (3, &[""]), (4, &["3", "4"])]);
        }
    }

    #[test]
    fn the_first_record_names_the_separator() {
        is(b"a;\"b,c,d\"\n1;2,5\n", &[(1, &["a", "b,c,d"]), (2, &["1", "2,5"])]);
        is(b"a\tb\n1\t2\n", &[(1, &["a", "b"]), (2, &["1", "2"])]);
        is(b"a|b\n1|2\n", &[(1, &["a", "b"]), (2, &["1", "2"])]);
        is(b"sep=;\r\na;b\r\n", &[(2, &["a", "b"])]);
        is(b"a\n1,2\n", &[(1, &["a"]), (2, &["1", "2"])]);
    }

    #[test]
    fn a_record_is_utf8_or_windows_1252() {
        is(
            b"\xef\xbb\xbfa,b\nN\xc3\xba\xc3\xb1ez,1\nN\xfa\xf1ez,\x80\n",
            &[(1, &["a", "b"]), (2, &["Núñez", "1"]), (3, &["Núñez", "€"])],
        );
    }

    #[test]
    fn an_open_quotation_mark_and_a_long_record_are_errors() {
        for size in [1, 1000] {
            assert_eq!(records(b"a\n\"b\nc\n", size), Err(CsvError::Quote(2)));
            assert_eq!(records(b"\"a\nb\n", size), Err(CsvError::Quote(1)));
            assert_eq!(records(b"a\"b\nc\"d\n1\n", size), Err(CsvError::Quote(1)));
        }
        for byte in *b"x," {
            let long = [b"a,b\n".to_vec(), vec![byte; RECORD_MAX + 1]].concat();
            assert_eq!(records(&long, 4096), Err(CsvError::TooLong(2)));
        }
    }
}
