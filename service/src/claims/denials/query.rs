//! The query parameters of a list of claims.

use crate::plan::signing::SigningStatus;
use crate::request::accept::ListForm;
use crate::request::declare::kinds::DenialCode;
use crate::request::declare::kinds::Id;
use crate::request::declare::query::Parameter;
use crate::request::declare::query::kinds::{
    Cursor, Day, DayBegins, DayEnds, LimitOrCsv, Moment, Names, OneOrDefault, Place, TextOf,
};
use crate::request::declare::query::query;
use crate::request::due_place::DuePlace;
use crate::request::query::{self, QueryReader};
use overturn_core::base::id::PracticeId;
use overturn_core::claims::{ClaimStatus, NUMBER_MAX};
use overturn_core::names;
use overturn_core::request::problem::Rule;
use std::borrow::Cow;
use std::fmt;
use uuid::Uuid;

/// The most claims that a page with a filter scans.
pub(super) const SCAN_MAX: usize = 2_000;

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

/// Where a page in the order of the changes begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangesStart {
    First,
    After(ChangesCursor),
}

impl Parameter for ChangesStart {
    type Value = Option<Self>;

    fn read(query: &mut QueryReader<'_>, name: &'static str, form: ListForm) -> Option<Self> {
        let text = query.value(name)?;
        if form == ListForm::Csv {
            query.refuse(name, Rule::Form("must not be given for text/csv"));
        }
        let start = match &*text {
            "start" => Some(Self::First),
            text => ChangesCursor::parse(text).map(Self::After),
        };
        if start.is_none() {
            query.refuse(name, NOT_A_CURSOR);
        }
        start
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        serde_json::json!({ "type": "string", "pattern": "^(start|[0-9a-f]{46})?$" })
    }
}

/// A place in the list, in one of its orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListPlace {
    Newest(Uuid),
    Deadline(DuePlace),
}

impl Place for ListPlace {
    fn parse(text: &str) -> Option<Self> {
        let due = DuePlace::parse(text).map(Self::Deadline);
        due.or_else(|| text.parse().ok().map(Self::Newest))
    }

    #[cfg(feature = "schema")]
    const FORM: &'static str = "^(([0-9]{4}-[0-9]{2}-[0-9]{2}|none)_)?[0-9a-f]{32}$";
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

names! {
    /// The orders of a list, as `order` names them.
    #[derive(Default)]
    ListOrder {
        /// The newest claim first.
        #[default]
        Newest = "newest",
        /// The next deadline first.
        Deadline = "deadline",
    }
}

query! {
    /// A query for a page of claims.
    #[derive(Default)]
    pub(crate) DenialsQuery {
        /// Claims with one of these statuses. Separate them with commas, or repeat the parameter.
        status: Names<ClaimStatus, true>,
        /// Claims with one of these signing statuses. Separate them with commas, or repeat the parameter.
        signing_status: Names<SigningStatus, true>,
        limit: LimitOrCsv,
        /// The order of the list.
        order: OneOrDefault<ListOrder>,
        cursor: Cursor<ListPlace>,
        /// `start`, or a `changes_cursor` that the practice received. If the cursor is ahead of our database, the
        /// answer is `409`: we restored the database to an earlier state, so read the list again. Do not give it together
        /// with `cursor`. Switching `signing.appeal_button` does not change a claim.
        changes_after: ChangesStart,
        /// The claim with this number, exactly as it was sent. The list has that claim or is empty. The other filters
        /// still apply.
        claim_number: TextOf<NUMBER_MAX>,
        /// Claims of this payer, with the name as you sent it. Upper and lower case of A to Z does not matter.
        payer_name: TextOf<200>,
        /// Claims denied on this day or later, as the `letter` says or else as sent.
        denied_from: Day,
        /// Claims denied on this day or earlier, as the `letter` says or else as sent.
        denied_to: Day,
        /// Claims with a deadline on this day or later.
        due_from: Day,
        /// Claims with a deadline on this day or earlier.
        due_to: Day,
        /// Claims with this adjustment or remark code.
        denial_code: DenialCode,
        /// Claims that we received on this day (UTC) or later.
        received_from: DayBegins,
        /// Claims that we received on this day (UTC) or earlier.
        received_to: DayEnds,
        /// Claims that changed at this instant or later. To follow changes, use `changes_after`.
        updated_since: Moment,
        /// Claims that were delivered in this report.
        report_id: Id<Uuid>,
    }
    refuses what_does_not_go_together
}

fn what_does_not_go_together(query: &DenialsQuery, reader: &mut QueryReader<'_>) {
    let by_deadline = query.order == ListOrder::Deadline;
    if reader.value("changes_after").is_some() {
        if reader.value("cursor").is_some() {
            reader.refuse("cursor", Rule::NotWith("changes_after"));
        }
        if by_deadline {
            reader.refuse("order", Rule::NotWith("changes_after"));
        }
    }
    if by_deadline && query.status.iter().any(|status| !ClaimStatus::OPEN.contains(status)) {
        reader.refuse("status", Rule::Form("must not be recovered or closed with order=deadline"));
    }
    if query.cursor.is_some_and(|place| matches!(place, ListPlace::Deadline(_)) != by_deadline) {
        reader.refuse("cursor", query::NOT_A_CURSOR);
    }
}

impl DenialsQuery {
    /// The start of the page, and the order.
    pub(super) fn position(&self) -> PageStart {
        match (self.changes_after, self.order, self.cursor) {
            (Some(ChangesStart::First), ..) => PageStart::Changes(None),
            (Some(ChangesStart::After(cursor)), ..) => PageStart::Changes(Some(cursor)),
            (None, ListOrder::Newest, Some(ListPlace::Newest(id))) => PageStart::List(Some(id)),
            (None, ListOrder::Newest, _) => PageStart::List(None),
            (None, ListOrder::Deadline, Some(ListPlace::Deadline(place))) => PageStart::Due(Some(place)),
            (None, ListOrder::Deadline, _) => PageStart::Due(None),
        }
    }

    /// How many claims to read: one more than requested, which shows whether there is another page.
    pub(super) const fn reads(&self) -> usize {
        self.limit.saturating_add(1)
    }

    /// How many claims to scan. A filter does not change the meaning of a cursor, so it is applied to claims in the
    /// order of the list. If few claims pass, one page must not scan all of them.
    pub(super) fn scans(&self) -> usize {
        let Self { limit, order, cursor, changes_after, .. } = *self;
        let all = Self { limit, order, cursor, changes_after, ..Self::default() };
        if *self == all { self.reads() } else { SCAN_MAX }
    }
}
