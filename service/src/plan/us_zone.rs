//! The time zones of the United States, in which people read the date of what they signed.
//!
//! The list is closed, and daylight saving time follows the rule in force since 2007 (15 U.S.C. 260a): from 02:00 on the
//! second Sunday of March to 02:00 on the first Sunday of November.

use crate::plan::words::{InWords as _, clock};
use crate::request::language::Language;
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::names;

names! {
    /// A time zone, by its name in the IANA database.
    UsZone {
        /// Eastern time.
        Eastern = "America/New_York",
        /// Central time.
        Central = "America/Chicago",
        /// Mountain time.
        Mountain = "America/Denver",
        /// Arizona, which has no daylight saving time.
        Arizona = "America/Phoenix",
        /// Pacific time.
        Pacific = "America/Los_Angeles",
        Alaska = "America/Anchorage",
        Hawaii = "Pacific/Honolulu",
        /// Puerto Rico and the Virgin Islands.
        Atlantic = "America/Puerto_Rico",
        /// Guam and the Northern Mariana Islands.
        Chamorro = "Pacific/Guam",
        /// American Samoa.
        Samoa = "Pacific/Pago_Pago",
    }
}

const HOUR_MS: i64 = 60 * 60_000;

impl UsZone {
    /// Hours from UTC in standard time, its abbreviation, and the one of daylight saving time if the zone has it.
    const fn clock(self) -> (i64, &'static str, Option<&'static str>) {
        match self {
            Self::Eastern => (-5, "EST", Some("EDT")),
            Self::Central => (-6, "CST", Some("CDT")),
            Self::Mountain => (-7, "MST", Some("MDT")),
            Self::Arizona => (-7, "MST", None),
            Self::Pacific => (-8, "PST", Some("PDT")),
            Self::Alaska => (-9, "AKST", Some("AKDT")),
            Self::Hawaii => (-10, "HST", None),
            Self::Atlantic => (-4, "AST", None),
            Self::Chamorro => (10, "ChST", None),
            Self::Samoa => (-11, "SST", None),
        }
    }

    /// What a clock in the zone shows, as if it were UTC, and the abbreviation of its time.
    fn local(self, at: Instant) -> (Instant, &'static str) {
        let (hours, standard, daylight) = self.clock();
        let local = at.plus(hours.saturating_mul(HOUR_MS));
        match daylight {
            Some(name) if saves_daylight(local) => (local.plus(HOUR_MS), name),
            Some(_) | None => (local, standard),
        }
    }

    /// An instant for people, to the minute, in the zone and in UTC: `November 24, 2026, 09:15 CST (15:15 UTC)`. The
    /// date in UTC is added if it is another one.
    #[must_use]
    pub fn written(self, at: Instant, language: Language) -> String {
        let (local, name) = self.local(at);
        let day = Date::of(local).written(language);
        let utc =
            if Date::of(local) == Date::of(at) { format!("{} UTC", clock(at)) } else { Time(at).written(language) };
        format!("{day}, {} {name} ({utc})", clock(local))
    }
}

/// True if daylight saving time applies. `local` is in standard time, in which it ends at 01:00.
fn saves_daylight(local: Instant) -> bool {
    let year = Date::of(local).year();
    let from = Date::sunday_from(year, 3, 8).map(|day| day.begins().plus(2 * HOUR_MS));
    let to = Date::sunday_from(year, 11, 1).map(|day| day.begins().plus(HOUR_MS));
    matches!((from, to), (Some(from), Some(to)) if from <= local && local < to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        Time::parse(text).unwrap().0
    }

    /// Compared with the IANA database, 2026a.
    #[test]
    fn the_clock_changes_at_two_on_the_second_sunday_of_march_and_the_first_of_november() {
        for (zone, before, after) in [
            (
                UsZone::Eastern,
                ("2026-03-08T06:59:59Z", "March 8, 2026, 01:59 EST (06:59 UTC)"),
                ("2026-03-08T07:00:00Z", "March 8, 2026, 03:00 EDT (07:00 UTC)"),
            ),
            (
                UsZone::Eastern,
                ("2026-11-01T05:59:59Z", "November 1, 2026, 01:59 EDT (05:59 UTC)"),
                ("2026-11-01T06:00:00Z", "November 1, 2026, 01:00 EST (06:00 UTC)"),
            ),
            (
                UsZone::Central,
                ("2027-03-14T07:59:00Z", "March 14, 2027, 01:59 CST (07:59 UTC)"),
                ("2027-03-14T08:00:00Z", "March 14, 2027, 03:00 CDT (08:00 UTC)"),
            ),
            (
                UsZone::Central,
                ("2027-11-07T06:59:00Z", "November 7, 2027, 01:59 CDT (06:59 UTC)"),
                ("2027-11-07T07:00:00Z", "November 7, 2027, 01:00 CST (07:00 UTC)"),
            ),
            (
                UsZone::Mountain,
                ("2028-03-12T08:59:00Z", "March 12, 2028, 01:59 MST (08:59 UTC)"),
                ("2028-03-12T09:00:00Z", "March 12, 2028, 03:00 MDT (09:00 UTC)"),
            ),
            (
                UsZone::Pacific,
                ("2024-11-03T08:59:00Z", "November 3, 2024, 01:59 PDT (08:59 UTC)"),
                ("2024-11-03T09:00:00Z", "November 3, 2024, 01:00 PST (09:00 UTC)"),
            ),
            (
                UsZone::Alaska,
                ("2025-03-09T10:59:00Z", "March 9, 2025, 01:59 AKST (10:59 UTC)"),
                ("2025-03-09T11:00:00Z", "March 9, 2025, 03:00 AKDT (11:00 UTC)"),
            ),
        ] {
            for (instant, words) in [before, after] {
                assert_eq!(zone.written(at(instant), Language::English), words);
            }
        }
    }

    #[test]
    fn zones_without_daylight_saving_time_keep_theirs_and_name_another_utc_date() {
        for (zone, instant, words) in [
            (UsZone::Arizona, "2026-07-01T16:05:00Z", "July 1, 2026, 09:05 MST (16:05 UTC)"),
            (UsZone::Hawaii, "2026-07-01T20:05:00Z", "July 1, 2026, 10:05 HST (20:05 UTC)"),
            (UsZone::Atlantic, "2026-07-01T12:05:00Z", "July 1, 2026, 08:05 AST (12:05 UTC)"),
            (UsZone::Samoa, "2026-01-01T10:59:00Z", "December 31, 2025, 23:59 SST (January 1, 2026, 10:59 UTC)"),
            (UsZone::Chamorro, "2026-06-30T14:00:00Z", "July 1, 2026, 00:00 ChST (June 30, 2026, 14:00 UTC)"),
        ] {
            assert_eq!(zone.written(at(instant), Language::English), words);
        }
        assert_eq!(
            UsZone::Central.written(at("2026-11-24T15:15:00Z"), Language::Spanish),
            "24 de noviembre de 2026, 09:15 CST (15:15 UTC)"
        );
    }

    #[test]
    fn an_instant_out_of_range_is_written_without_a_fault() {
        for zone in UsZone::ALL {
            for ms in [i64::MIN, i64::MAX, 0] {
                assert!(!zone.written(Instant(ms), Language::English).is_empty());
            }
        }
    }
}
