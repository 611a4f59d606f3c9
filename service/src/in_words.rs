//! Numbers in words, for emails and pages.

/// A count with its unit: `1 day`, `7 days`.
pub(crate) fn counted(count: i64, unit: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

/// A time span in milliseconds, in the largest unit that gives a whole number.
pub(crate) fn span(ms: i64) -> String {
    let minutes = ms.div_euclid(60_000);
    match (minutes.rem_euclid(60), minutes.rem_euclid(24 * 60)) {
        (_, 0) => counted(minutes.div_euclid(24 * 60), "day"),
        (0, _) => counted(minutes.div_euclid(60), "hour"),
        _ => counted(minutes, "minute"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_written_in_its_largest_whole_unit() {
        for (minutes, told) in [
            (1, "1 minute"),
            (10, "10 minutes"),
            (60, "1 hour"),
            (90, "90 minutes"),
            (120, "2 hours"),
            (1440, "1 day"),
            (10_080, "7 days"),
        ] {
            assert_eq!(span(minutes * 60_000), told);
        }
    }
}
