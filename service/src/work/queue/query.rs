//! The query of the staff's queue. Each filter is a parameter, a condition in SQL and its value. The console names it again.

use super::place::{QueuePlace, SortedBy};
use super::sql::{
    EARLIEST, LATEST, LEAST, MOST, OF_NUMBER, OF_NUMBER_LATEST, TO_ASK, TO_ASK_LATEST, TO_ASK_LEAST, TO_ASK_MOST,
};
use crate::plan::signing::link::TRIES_MAX;
use crate::prelude::*;
use crate::request::declare::kinds::DenialCode;
use crate::request::declare::kinds::{Form, Id};
use crate::request::declare::query::kinds::{
    AnyText, Cursor, Day, LimitOrCsv, Names, OneOf, OneOrDefault, Truth, Within,
};
use crate::request::declare::query::query;
use crate::request::due_place::DuePlace;
use crate::request::query::QueryReader;
use crate::sql::Select;
use crate::work::sql::{CLAIM_PRACTICE, DEADLINE, KEPT_LINK, LETTER, TAKEN_BY};
use overturn_core::base::date::Date;
use overturn_core::base::id::UserId;
use overturn_core::claims::ClaimStatus;
use overturn_core::names;
use overturn_core::request::problem::Rule;
use std::borrow::Cow;

/// The default statuses: claims with work to do.
const OPEN: [ClaimStatus; 4] =
    [ClaimStatus::Received, ClaimStatus::Reviewing, ClaimStatus::InReport, ClaimStatus::InAppeal];

names! {
    /// The state of a signature that staff asked for, in an open claim.
    SignatureState {
        /// The patient can sign with the link.
        Waiting = "waiting",
        /// No link works: it expired, was revoked, or was tried too often.
        LinkDead = "link_dead",
    }
}

names! {
    /// The order of the queue. Those by deadline are the two ways through one index. The others sort at most 10,000 claims
    /// of each status, those with the earliest deadlines.
    #[derive(Default)]
    QueueOrder {
        /// The earliest deadline first, claims without one last.
        #[default]
        Deadline = "deadline",
        /// The other way around: claims without a deadline first, then the latest deadline.
        LatestDeadline = "latest_deadline",
        /// The least denied amount first, claims without one last.
        Denied = "denied",
        /// The largest denied amount first, claims without one last.
        MostDenied = "most_denied",
        /// The oldest claim first.
        Arrived = "arrived",
        /// The newest claim first.
        LatestArrived = "latest_arrived",
    }
}

impl QueueOrder {
    pub(super) const fn is_reverse(self) -> bool {
        matches!(self, Self::LatestDeadline | Self::MostDenied | Self::LatestArrived)
    }

    /// What it sorts by, if not by a day.
    pub(super) const fn value(self) -> Option<&'static str> {
        match self {
            Self::Deadline | Self::LatestDeadline => None,
            Self::Denied | Self::MostDenied => Some("denied"),
            Self::Arrived | Self::LatestArrived => Some("arrived"),
        }
    }

    /// The key of a claim without what it sorts by. Such claims come last, or first in the reverse order of days.
    pub(super) const fn nothing(self) -> &'static str {
        if self.value().is_some() && self.is_reverse() { "" } else { "~" }
    }
}

/// The filter by the person who has taken a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TakenBy {
    /// The caller's own.
    Me,
    /// Claims that no one has taken.
    Nobody,
    /// The claims of this staff member.
    Person(UserId),
}

impl Form for TakenBy {
    type Value = Self;

    fn words() -> Cow<'static, str> {
        "me, nobody or the id of a staff member".into()
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "me" => Some(Self::Me),
            "nobody" => Some(Self::Nobody),
            id => id.parse().ok().map(|id| Self::Person(UserId(id))),
        }
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        json!({ "anyOf": [{ "type": "string", "enum": ["me", "nobody"] }, { "type": "string", "format": "uuid" }] })
    }
}

impl TakenBy {
    pub(in crate::work) fn holder(self) -> String {
        match self {
            Self::Me => "me".to_owned(),
            Self::Nobody => "nobody".to_owned(),
            Self::Person(id) => id.to_string(),
        }
    }
}

