//! Reads `Retry-After` (RFC 9110, section 10.2.3). The service sends seconds. A proxy may send a date.

use chrono::{DateTime, Utc};
use serde_json::Number;
use std::time::Duration;

/// Used for a number that does not fit. It is longer than any allowed wait.
const MAX: u64 = u64::MAX;

/// The seconds that a `Retry-After` header asks for at the time `now`, or `None` if the header cannot be read. A number
/// that does not fit becomes the maximum, and a past date becomes 0.
pub(crate) fn of_header(value: &str, now: DateTime<Utc>) -> Option<u64> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(value.parse().unwrap_or(MAX));
    }
    let at = DateTime::parse_from_rfc2822(value).ok()?;
    let left = at.to_utc().signed_duration_since(now);
    let left = left.to_std().unwrap_or_default();
    Some(whole(left))
}

/// The same for the `retry_after` of a body.
pub(crate) fn of_number(number: &Number) -> Option<u64> {
    let seconds = number.as_f64().filter(|seconds| *seconds >= 0.0)?;
    Some(Duration::try_from_secs_f64(seconds).map_or(MAX, whole))
}

/// The wait in seconds, rounded up.
fn whole(wait: Duration) -> u64 {
    let begun = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(begun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_it_in_seconds_or_by_a_date() {
        let now = "1994-11-06T08:49:30.5Z".parse().unwrap();
        for (value, seconds) in [
            ("7", Some(7)),
            (" 7 ", Some(7)),
            ("0", Some(0)),
            ("18446744073709551616", Some(MAX)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7)),
            ("Sun, 06 Nov 1994 08:49:30 GMT", Some(0)),
            ("Sat, 05 Nov 1994 08:49:37 GMT", Some(0)),
            ("", None),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
        ] {
            assert_eq!(of_header(value, now), seconds, "{value}");
        }
    }

    #[test]
    fn a_body_says_it_as_a_number() {
        for (json, seconds) in [
            ("0", Some(0)),
            ("7", Some(7)),
            ("1.5", Some(2)),
            ("18446744073709551616", Some(MAX)),
            ("1e300", Some(MAX)),
            ("-1", None),
        ] {
            let number = serde_json::from_str(json).unwrap();
            assert_eq!(of_number(&number), seconds, "{json}");
        }
    }
}
