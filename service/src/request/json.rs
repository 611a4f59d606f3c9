//! Why a JSON text could not be read, without any of its content.

use serde_json::error::Category;

/// What is wrong with a JSON text, and where. It takes the place of the error of `serde_json`, whose text can repeat a value: the
/// value may name a patient.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem} at line {line}, column {column}")]
pub struct JsonError {
    problem: &'static str,
    line: usize,
    column: usize,
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        Self {
            problem: match error.classify() {
                Category::Data => "a value of another type",
                Category::Eof => "the end of the text",
                Category::Io | Category::Syntax => "a text that is not JSON",
            },
            line: error.line(),
            column: error.column(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_says_where_and_repeats_no_value() {
        for (text, said) in [
            (r#"["Jane Doe"]"#, "a value of another type at line 1, column 11"),
            ("[1, ", "the end of the text at line 1, column 4"),
            ("[1,\nJane", "a text that is not JSON at line 2, column 1"),
        ] {
            let error = serde_json::from_str::<std::vec::Vec<u8>>(text).unwrap_err();
            assert_eq!(JsonError::from(error).to_string(), said);
        }
    }
}