query! {
    /// The query of the queue.
    pub(crate) QueueQuery {
        limit: LimitOrCsv,
        cursor: Cursor<QueuePlace>,
        /// Claims with one of these statuses, separated by commas. The default is every status that needs work.
        status: Names<ClaimStatus, false>,
        /// Only claims of this practice.
        practice_id: Id<PracticeId>,
        /// Only claims of this payer, as the practice names it. Upper and lower case of ASCII letters does not matter.
        payer_name: AnyText,
        /// Only claims with this number, exactly as the practice sent it.
        claim_number: AnyText,
        /// Only claims with this adjustment or remark code.
        denial_code: DenialCode,
        /// Only claims received at least this many whole UTC days ago. 0 finds every claim.
        min_age_days: Within<0, 36_500>,
        /// Only claims received at most this many whole UTC days ago. 0 finds the claims that arrived today.
        max_age_days: Within<0, 36_500>,
        /// Only claims whose deadline is on this day or later. Claims without a deadline are left out.
        due_from: Day,
        /// Only claims whose deadline is on this day or earlier. Claims without a deadline are left out.
        due_to: Day,
        /// The order: the soonest deadline first (`deadline`), or the reverse (`latest_deadline`). By the denied amount
        /// (`denied`, `most_denied`) and by arrival (`arrived`, `latest_arrived`), it sorts at most 10,000 claims of each
        /// status, those with the soonest deadlines. Only the two orders by deadline go beside `claim_number`.
        order: OneOrDefault<QueueOrder>,
        /// `true`: the first page says in `count` how many claims pass the filters. A search by `claim_number` and later
        /// pages have no `count`.
        count: Truth,
        /// Only claims that the caller has taken (`me`), that no one has taken (`nobody`), or that the staff member with
        /// this id has taken.
        taken_by: TakenBy,
        /// Only claims that need the patient's signature: those whose link works (`waiting`), or those whose link expired,
        /// was revoked, or was tried too often (`link_dead`).
        signature: OneOf<SignatureState>,
        /// Only claims in appeal whose case waits for a decision of the payer that staff ask for before this day: those of
        /// the cases that `listAllCases` finds by the same day. They have no deadline, and come in the order of `ask_on`. Not
        /// beside `claim_number`, `due_from` or `due_to`.
        ask_before: Day,
    }
    refuses contradictions
}

fn contradictions(query: &QueueQuery, reader: &mut QueryReader<'_>) {
    let others = [
        ("claim_number", query.claim_number.is_some()),
        ("due_from", query.due_from.is_some()),
        ("due_to", query.due_to.is_some()),
    ];
    for (name, _) in others.into_iter().filter(|(_, is_given)| *is_given && query.ask_before.is_some()) {
        reader.refuse(name, Rule::NotWith("ask_before"));
    }
    let of_value = query.order.value();
    if of_value.is_some() && query.claim_number.is_some() {
        reader.refuse("order", Rule::NotWith("claim_number"));
    }
    let is_other = query.cursor.is_some_and(|place| match place.by {
        SortedBy::Nothing => of_value == Some("arrived"),
        SortedBy::Day(_) => of_value.is_some(),
        SortedBy::Number(_) => of_value.is_none(),
    });
    if is_other {
        reader.refuse("cursor", Rule::MustBe("one that a page in this order gave".into()));
    }
}

impl QueueQuery {
    /// The same query where the session of this caller may be unknown.
    pub(super) fn of(&self, person: &Person) -> Self {
        let taken_by = self.taken_by.map(|by| if by == TakenBy::Me { TakenBy::Person(person.user_id) } else { by });
        Self { taken_by, ..self.clone() }
    }

    /// The first and the last sort key of a day. A claim without a deadline is on no day.
    fn days(&self) -> (Option<String>, String) {
        let last = match (self.ask_before, self.due_from, self.due_to) {
            (Some(day), ..) => day.plus_days(-1).map_or_else(String::new, |day| day.to_string()),
            (None, _, Some(day)) => DuePlace::key(Some(day)),
            (None, Some(_), None) => String::from("9999-12-31"),
            (None, None, None) => DuePlace::key(None),
        };
        (self.due_from.map(|day| day.to_string()), last)
    }

    /// The place to start after, and the last sort key in this order.
    pub(crate) fn range(&self) -> ((String, String), String) {
        let after = self.cursor.map(|place| (place.by.key(self.order.nothing()), place.id.to_string()));
        let (first, last) = self.days();
        match (self.order.value(), self.order.is_reverse()) {
            (None, false) => {
                let first = first.map(|first| (first, String::new()));
                (after.max(first).unwrap_or_default(), last)
            }
            (None, true) => {
                // Every id comes before this text.
                let first_place = (last, String::from("~"));
                let start = after.map_or(first_place.clone(), |after| after.min(first_place));
                (start, first.unwrap_or_default())
            }
            (Some(_), false) => (after.unwrap_or_default(), last),
            // Every key of a value comes before this text.
            (Some(_), true) => (after.unwrap_or_else(|| (String::from("~"), String::new())), last),
        }
    }

    /// How many claims of the first page's range are looked at to count those that pass; `None` if they are not counted.
    pub(crate) const fn count_scans(&self) -> Option<usize> {
        if matches!(self.count, Some(true)) && self.cursor.is_none() && self.claim_number.is_none() {
            Some(COUNT_SCAN_MAX)
        } else {
            None
        }
    }

    /// The instants from which and before which a claim was received, if its age is filtered. The age of a claim is the
    /// number of UTC dates since its arrival.
    pub(crate) fn received(&self, now: Instant) -> (Option<Instant>, Option<Instant>) {
        let today = Date::of(now);
        let ago = |days: i32| today.plus_days(days.saturating_neg()).map(Date::begins);
        let from = self.max_age_days.and_then(ago);
        // Up to the end of the day, which is the beginning of the next day.
        let before = self.min_age_days.and_then(|days| ago(days.saturating_sub(1)));
        (from, before)
    }

