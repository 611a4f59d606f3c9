//! Dates and times as people write them, for emails and pages.

use crate::request::language::Language;
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;

/// What people write in words.
pub trait InWords: Sized {
    /// In this language: `January 31, 2026`, `31 de enero de 2026`. A time is written to the minute, in UTC:
    /// `March 4, 2026, 12:00 UTC`.
    fn written(self, language: Language) -> String;

    /// As in the United States.
    fn in_words(self) -> String {
        self.written(Language::English)
    }
}

impl InWords for Date {
    fn written(self, language: Language) -> String {
        let (day, year) = (self.day(), self.year());
        let (_, month) = (1..).zip(month_names(language)).find(|(month, _)| *month == self.month()).unwrap_or_default();
        match language {
            Language::English => format!("{month} {day}, {year}"),
            Language::Spanish => format!("{day} de {month} de {year}"),
        }
    }
}

impl InWords for Time {
    fn written(self, language: Language) -> String {
        let date = Date::of(self.0).written(language);
        format!("{date}, {} UTC", clock(self.0))
    }
}

/// The hour and the minute in UTC: `12:00`.
pub(super) fn clock(at: Instant) -> String {
    let minutes = at.0.div_euclid(60_000).rem_euclid(1440);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// The names of the months, as they are written in a date of this language.
#[must_use]
pub const fn month_names(language: Language) -> [&'static str; 12] {
    match language {
        Language::English => [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        Language::Spanish => [
            "enero",
            "febrero",
            "marzo",
            "abril",
            "mayo",
            "junio",
            "julio",
            "agosto",
            "septiembre",
            "octubre",
            "noviembre",
            "diciembre",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_in_words_names_its_month() {
        for (date, words) in [("2026-01-31", "January 31, 2026"), ("0999-12-01", "December 1, 999")] {
            assert_eq!(Date::parse(date).unwrap().in_words(), words);
        }
    }

    #[test]
    fn an_instant_in_words_is_one_minute_of_one_day() {
        for (text, words) in [
            ("2026-03-04T12:00:59.999Z", "March 4, 2026, 12:00 UTC"),
            ("2026-12-31T23:59:00.000Z", "December 31, 2026, 23:59 UTC"),
            ("1969-12-31T00:05:00.000Z", "December 31, 1969, 00:05 UTC"),
        ] {
            assert_eq!(Time::parse(text).unwrap().in_words(), words);
        }
    }
}
