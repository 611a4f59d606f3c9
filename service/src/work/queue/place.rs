//! A place in the queue.

use crate::request::declare::query::kinds::Place;
use overturn_core::base::date::Date;
use std::fmt;
use uuid::Uuid;

/// What the queue is sorted by, of one claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SortedBy {
    Nothing,
    Day(Date),
    /// Cents, or milliseconds.
    Number(i64),
}

/// A claim's place in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QueuePlace {
    pub(crate) by: SortedBy,
    pub(crate) id: Uuid,
}

impl SortedBy {
    /// The text that SQL compares; `nothing` if there is no value.
    pub(super) fn key(self, nothing: &str) -> String {
        match self {
            Self::Nothing => nothing.into(),
            Self::Day(day) => day.to_string(),
            Self::Number(number) => format!("{number:019}"),
        }
    }
}

impl Place for QueuePlace {
    fn parse(text: &str) -> Option<Self> {
        let (by, id) = text.split_once('_')?;
        let is_number = by.len() == 19 && by.bytes().all(|byte| byte.is_ascii_digit());
        let by = match by {
            "none" => SortedBy::Nothing,
            number if is_number => SortedBy::Number(number.parse().ok()?),
            day => SortedBy::Day(Date::parse(day)?),
        };
        Some(Self { by, id: Uuid::try_parse(id).ok()? })
    }

    #[cfg(feature = "schema")]
    const FORM: &'static str = "^([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{19}|none)_[0-9a-f]{32}$";
}

impl fmt::Display for QueuePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.by.key("none"), self.id.simple())
    }
}
