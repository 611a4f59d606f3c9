//! The query parameters of a list of claims.

use overturn_core::base::date::Date;
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::names;
use overturn_core::plan::claims::{ClaimStatus, NUMBER_MAX, codes, read_statuses};
use overturn_core::plan::signing::SigningStatus;
use overturn_core::request::accept::ListForm;
use overturn_core::request::due_place::DuePlace;
use overturn_core::request::field::Problems;
use overturn_core::request::problem::{Problem, Rule};
use overturn_core::request::query::{ListQuery, Pair, QueryReader};
use std::borrow::Cow;
use std::fmt;
use uuid::Uuid;

/// The most claims that a page with a filter scans.
pub(super) const SCAN_MAX: usize = 2_000;

/// Most characters of a payer's name.
const PAYER_MAX: usize = 200;
/// Numbers travel as doubles, which are exact up to this one.
const CHANGED_MAX: i64 = 1 << 53;

pub(super) const NOT_A_CURSOR: Rule =
    Rule::MustBe(Cow::Borrowed("start, or a changes_cursor that this practice was given"));

/// The position in the changes. It is opaque to callers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChangesCursor {
    /// The practice, because each practice counts its own changes.
    pub(super) practice_id: PracticeId,
    /// The number of the last change on the page.
    pub(super) changed: i64,
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
pub(crate) enum PageStart {
    /// Newest first, after this claim.
    List(Option<Uuid>),
    /// Open claims, the earliest deadline first, after this place.
    Due(Option<DuePlace>),
    /// In the order of the last change, after this position or from the first.
    Changes(Option<ChangesCursor>),
}

/// The filter. A field that is `None` or empty lets every claim pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Filter {
    /// Claims with one of these statuses.
    pub(super) statuses: Vec<ClaimStatus>,
    /// The claim of this number, exactly.
    pub(super) claim_number: Option<String>,
    /// Claims of this payer. The case of ASCII letters does not matter.
    pub(super) payer_name: Option<String>,
    /// Claims denied on this day or later.
    pub(super) denied_from: Option<Date>,
    /// Claims denied on this day or earlier.
    pub(super) denied_to: Option<Date>,
    /// Claims with a deadline on this day or later.
    pub(super) due_from: Option<Date>,
    /// Claims with a deadline on this day or earlier.
    pub(super) due_to: Option<Date>,
    /// Claims with one of these signing statuses.
    pub(super) signing: Vec<SigningStatus>,
    /// Claims with this adjustment or remark code.
    pub(super) denial_code: Option<String>,
    /// Claims received at this instant or later.
    pub(super) received_from: Option<Instant>,
    /// Claims received before this instant.
    pub(super) received_before: Option<Instant>,
    /// Claims changed at this instant or later.
    pub(super) updated_since: Option<Instant>,
    /// Claims that were delivered in this report.
    pub(super) report_id: Option<Uuid>,
}

/// A query for a page of claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DenialsQuery {
    /// The most claims on the page.
    pub(super) limit: usize,
    /// The start.
    pub(super) position: PageStart,
    pub(super) filter: Filter,
}

impl DenialsQuery {
    /// How many claims to read: one more than requested, which shows whether there is another page.
    pub(super) const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }

    /// How many claims to scan. A filter does not change the meaning of a cursor, so it is applied to claims in the
    /// order of the list. If few claims pass, one page must not scan all of them.
    pub(super) fn scans(&self) -> usize {
        if self.filter == Filter::default() { self.reads() } else { SCAN_MAX }
    }
}

const NAMES: [&str; 15] = [
    "limit",
    "order",
    "cursor",
    "changes_after",
    "claim_number",
    "payer_name",
    "denied_from",
    "denied_to",
    "due_from",
    "due_to",
    "denial_code",
    "received_from",
    "received_to",
    "updated_since",
    "report_id",
];
const STATUS: &str = "status";
const SIGNING: &str = "signing_status";

