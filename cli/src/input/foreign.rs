//! Files of other formats that billing systems export, told by their content. None of them is JSON.

use super::lines::Line;
use crate::failure::Failure;

/// A format that is not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Foreign {
    /// Fields between commas, semicolons or tabs, one record a line.
    Csv,
    /// A spreadsheet of Excel or LibreOffice, which is a ZIP archive.
    Spreadsheet,
    /// An interchange of X12, such as a remittance (835) or a claim (837).
    X12,
}

/// What a file is that begins with these lines, `None` where it may be JSON.
pub(super) fn of(first: &Line, second: Option<&Line>) -> Option<Foreign> {
    let text = first.text.trim_ascii();
    if text.starts_with(b"PK\x03\x04") {
        return Some(Foreign::Spreadsheet);
    }
    let behind_isa = text.strip_prefix(b"ISA").and_then(<[u8]>::first);
    if behind_isa.is_some_and(|byte| !byte.is_ascii_alphanumeric() && *byte != b' ') {
        return Some(Foreign::X12);
    }
    let fields = fields(text)?;
    // One line alone may be of anything; a line of JSON behind it tells that it is a slip in a file of JSON.
    let follows = second.is_none_or(|second| {
        let second = second.text.trim_ascii();
        !matches!(second.first(), Some(b'{' | b'[')) && self::fields(second).is_some()
    });
    (fields > 1 && follows).then_some(Foreign::Csv)
}

/// How many fields a line of CSV has; `None` for a line that is none.
fn fields(line: &[u8]) -> Option<usize> {
    if matches!(line.first(), None | Some(b'{' | b'[' | b'}' | b']')) {
        return None;
    }
    let counts = [b',', b';', b'\t'].map(|separator| count(line, separator));
    counts.into_iter().max()
}

/// How many fields a line has between separators that are not within quotation marks.
fn count(line: &[u8], separator: u8) -> usize {
    let mut quoted = false;
    let mut fields = 1_usize;
    for byte in line {
        match byte {
            b'"' => quoted = !quoted,
            byte if *byte == separator && !quoted => fields = fields.saturating_add(1),
            _ => {}
        }
    }
    fields
}

impl From<Foreign> for Failure {
    fn from(foreign: Foreign) -> Self {
        let what = match foreign {
            Foreign::Csv => "the file looks like CSV",
            Foreign::Spreadsheet => "the file looks like a spreadsheet",
            Foreign::X12 => "the file looks like an X12 interchange, such as an 835 or 837",
        };
        Self::Usage(format!(
            "{what}, which is not supported yet. Convert it to JSON, one claim {{\"patient\": …, \"claim\": …}} a line; docs/CLI.md shows how. Nothing was sent"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line {
            number: 1,
            text: text.into(),
            cut: false,
        }
    }

    #[test]
    fn other_formats_are_told_by_their_first_lines() {
        for (first, second, found) in [
            (
                "claim_number,payer_name\r\n",
                Some("A-1,Acme\n"),
                Some(Foreign::Csv),
            ),
            ("claim_number;payer_name\n", None, Some(Foreign::Csv)),
            (
                "claim_number\tpayer_name\n",
                Some("\"A-1\"\tAcme\n"),
                Some(Foreign::Csv),
            ),
            (
                "\"Claim #\",\"Payer, full name\"\n",
                Some("1,2\n"),
                Some(Foreign::Csv),
            ),
            (
                "1984-06-02,245.00\n",
                Some("1984-06-02,245.00\n"),
                Some(Foreign::Csv),
            ),
            ("PK\u{3}\u{4}\u{14}", None, Some(Foreign::Spreadsheet)),
            ("ISA*00*          *00*", None, Some(Foreign::X12)),
            // JSON, sound or not.
            ("{\"patient\":1,\"claim\":2}", None, None),
            ("[1,2]", None, None),
            ("\"a, b\"", None, None),
            ("17", Some("18"), None),
            (
                "Here are the claims, at last:\n",
                Some("{\"patient\":1}\n"),
                None,
            ),
            ("patient: 1\n", Some("claim: 2\n"), None),
            ("", None, None),
        ] {
            let second = second.map(line);
            assert_eq!(of(&line(first), second.as_ref()), found, "{first}");
        }
    }
}
