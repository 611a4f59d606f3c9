//! The form of a list that a caller asks for, by `Accept`.

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
        for range in accept.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let weight = parts.find_map(weight).unwrap_or(1_000);
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

/// The thousandths of a `q=0.5`. `None` for another parameter.
fn weight(parameter: &str) -> Option<u32> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let (whole, fraction) = value.trim().split_once('.').unwrap_or((value.trim(), ""));
    let digit = |at: usize| fraction.as_bytes().get(at).filter(|byte: &&u8| byte.is_ascii_digit());
    let thousandths = (0..3).fold(0_u32, |sum, at| {
        let digit = digit(at).map_or(0, |byte| u32::from(byte.wrapping_sub(b'0')));
        sum.saturating_mul(10).saturating_add(digit)
    });
    Some(match whole {
        "0" => thousandths,
        "1" => 1_000,
        // A weight that cannot be read does not count.
        _ => 0,
    })
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
