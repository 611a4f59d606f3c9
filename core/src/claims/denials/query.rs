//! The query parameters of a list of claims.

use crate::base::date::Date;
use crate::base::id::PracticeId;
use crate::base::instant::Instant;
use crate::base::time::Time;
use crate::plan::claims::ClaimStatus;
use crate::plan::claims::status::read_statuses;
use crate::request::field::{self, Problems};
use crate::request::page::{self, ListQuery};
use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use uuid::Uuid;

/// The most claims that a page with a filter scans.
pub const SCAN_MAX: usize = 2_000;

/// Most characters of a claim number.
const NUMBER_MAX: usize = 128;
/// Most characters of a payer's name.
const PAYER_MAX: usize = 200;
/// Numbers travel as doubles, which are exact up to this one.
const CHANGED_MAX: i64 = 1 << 53;

pub(super) const NOT_A_CURSOR: Rule = Rule::MustBe(Cow::Borrowed(
    "start, or a changes_cursor that this practice was given",
));

/// The position in the changes. It is opaque to callers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangesCursor {
    /// The practice, because each practice counts its own changes.
    pub practice_id: PracticeId,
    /// The number of the last change on the page.
    pub changed: i64,
}

impl fmt::Display for ChangesCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:014x}", self.practice_id.0.simple(), self.changed)
    }
}

impl ChangesCursor {
    fn parse(text: &str) -> Option<Self> {
        let (practice, changed) = text.split_at_checked(32)?;
        let is_hex = changed.len() == 14 && changed.bytes().all(|b| b.is_ascii_hexdigit());
        let changed = i64::from_str_radix(changed, 16).ok().filter(|_| is_hex)?;
        Some(Self {
            practice_id: PracticeId(Uuid::try_parse(practice).ok()?),
            changed: (changed < CHANGED_MAX).then_some(changed)?,
        })
    }
}

/// The start of the page, and the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageStart {
    /// Newest first, after this claim.
    List(Option<Uuid>),
    /// In the order of the last change, after this position or from the first.
    Changes(Option<ChangesCursor>),
}

/// The filter. A field that is `None` or empty lets every claim pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Claims with one of these statuses.
    pub statuses: Vec<ClaimStatus>,
    /// The claim of this number, exactly.
    pub claim_number: Option<String>,
    /// Claims of this payer. The case of ASCII letters does not matter.
    pub payer_name: Option<String>,
    /// Claims denied on this day or later.
    pub denied_from: Option<Date>,
    /// Claims denied on this day or earlier.
    pub denied_to: Option<Date>,
    /// Claims received at this instant or later.
    pub received_from: Option<Instant>,
    /// Claims received before this instant.
    pub received_before: Option<Instant>,
    /// Claims changed at this instant or later.
    pub updated_since: Option<Instant>,
    /// Claims that were delivered in this report.
    pub report_id: Option<Uuid>,
}

/// A query for a page of claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DenialsQuery {
    /// The most claims on the page.
    pub limit: usize,
    /// The start.
    pub position: PageStart,
    /// The filter.
    pub filter: Filter,
}

impl DenialsQuery {
    /// How many claims to read: one more than requested, which shows whether there is another page.
    #[must_use]
    pub const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }

    /// How many claims to scan. A filter does not change the meaning of a cursor, so it is applied to claims in the
    /// order of the list. If few claims pass, one page must not scan all of them.
    #[must_use]
    pub fn scans(&self) -> usize {
        if self.filter == Filter::default() {
            self.reads()
        } else {
            SCAN_MAX
        }
    }
}

const NAMES: [&str; 11] = [
    "limit",
    "cursor",
    "changes_after",
    "claim_number",
    "payer_name",
    "denied_from",
    "denied_to",
    "received_from",
    "received_to",
    "updated_since",
    "report_id",
];
const STATUS: &str = "status";

impl ListQuery for DenialsQuery {
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<Problem>> {
        let query: Vec<_> = query.into_iter().collect();
        let mut p = Problems::default();
        page::only(&mut p, &query, &[&NAMES[..], &[STATUS]].concat());
        let statuses = query.iter().filter(|(name, _)| *name == STATUS);
        let statuses = statuses.map(|(_, value)| &**value);
        let statuses = read_statuses(&mut p, statuses);
        let [
            limit,
            cursor,
            changes_after,
            claim_number,
            payer_name,
            denied_from,
            denied_to,
            received_from,
            received_to,
            updated_since,
            report_id,
        ] = page::once(&mut p, query, NAMES);
        let limit = page::read_limit(&mut p, limit);
        if cursor.is_some() && changes_after.is_some() {
            p.add("cursor", Rule::NotWith("changes_after"));
        }
        let after = page::read_cursor(&mut p, cursor, |text| text.parse().ok());
        let position = match changes_after {
            None => PageStart::List(after),
            Some(text) if text == "start" => PageStart::Changes(None),
            Some(text) => {
                let cursor = ChangesCursor::parse(&text);
                if cursor.is_none() {
                    p.add("changes_after", NOT_A_CURSOR);
                }
                PageStart::Changes(cursor)
            }
        };
        let claim_number = claim_number
            .filter(|number| field::check_length(&mut p, "claim_number", number, NUMBER_MAX));
        let payer_name =
            payer_name.filter(|name| field::check_length(&mut p, "payer_name", name, PAYER_MAX));
        let mut date =
            |name, value| page::read(&mut p, name, "a date (YYYY-MM-DD)", value, Date::parse);
        let denied_from = date("denied_from", denied_from);
        let denied_to = date("denied_to", denied_to);
        let received_from = date("received_from", received_from);
        let received_to = date("received_to", received_to);
        let time = "a time (RFC 3339, such as 2026-03-04T12:00:00Z)";
        let updated_since = page::read(&mut p, "updated_since", time, updated_since, Time::parse);
        let report_id = page::read(&mut p, "report_id", "an id", report_id, |text| {
            text.parse().ok()
        });
        let filter = Filter {
            statuses,
            claim_number: claim_number.map(Cow::into_owned),
            payer_name: payer_name.map(Cow::into_owned),
            denied_from,
            denied_to,
            received_from: received_from.map(Date::begins),
            received_before: received_to
                .and_then(|day| day.plus_days(1))
                .map(Date::begins),
            updated_since: updated_since.map(|time| time.0),
            report_id,
        };
        match limit {
            Some(limit) if p.count() == 0 => Ok(Self {
                limit,
                position,
                filter,
            }),
            _ => Err(p.into_list()),
        }
    }
}
