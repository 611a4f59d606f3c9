//! Instants in the wider service's answers.

use crate::base::instant::Instant;
use crate::base::param::{Param, Plain};
use chrono::{DateTime, SecondsFormat};
use core::fmt;
use serde::{Deserialize, Serialize, Serializer};

/// The last instant that is read or written: `9999-12-30T22:00:00.999Z`, which has a year of four digits in every time
/// zone.
const LAST_MS: i64 = 253_402_207_200_999;

/// An instant in UTC milliseconds. The store has it as a number, and answers have it as RFC 3339 text with milliseconds
/// (`2026-11-21T09:45:23.120Z`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(transparent)]
pub struct Time(pub Instant);

impl Time {
    /// Parses RFC 3339, to the millisecond. A leap second becomes the second before it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let at = DateTime::parse_from_rfc3339(text).ok()?;
        let ms = i64::from(at.timestamp_subsec_millis() % 1000);
        let ms = at.timestamp().checked_mul(1000)?.checked_add(ms)?;
        // The parser also accepts Unicode's minus sign.
        (text.is_ascii() && ms <= LAST_MS).then_some(Self(Instant(ms)))
    }
}

impl Plain for Time {
    fn param(self) -> Param {
        self.0.param()
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = DateTime::from_timestamp_millis(self.0.0.min(LAST_MS)).unwrap_or_default();
        f.write_str(&at.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

#[cfg(feature = "schema")]
crate::base::described::described! {
    /// An instant in UTC.
    Time = {
        "type": "string", "format": "date-time",
        "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$",
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_comes_as_a_number_and_goes_as_text() {
        let read = |text: &str| serde_json::from_str::<Time>(text).unwrap();
        for (number, text) in [
            ("1772625600000", "\"2026-03-04T12:00:00.000Z\""),
            ("1772625600120", "\"2026-03-04T12:00:00.120Z\""),
            ("0", "\"1970-01-01T00:00:00.000Z\""),
        ] {
            assert_eq!(serde_json::to_string(&read(number)).unwrap(), text);
        }
        assert_eq!(Time(Instant(i64::MAX)).to_string(), "9999-12-30T22:00:00.999Z");
    }

    #[test]
    fn what_is_written_reads_back_and_nothing_without_a_zone_is_a_time() {
        for text in ["2026-03-04T12:00:00.120Z", "2026-03-04T13:00:00.120+01:00"] {
            assert_eq!(Time::parse(text), Some(Time(Instant(1_772_625_600_120))));
        }
        for (text, ms) in [
            ("2026-03-04t12:00:00.120z", 1_772_625_600_120),
            ("2026-03-04 12:00:00.1204Z", 1_772_625_600_120),
            ("2026-12-31T23:59:60.120Z", 1_798_761_599_120),
            ("2026-03-04T12:00:00.120-00:00", 1_772_625_600_120),
        ] {
            assert_eq!(Time::parse(text), Some(Time(Instant(ms))), "{text}");
        }
        for bad in [
            "",
            "2026-03-04T12:00:00\u{2212}01:00",
            "２０２６-03-04T12:00:00Z",
            " 2026-03-04T12:00:00Z",
            "2026-03-04T12:00:00Z ",
            "2026-02-29T12:00:00Z",
            "2026-03-04T24:00:00Z",
            "9999-12-31T23:59:59Z",
            "2026-03-04",
            "2026-03-04T12:00:00",
            "now",
            "1772625600120",
        ] {
            assert_eq!(Time::parse(bad), None, "{bad}");
        }
    }

    use alloc::string::ToString;
}
