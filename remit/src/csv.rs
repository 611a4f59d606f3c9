//! Small files that people fill in with a spreadsheet: read by the names of their columns, and written.

mod reader;

use crate::error::CsvError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
pub use reader::{CsvReader, CsvRecord};

/// One row, with the cells of the columns that were asked for, trimmed.
pub struct CsvRow<const N: usize> {
    /// The line on which it begins, counted from 1.
    pub line: u32,
    /// A cell for each column.
    pub cells: [String; N],
}

/// `Debug` prints nothing of the cells.
impl<const N: usize> fmt::Debug for CsvRow<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CsvRow({})", self.line)
    }
}

/// The rows of a small file after the header that are not blank.
///
/// # Errors
///
/// [`CsvError`] if the file is not CSV with these columns.
pub fn csv_rows<const N: usize>(file: &str, columns: [&'static str; N]) -> Result<Vec<CsvRow<N>>, CsvError> {
    let mut reader = CsvReader::new();
    let mut bytes = file.as_bytes();
    let mut places = None;
    let mut rows = Vec::new();
    loop {
        let record = match reader.read(&mut bytes)? {
            Some(record) => record,
            None => match reader.finish()? {
                Some(record) => record,
                None => break,
            },
        };
        let Some(places) = places else {
            places = Some(find(&record, columns)?);
            continue;
        };
        if record.is_blank() {
            continue;
        }
        let cell = |at: usize| record.cells.get(at).map(|cell| cell.trim().into());
        rows.push(CsvRow { line: record.line, cells: places.map(|at| cell(at).unwrap_or_default()) });
    }
    match columns.first() {
        Some(column) if places.is_none() => Err(CsvError::Column(column)),
        _ => Ok(rows),
    }
}

/// The places of columns in a header.
fn find<const N: usize>(header: &CsvRecord, columns: [&'static str; N]) -> Result<[usize; N], CsvError> {
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        let mut cells = header.cells.iter();
        let at = cells.position(|cell| cell.trim().eq_ignore_ascii_case(column));
        *place = at.ok_or(CsvError::Column(column))?;
    }
    Ok(places)
}

/// Appends one row. A cell that a spreadsheet would run as a formula gets an apostrophe.
pub(crate) fn write(to: &mut String, cells: &[&str]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            to.push(',');
        }
        let risky = cell.trim_start().starts_with(['=', '+', '-', '@']) || cell.starts_with(['\t', '\r', '\n']);
        to.push('"');
        if risky {
            to.push('\'');
        }
        for c in cell.chars() {
            if c == '"' {
                to.push('"');
            }
            to.push(c);
        }
        to.push('"');
    }
    to.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_the_name_of_their_column() {
        let file = "\u{feff}Key;Other;DATE\r\na;\"x;\"\"y\"\"\nz\";1\r\n;;\r\nb;;2";
        let rows = csv_rows(file, ["date", "key", "other"]).unwrap();
        let cells: Vec<_> = rows.iter().map(|row| (row.line, row.cells.clone())).collect();
        assert_eq!(cells, [(2, ["1", "a", "x;\"y\"\nz"].map(String::from)), (5, ["2", "b", ""].map(String::from)),]);
    }

    #[test]
    fn a_missing_column_and_an_open_quotation_mark_are_errors() {
        assert_eq!(csv_rows("a,b\n", ["c"]).err(), Some(CsvError::Column("c")));
        assert_eq!(csv_rows("a\n\"b\n", ["a"]).err(), Some(CsvError::Quote(2)));
        assert_eq!(csv_rows("", ["a"]).err(), Some(CsvError::Column("a")));
    }

    #[test]
    fn a_formula_is_written_as_text() {
        let mut text = String::new();
        write(&mut text, &["=1+1", "+1", "-1", "@a", " =a", "a\"b", "a-b"]);
        assert_eq!(text, "\"'=1+1\",\"'+1\",\"'-1\",\"'@a\",\"' =a\",\"a\"\"b\",\"a-b\"\r\n");
    }
}
