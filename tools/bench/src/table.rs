//! Markdown tables, ready for docs/PERFORMANCE.md.

use std::fmt;

/// A table with a header.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &[&str]) -> Self {
        Self { rows: vec![head.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, first: &[String], rest: &[String]) {
        let row = [first, rest].concat();
        assert_eq!(row.len(), self.rows[0].len());
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, row) in self.rows.iter().enumerate() {
            writeln!(f, "| {} |", row.join(" | "))?;
            if n == 0 {
                writeln!(f, "|{}", " --- |".repeat(row.len()))?;
            }
        }
        Ok(())
    }
}
