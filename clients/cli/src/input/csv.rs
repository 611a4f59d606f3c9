//! Reads CSV: one claim on each row, under a header with the names of the fields.

mod header;
mod names;
#[cfg(test)]
mod tests;

use super::{Broken, Entry, Fault, Hidden, Place, Sink, unreadable};
use crate::error::CommandError;
pub(crate) use header::Header;
pub(crate) use names::Names;
use overturn_remit::{CsvError, CsvReader, CsvRecord};
use std::io::BufRead;

/// Passes on each row as a claim. Rows without text are left out.
///
/// # Errors
///
/// [`CommandError::Usage`] when the file cannot be read or its header does not name the fields, and the failures of the sink.
pub(super) fn read(mut input: impl BufRead, names: &Names, sink: &mut Sink<'_>) -> Result<(), CommandError> {
    let mut rows = Rows { names, header: None, sink };
    let mut reader = CsvReader::new();
    loop {
        let chunk = input.fill_buf().map_err(unreadable)?;
        let mut rest = chunk;
        while !rest.is_empty() {
            match reader.read(&mut rest) {
                Ok(Some(record)) => rows.next(&record)?,
                Ok(None) => {}
                Err(error) => return rows.broken(error),
            }
        }
        let length = chunk.len();
        if length == 0 {
            break;
        }
        input.consume(length);
    }
    loop {
        match reader.finish() {
            Ok(Some(record)) => rows.next(&record)?,
            Ok(None) => return Ok(()),
            Err(error) => return rows.broken(error),
        }
    }
}

struct Rows<'a, 's> {
    names: &'a Names,
    header: Option<Header>,
    sink: &'a mut Sink<'s>,
}

impl Rows<'_, '_> {
    fn next(&mut self, record: &CsvRecord) -> Result<(), CommandError> {
        if record.is_blank() {
            return Ok(());
        }
        let Some(header) = &self.header else {
            self.header = Some(Header::read(record, self.names)?);
            return Ok(());
        };
        let place = place(record.line);
        match header.item(record) {
            Some(item) => (self.sink)(place, Entry::Row(&item, header)),
            None => (self.sink)(place, Entry::Broken(Broken { fault: Fault::Cells, hides: Hidden::Nothing })),
        }
    }

    /// The rest of the file cannot be read.
    fn broken(&mut self, error: CsvError) -> Result<(), CommandError> {
        let (fault, line) = match error {
            CsvError::TooLong(line) => (Fault::TooLarge, line),
            CsvError::Quote(line) => (Fault::Quote, line),
            other => return Err(CommandError::Usage(other.to_string())),
        };
        let broken = Broken { fault, hides: Hidden::RestOfFile };
        (self.sink)(place(line), Entry::Broken(broken))
    }
}

fn place(line: u32) -> Place {
    Place { line: Some(line.into()), index: None }
}
