//! Tables as CSV (RFC 4180), safe to open in a spreadsheet.
//!
//! A spreadsheet runs a cell that looks like a formula, and a claim number or a payer's name comes from outside. Such a
//! cell gets an apostrophe before it, so it stays text.

use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// The media type of the text that [`table`] writes.
pub const MEDIA_TYPE: &str = "text/csv; charset=utf-8; header=present";

/// A table with a header row. A column is the name of a field of a row's JSON; `deadline.date` is a field of a field.
/// `null` and an absent field are empty, the items of a list are separated by spaces, and an object is JSON. Lines end
/// with CRLF.
#[must_use]
pub fn table<T: Serialize>(columns: &[&str], rows: &[T]) -> String {
    let mut text = String::new();
    line(&mut text, columns.iter().map(|name| Cow::Borrowed(*name)));
    for row in rows {
        // Views have text for every key, so this cannot fail.
        let row = serde_json::to_value(row).unwrap_or_default();
        line(&mut text, columns.iter().map(|column| cell(&row, column)));
    }
    text
}

fn line<'c>(text: &mut String, cells: impl Iterator<Item = Cow<'c, str>>) {
    let mut gap = "";
    for cell in cells {
        text.push_str(gap);
        push(text, &cell);
        gap = ",";
    }
    text.push_str("\r\n");
}

/// The text of a column of a row.
fn cell<'r>(row: &'r Value, column: &str) -> Cow<'r, str> {
    let mut at = row;
    for name in column.split('.') {
        match at.get(name) {
            Some(inner) => at = inner,
            None => return Cow::Borrowed(""),
        }
    }
    shown(at)
}

fn shown(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(items) => {
            let items: Vec<Cow<'_, str>> = items.iter().map(shown).collect();
            Cow::Owned(items.join(" "))
        }
        other => Cow::Owned(other.to_string()),
    }
}

/// Writes one cell, quoted if it needs to be. Some spreadsheets separate cells by semicolons or tabs.
fn push(text: &mut String, cell: &str) {
    let quoted = cell.contains([',', '"', ';', '\t', '\r', '\n']);
    if quoted {
        text.push('"');
    }
    if is_formula(cell) {
        text.push('\'');
    }
    for c in cell.chars() {
        if c == '"' {
            text.push('"');
        }
        text.push(c);
    }
    if quoted {
        text.push('"');
    }
}

/// True if a spreadsheet could run the cell. Full-width signs count as well. A number stays a number.
fn is_formula(cell: &str) -> bool {
    let begins =
        cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    begins && !is_number(cell)
}

/// True for digits with an optional minus sign and an optional fraction.
fn is_number(cell: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = cell.strip_prefix('-').unwrap_or(cell);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(unsigned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The cell of a table with one column and one row.
    fn one(value: &Value) -> String {
        let text = table(&["a"], &[json!({ "a": value })]);
        let text = text.strip_prefix("a\r\n").unwrap();
        text.strip_suffix("\r\n").unwrap().into()
    }

    #[test]
    fn a_table_has_a_header_and_a_line_for_each_row() {
        let rows = [
            json!({ "id": 7, "deadline": { "date": "2026-11-22", "from": "rule" }, "codes": ["CO-50", "N130"], "on": true }),
            json!({ "id": 8, "deadline": null, "codes": [], "on": false }),
        ];
        let columns = ["id", "deadline.date", "codes", "on", "missing"];
        assert_eq!(
            table(&columns, &rows),
            "id,deadline.date,codes,on,missing\r\n7,2026-11-22,CO-50 N130,true,\r\n8,,,false,\r\n"
        );
        assert_eq!(table::<Value>(&columns, &[]).lines().count(), 1);
    }

    #[test]
    fn a_cell_that_looks_like_a_formula_gets_an_apostrophe() {
        for formula in [
            "=1+1",
            "+1",
            "-1-1",
            "@SUM(A1)",
            "-",
            "--1",
            "-1.",
            "-.5",
            "-1e5",
            "\u{ff1d}1+1",
            "\u{ff0b}1",
            "\u{ff0d}1",
            "\u{ff20}A1",
        ] {
            assert_eq!(one(&json!(formula)), format!("'{formula}"));
        }
        assert_eq!(one(&json!("=HYPERLINK(\"x\",\"y\")")), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
        for (broken, shown) in [("\t=1", "\"'\t=1\""), ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\"")] {
            assert_eq!(one(&json!(broken)), shown);
        }
        assert_eq!(one(&json!(["=1", "x"])), "'=1 x");
    }

    #[test]
    fn numbers_and_plain_text_stay_as_they_are() {
        for plain in ["120.00", "-120.00", "-1", "0", "a=b", "CO-45", "2026-11-22", "Añasco 保険 👩‍⚕️", " x "]
        {
            assert_eq!(one(&json!(plain)), plain);
        }
        assert_eq!(one(&json!(-12)), "-12");
        assert_eq!(one(&json!("")), "");
    }

    #[test]
    fn separators_quotes_and_line_breaks_are_quoted() {
        for (text, quoted) in [
            ("a,b", "\"a,b\""),
            ("a;b", "\"a;b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("a\r\nb", "\"a\r\nb\""),
            ("a\tb", "\"a\tb\""),
        ] {
            assert_eq!(one(&json!(text)), quoted);
        }
        assert_eq!(one(&json!({ "b": 1 })), "\"{\"\"b\"\":1}\"");
    }

    #[test]
    fn a_table_reads_back_as_its_cells() {
        let cells = ["a", "=x", "\"", ",", "\r\n", "", "保,険", "'", "\"\""];
        let rows: Vec<Value> = cells.iter().map(|cell| json!({ "a": cell, "b": "z" })).collect();
        let read = read(&table(&["a", "b"], &rows));
        let mut expected = vec![vec![String::from("a"), "b".into()]];
        for cell in cells {
            let cell = if is_formula(cell) { format!("'{cell}") } else { cell.into() };
            expected.push(vec![cell, "z".into()]);
        }
        assert_eq!(read, expected);
    }

    /// A reader of RFC 4180.
    fn read(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut cell, mut quoted) = (vec![], vec![], String::new(), false);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => {
                    chars.next();
                    cell.push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut cell)),
                '\r' if !quoted => {
                    assert_eq!(chars.next(), Some('\n'));
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                c => cell.push(c),
            }
        }
        rows
    }
}