names! {
    /// The orders of a list, as `order` names them.
    ListOrder {
        /// The newest claim first.
        Newest = "newest",
        /// The next deadline first.
        Deadline = "deadline",
    }
}

impl ListQuery for DenialsQuery {
    fn parse_for<'a>(query: impl IntoIterator<Item = Pair<'a>>, form: ListForm) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::with_repeated(query, &NAMES, &[STATUS, SIGNING]);
        let statuses = query.values(STATUS, |p, values| read_statuses(p, values));
        let signing = query.values(SIGNING, |p, values| read_signing(p, values));
        let limit = query.limit(form);
        let position = read_position(&mut query, &statuses, form);
        let claim_number = query.text("claim_number", NUMBER_MAX);
        let payer_name = query.text("payer_name", PAYER_MAX);
        let denied_from = query.date("denied_from");
        let denied_to = query.date("denied_to");
        let due_from = query.date("due_from");
        let due_to = query.date("due_to");
        let received_from = query.date("received_from");
        let received_to = query.date("received_to");
        let known = "an adjustment or remark code";
        let denial_code = query.read("denial_code", known, codes::recognise);
        let time = "a time (RFC 3339, such as 2026-03-04T12:00:00Z)";
        let updated_since = query.read("updated_since", time, Time::parse);
        let report_id = query.id("report_id");
        let filter = Filter {
            statuses,
            claim_number,
            payer_name,
            denied_from,
            denied_to,
            due_from,
            due_to,
            signing,
            denial_code,
            received_from: received_from.map(Date::begins),
            received_before: received_to.and_then(|day| day.plus_days(1)).map(Date::begins),
            updated_since: updated_since.map(|time| time.0),
            report_id,
        };
        query.settle(Self { limit, position, filter })
    }
}

/// Reads the order and the start of the page.
fn read_position(query: &mut QueryReader<'_>, statuses: &[ClaimStatus], form: ListForm) -> PageStart {
    let changes_after = query.value("changes_after");
    if query.has("cursor") && changes_after.is_some() {
        query.refuse("cursor", Rule::NotWith("changes_after"));
    }
    let order = query.read("order", "newest or deadline", ListOrder::parse);
    let by_deadline = order == Some(ListOrder::Deadline);
    if changes_after.is_some() && by_deadline {
        query.refuse("order", Rule::NotWith("changes_after"));
    }
    if changes_after.is_some() && form == ListForm::Csv {
        let rule = "must not be given for text/csv";
        query.refuse("changes_after", Rule::Form(rule));
    }
    let is_closed = |status: &ClaimStatus| !ClaimStatus::OPEN.contains(status);
    if by_deadline && statuses.iter().any(is_closed) {
        let rule = "must not be recovered or closed with order=deadline";
        query.refuse(STATUS, Rule::Form(rule));
    }
    let list = if by_deadline {
        PageStart::Due(query.cursor(DuePlace::parse))
    } else {
        PageStart::List(query.cursor(|text| text.parse().ok()))
    };
    match changes_after {
        None => list,
        Some(text) if text == "start" => PageStart::Changes(None),
        Some(text) => {
            let cursor = ChangesCursor::parse(&text);
            if cursor.is_none() {
                query.refuse("changes_after", NOT_A_CURSOR);
            }
            PageStart::Changes(cursor)
        }
    }
}

/// Reads signing statuses, each at most once, from one parameter with commas or from several.
fn read_signing<'a>(p: &mut Problems, values: impl Iterator<Item = &'a str>) -> Vec<SigningStatus> {
    let names = values.flat_map(|value| value.split(',')).map(str::trim);
    let mut found = Vec::new();
    for name in names.filter(|name| !name.is_empty()) {
        match SigningStatus::parse(name) {
            None => {
                let known = SigningStatus::ALL.map(SigningStatus::name).join(", ");
                p.add(SIGNING, Rule::OutOf(known.into()));
                return found;
            }
            Some(status) if found.contains(&status) => {
                p.add(SIGNING, Rule::EachStatusOnce);
                return found;
            }
            Some(status) => found.push(status),
        }
    }
    found
}
