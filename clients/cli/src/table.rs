//! Columns of text.

/// Rows with their columns lined up: two spaces between columns, none at the end.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |text: &String| text.chars().count();
    let mut widths = [0; N];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    let mut lines = Vec::with_capacity(rows.len());
    for row in rows {
        let cells = row.iter().zip(widths);
        let line: String = cells.map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// Names with their numbers, the numbers lined up on the right.
pub(crate) fn counts(rows: &[(&str, u64)]) -> String {
    let digits = |number: u64| number.to_string().len();
    let name_width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let width = rows.iter().map(|(_, count)| digits(*count)).max().unwrap_or(0);
    let lines: Vec<String> = rows.iter().map(|(name, count)| format!("{name:<name_width$}  {count:>width$}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{counts, table};

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["NUMBER", "STATUS"], ["é-1", "received"], ["CH-2025-00417", "closed"]];
        assert_eq!(
            table(&rows.map(|row| row.map(str::to_owned))),
            "NUMBER         STATUS\né-1            received\nCH-2025-00417  closed"
        );
    }

    #[test]
    fn numbers_end_in_one_column() {
        assert_eq!(counts(&[("created", 7), ("already there", 1200)]), "created           7\nalready there  1200");
    }
}
