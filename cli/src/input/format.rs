//! Finds the format of a file: from the option, else from its name, else from its first line.

use super::lines::Line;
use crate::failure::Failure;
use clap::ValueEnum;
use serde::de::IgnoredAny;
use std::path::Path;

/// A format that we can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// One claim or one batch, over any number of lines
    Json,
    /// A claim or a batch on each line
    Ndjson,
}

impl Format {
    /// The format that a file name suggests. `.json` suggests none: systems use it for both formats.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?;
        matches!(&*extension.to_ascii_lowercase(), "ndjson" | "jsonl").then_some(Self::Ndjson)
    }

    /// The format that the first line suggests: one value, if the line is the beginning of one.
    pub(super) fn of_line(first: &Line) -> Self {
        let error = serde_json::from_slice::<IgnoredAny>(&first.text).err();
        if first.cut || error.is_some_and(|error| error.is_eof()) {
            Self::Json
        } else {
            Self::Ndjson
        }
    }
}

/// Refuses other export formats of billing systems, which the first lines give away.
///
/// # Errors
///
/// [`Failure::Usage`], which says what the file looks like.
pub(super) fn refuse_foreign(first: &Line, second: Option<&Line>) -> Result<(), Failure> {
    let text = first.text.trim_ascii();
    let what = if text.starts_with(b"PK\x03\x04") {
        "a spreadsheet"
    } else if text.starts_with(b"ISA*") {
        "an X12 interchange, such as an 835 or 837"
    } else if is_csv(text) && second.is_none_or(|line| !is_json_like(line.text.trim_ascii())) {
        "CSV"
    } else {
        return Ok(());
    };
    Err(Failure::Usage(format!(
        "the file looks like {what}, which is not supported yet. Convert it to JSON, one claim {{\"patient\": …, \"claim\": …}} a line; docs/CLI.md shows how. Nothing was sent"
    )))
}

/// True if a line has separators and is not JSON, complete or broken.
fn is_csv(line: &[u8]) -> bool {
    let has_separator = line.iter().any(|byte| matches!(byte, b',' | b';' | b'\t'));
    has_separator && !is_json_like(line) && serde_json::from_slice::<IgnoredAny>(line).is_err()
}

fn is_json_like(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'{' | b'[' | b'}' | b']'))
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
    fn the_name_suggests_only_one_value_per_line() {
        for (name, format) in [
            ("claims.ndjson", Some(Format::Ndjson)),
            ("2025.01/claims.JSONL", Some(Format::Ndjson)),
            ("claims.json", None),
            ("ndjson", None),
            ("-", None),
        ] {
            assert_eq!(Format::of_name(name), format, "{name}");
        }
    }

    #[test]
    fn other_formats_are_recognized_by_their_first_lines() {
        for (first, second, what) in [
            ("claim_number,payer_name\r\n", Some("A-1,Acme\n"), "CSV"),
            ("claim_number;payer_name\n", None, "CSV"),
            ("claim_number\tpayer_name\n", Some("\"A-1\"\tAcme\n"), "CSV"),
            ("\"Claim #\",\"Payer, full name\"\n", Some("1,2\n"), "CSV"),
            ("1984-06-02,245.00\n", Some("1984-06-02,245.00\n"), "CSV"),
            ("PK\u{3}\u{4}\u{14}", None, "a spreadsheet"),
            ("ISA*00*          *00*", None, "an X12 interchange"),
        ] {
            let refused = refuse_foreign(&line(first), second.map(line).as_ref());
            let start = format!("the file looks like {what}");
            assert!(
                matches!(refused, Err(Failure::Usage(text)) if text.starts_with(&start)),
                "{first}"
            );
        }
        for (first, second) in [
            ("{\"patient\":1,\"claim\":2}", None),
            ("[1,2]", None),
            ("\"a, b\"", None),
            ("17", Some("18")),
            ("Here are the claims, at last:\n", Some("{\"patient\":1}\n")),
            ("patient: 1\n", Some("claim: 2\n")),
            ("", None),
        ] {
            assert_eq!(
                refuse_foreign(&line(first), second.map(line).as_ref()),
                Ok(()),
                "{first}"
            );
        }
    }
}
