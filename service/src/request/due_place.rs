//! A place in a list that is sorted by deadline: the earliest one first, records without one last, and older records first
//! on the same day.

use overturn_core::base::date::Date;
use std::fmt;
use uuid::Uuid;

/// A place in a list that is sorted by deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuePlace {
    /// The deadline, if there is one.
    pub due: Option<Date>,
    /// The record.
    pub id: Uuid,
}

impl DuePlace {
    /// The form of the text, for the descriptions.
    #[cfg(feature = "schema")]
    pub const FORM: &'static str = "^([0-9]{4}-[0-9]{2}-[0-9]{2}|none)_[0-9a-f]{32}$";

    /// The sort key of the deadline: a missing one sorts after every date.
    #[must_use]
    pub fn due_key(&self) -> String {
        Self::key(self.due)
    }

    /// The sort key of a deadline.
    #[must_use]
    pub fn key(due: Option<Date>) -> String {
        due.map_or_else(|| "~".into(), |due| due.to_string())
    }

    /// Reads a cursor, as [`Display`](fmt::Display) writes it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text, "none")
    }

    /// Reads a place that the database wrote: the sort key of the deadline, `_` and the id.
    #[must_use]
    pub fn of_key(text: &str) -> Option<Self> {
        Self::read(text, "~")
    }

    fn read(text: &str, without: &str) -> Option<Self> {
        let (due, id) = text.split_once('_')?;
        let due = if due == without { None } else { Some(Date::parse(due)?) };
        Some(Self { due, id: Uuid::try_parse(id).ok()? })
    }
}

impl fmt::Display for DuePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.due {
            Some(due) => write!(f, "{due}_{}", self.id.simple()),
            None => write!(f, "none_{}", self.id.simple()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_its_place_and_a_missing_deadline_sorts_last() {
        let id = Uuid::from_u128(7);
        for due in [None, Date::parse("2026-12-31")] {
            let place = DuePlace { due, id };
            assert_eq!(DuePlace::parse(&place.to_string()), Some(place));
        }
        let none = DuePlace { due: None, id };
        let last = DuePlace { due: Date::parse("9999-12-31"), id };
        assert!(none.due_key() > last.due_key());
        for bad in ["", "_", "none", "none_x", "2026-13-01_00000000000000000000000000000007"] {
            assert_eq!(DuePlace::parse(bad), None, "{bad}");
        }
    }
}