    /// True if it finds the claims with work to do, as it does by default.
    pub(in crate::work) fn has_default_statuses(&self) -> bool {
        self.status.is_empty()
            || OPEN.iter().all(|status| self.status.contains(status)) && self.status.len() == OPEN.len()
    }

    /// The statement for a page, for the caller with this hash.
    pub(super) fn page(&self, caller: &str, now: Instant) -> Select {
        let (from, before) = self.received(now);
        let ((due, id), last) = self.range();
        let holder = self.taken_by.map(TakenBy::holder);
        let statuses = if self.status.is_empty() { &OPEN } else { &*self.status };
        macro_rules! find {
            ($name:literal, $text:literal $part:ident; $($more:ident = $value:expr),+) => {
                select!($name, $text [$part, PASSES, CLAIM_PRACTICE, TAKEN_BY, DEADLINE, LETTER, KEPT_LINK];
                    statuses = Json(statuses), due, id, limit = self.limit.saturating_add(1),
                    practice = self.practice_id, payer = self.payer_name.as_ref(), code = self.denial_code.as_ref(),
                    from, before, holder, caller, last, signature = self.signature, now, tries = TRIES_MAX,
                    $($more = $value),+)
            };
        }
        macro_rules! by_day {
            ($name:literal, $text:literal $part:ident) => {
                find!($name, $text $part; scans = self.count_scans(), counts = COUNT_MAX.saturating_add(1))
            };
        }
        macro_rules! by_value {
            ($name:literal, $text:literal $part:ident, $by:expr) => {
                find!($name, $text $part; scans = self.count_scans(), counts = COUNT_MAX.saturating_add(1), by = $by,
                    nothing = self.order.nothing(), first = self.days().0.unwrap_or_default(), most = COUNT_SCAN_MAX)
            };
        }
        let lookup = (&self.claim_number, self.ask_before);
        match (lookup, self.order.value(), self.order.is_reverse()) {
            ((Some(number), _), _, false) => {
                find!("work.queue_of_number", "{OF_NUMBER}" OF_NUMBER; number = number)
            }
            ((Some(number), _), _, true) => {
                find!("work.queue_of_number", "{OF_NUMBER_LATEST}" OF_NUMBER_LATEST; number = number)
            }
            ((None, None), None, false) => by_day!("work.queue", "{EARLIEST}" EARLIEST),
            ((None, None), None, true) => by_day!("work.queue", "{LATEST}" LATEST),
            ((None, None), Some(by), false) => by_value!("work.queue_by_value", "{LEAST}" LEAST, by),
            ((None, None), Some(by), true) => by_value!("work.queue_by_value", "{MOST}" MOST, by),
            ((None, Some(_)), None, false) => by_day!("work.queue_to_ask", "{TO_ASK}" TO_ASK),
            ((None, Some(_)), None, true) => by_day!("work.queue_to_ask", "{TO_ASK_LATEST}" TO_ASK_LATEST),
            ((None, Some(_)), Some(by), false) => {
                by_value!("work.queue_to_ask_by_value", "{TO_ASK_LEAST}" TO_ASK_LEAST, by)
            }
            ((None, Some(_)), Some(by), true) => {
                by_value!("work.queue_to_ask_by_value", "{TO_ASK_MOST}" TO_ASK_MOST, by)
            }
        }
    }
}

/// The most claims that are looked at to count those that pass, and the most of a status that are sorted by a value.
pub const COUNT_SCAN_MAX: usize = 10_000;

/// The most claims that a count says.
pub(crate) const COUNT_MAX: usize = 1_000;

/// True if a claim `q` passes every filter except status, number and deadline. Claims of a practice whose patient data may
/// not be read pass none.
const PASSES: &str = concat!(
    readable!("q.practice_id"),
    " AND ({practice} IS NULL OR q.practice_id = {practice})
      AND ({payer} IS NULL OR lower(q.payer_name) = lower({payer}))
      AND ({code} IS NULL OR EXISTS (SELECT 1 FROM json_each(q.adjustment_codes) a WHERE a.value = {code}))
      AND ({from} IS NULL OR q.received_at >= {from}) AND ({before} IS NULL OR q.received_at < {before})
      AND ({signature} IS NULL OR q.signing_status = 'needed' AND q.status NOT IN ('recovered', 'closed')
        AND {signature} = iif(EXISTS (SELECT 1 FROM signing_links l
        WHERE l.practice_id = q.practice_id AND l.claim_id = q.id AND l.revoked_at IS NULL AND l.used_at IS NULL
          AND l.expires_at > {now} AND l.attempts < {tries}), 'waiting', 'link_dead'))
      AND ({holder} IS NULL OR ifnull(q.taken_by, '') = CASE {holder} WHEN 'me' THEN (SELECT user_id FROM callers
        WHERE hash = {caller}) WHEN 'nobody' THEN '' ELSE {holder} END)"
);

#[cfg(test)]
mod tests;
