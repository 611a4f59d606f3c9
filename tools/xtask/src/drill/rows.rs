//! Compares the statements of backups without holding them in memory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::{Context, Result};

/// A summary of the rows of a backup.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Rows {
    /// The sum of the digests of all lines. Two backups with the same lines in any order have the same sum.
    sum: [u64; 4],
    /// The rows of each table.
    pub(crate) tables: BTreeMap<String, usize>,
}

impl Rows {
    /// Reads a file of statements and removes it.
    pub(crate) fn take(file: &Path) -> Result<Self> {
        let mut rows = Self::default();
        let mut read = || {
            let mut lines = BufReader::new(File::open(file)?);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line)? > 0 {
                rows.add(&line);
                line.clear();
            }
            fs::remove_file(file)
        };
        read().context(|| format!("cannot read {}", file.display()))?;
        Ok(rows)
    }

    fn add(&mut self, line: &[u8]) {
        let line = line.trim_ascii_end();
        let table = line.strip_prefix(b"INSERT INTO \"");
        let table = table.and_then(|rest| rest.split(|byte| *byte == b'"').next());
        // A restored copy has this counter from the start.
        if line.is_empty() || table == Some(b"sqlite_sequence") {
            return;
        }
        for (sum, part) in self.sum.iter_mut().zip(Sha256::digest(line).chunks_exact(8)) {
            let part = part.iter().fold(0_u64, |all, byte| (all << 8) | u64::from(*byte));
            *sum = sum.wrapping_add(part);
        }
        if let Some(table) = table {
            let count = self.tables.entry(String::from_utf8_lossy(table).into_owned());
            let count = count.or_default();
            *count = count.saturating_add(1);
        }
    }

    /// The tables with different numbers of rows.
    pub(crate) fn differing<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let names = self.tables.keys().chain(other.tables.keys());
        let differs = |name: &&String| self.tables.get(*name) != other.tables.get(*name);
        let mut names: Vec<&str> = names.filter(differs).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    fn rows(lines: &[&str]) -> Rows {
        let mut rows = Rows::default();
        for line in lines {
            rows.add(line.as_bytes());
        }
        rows
    }

    #[test]
    fn the_same_lines_in_any_order_are_the_same_and_no_others() {
        let (a, b) = (r#"INSERT INTO "a" VALUES(1);"#, r#"INSERT INTO "b" VALUES(1);"#);
        let counter = r#"INSERT INTO "sqlite_sequence" VALUES('a',1);"#;
        let both = rows(&[a, b]);
        assert_eq!(both, rows(&[b, "\n", counter, &format!("{a}\n")]));
        assert_ne!(both, rows(&[a, a]));
        assert_ne!(both, rows(&[a]));
        let changed = rows(&[a, r#"INSERT INTO "b" VALUES(2);"#]);
        assert_ne!(both, changed);
        assert!(both.differing(&changed).is_empty());
        assert_eq!(both.differing(&rows(&[a, a])), ["a", "b"]);
    }
}
