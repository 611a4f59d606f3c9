//! The form of a list that a caller asks for, by `Accept`.

use crate::request::weighed::weighed;

/// The form of a list's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ListForm {
    /// JSON, for programs and pages.
    #[default]
    Json,
    /// CSV, for spreadsheets.
    Csv,
}

impl ListForm {
    /// The form for an `Accept` header. It is CSV only if the header names `text/csv` and does not rank JSON higher. A
    /// caller that takes anything gets JSON.
    #[must_use]
    pub fn of(accept: &str) -> Self {
        let (mut csv, mut json, mut any) = (0, 0, 0);
        for (name, weight) in weighed(accept) {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if is("text/csv") {
                csv = csv.max(weight);
            } else if is("application/json") {
                json = json.max(weight);
            } else if is("application/*") || is("*/*") {
                any = any.max(weight);
            }
        }
        // A named type ranks before a wildcard of the same weight.
        if csv > json && csv >= any { Self::Csv } else { Self::Json }
    }

    /// How many items a page has by default, and at most.
    #[must_use]
    pub const fn limits(self) -> (usize, usize) {
        match self {
            Self::Json => (25, 100),
            Self::Csv => (1_000, 1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_caller_that_names_csv_gets_it() {
        for csv in [
            "text/csv",
            "TEXT/CSV",
            "text/csv; charset=utf-8",
            "text/csv;header=present;q=0.9",
            "application/json;q=0.5, text/csv",
            "text/csv, */*;q=0.1",
            "text/csv, */*",
            "text/html, text/csv;q=0.001",
        ] {
            assert_eq!(ListForm::of(csv), ListForm::Csv, "{csv}");
        }
        for json in [
            "",
            "*/*",
            "text/*",
            "application/json",
            "text/csv, application/json",
            "text/csv;q=0.5, application/json;q=0.6",
            "text/csv;q=0",
            "text/csv;q=0.000",
            "text/csv;q=x",
            "text/csv;q=0.5, */*",
            "text/csvx",
            "text/html,application/xhtml+xml,*/*;q=0.8",
        ] {
            assert_eq!(ListForm::of(json), ListForm::Json, "{json}");
        }
    }
}
