//! The query of the staff's queue. Each filter is a parameter, a condition in SQL and its value. The description and the
//! console name it again.

use super::sql::{EARLIEST, LATEST, OF_NUMBER, OF_NUMBER_LATEST, TO_ASK, TO_ASK_LATEST};
use crate::prelude::*;
use crate::sql::Select;
use crate::work::sql::{CLAIM_PRACTICE, DEADLINE, KEPT_LINK, LETTER, TAKEN_BY};
use overturn_core::base::date::Date;
use overturn_core::base::id::UserId;
use overturn_core::names;
use overturn_core::plan::claims::read_statuses;
use overturn_core::plan::claims::{ClaimStatus, codes};
use overturn_core::plan::signing::link::TRIES_MAX;
use overturn_core::request::accept::ListForm;
use overturn_core::request::due_place::DuePlace;
use overturn_core::request::problem::{Problem, Rule};
use overturn_core::request::query::{ListQuery, Pair, QueryReader};
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
    /// The order of the queue. Each is one way through the same index.
    QueueOrder {
        /// The earliest deadline first, claims without one last.
        Deadline = "deadline",
        /// The other way around: claims without a deadline first, then the latest deadline.
        LatestDeadline = "latest_deadline",
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

impl TakenBy {
    fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "me" => Some(Self::Me),
            "nobody" => Some(Self::Nobody),
            id => id.parse().ok().map(|id| Self::Person(UserId(id))),
        }
    }

    pub(in crate::work) fn holder(self) -> String {
        match self {
            Self::Me => "me".to_owned(),
            Self::Nobody => "nobody".to_owned(),
            Self::Person(id) => id.to_string(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct QueueQuery {
    /// Most items.
    pub limit: usize,
    /// The place to start after.
    pub after: Option<DuePlace>,
    pub order: QueueOrder,
    /// True if the claims that pass are counted. Only a first page counts them.
    pub counts: bool,
    /// Their statuses.
    pub statuses: Vec<ClaimStatus>,
    /// Only of this practice.
    pub practice_id: Option<PracticeId>,
    /// Only of this payer, by name, regardless of case.
    pub payer_name: Option<String>,
    /// Only with this claim number.
    pub claim_number: Option<String>,
    /// Only with this adjustment or remark code.
    pub denial_code: Option<String>,
    /// Received at least this many days before today, in UTC dates.
    pub min_age_days: Option<i32>,
    /// Received at most this many days before today: 0 is only today.
    pub max_age_days: Option<i32>,
    /// With a deadline on this day or later.
    pub due_from: Option<Date>,
    /// With a deadline on this day or earlier.
    pub due_to: Option<Date>,
    /// Taken by this person.
    pub taken_by: Option<TakenBy>,
    /// Waiting for a signature in this state.
    pub signature: Option<SignatureState>,
    /// In a case that waits for the payer's decision, for which a person asks before this day. Such claims have no deadline,
    /// and are ordered by that day.
    pub ask_before: Option<Date>,
}

impl QueueQuery {
    /// The place to start after, and the last sort key of a day, in this order. A claim without a deadline is on no day.
    pub(crate) fn range(&self) -> ((String, String), String) {
        let after = self.after.map(|place| (place.due_key(), place.id.to_string()));
        let first = self.due_from.map(|day| day.to_string());
        let last = match (self.ask_before, self.due_from, self.due_to) {
            (Some(day), ..) => day.plus_days(-1).map_or_else(String::new, |day| day.to_string()),
            (None, _, Some(day)) => DuePlace::key(Some(day)),
            (None, Some(_), None) => String::from("9999-12-31"),
            (None, None, None) => DuePlace::key(None),
        };
        match self.order {
            QueueOrder::Deadline => {
                let first = first.map(|first| (first, String::new()));
                (after.max(first).unwrap_or_default(), last)
            }
            QueueOrder::LatestDeadline => {
                // Every id comes before this text.
                let first_place = (last, String::from("~"));
                let start = after.map_or(first_place.clone(), |after| after.min(first_place));
                (start, first.unwrap_or_default())
            }
        }
    }

    /// How many claims of the first page's range are looked at to count those that pass; `None` if they are not counted.
    pub(crate) const fn count_scans(&self) -> Option<usize> {
        if self.counts && self.after.is_none() && self.claim_number.is_none() { Some(COUNT_SCAN_MAX) } else { None }
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
        OPEN.iter().all(|status| self.statuses.contains(status)) && self.statuses.len() == OPEN.len()
    }

    /// The statement for a page, for the caller with this hash.
    pub(super) fn page(&self, caller: &str, now: Instant) -> Select {
        let (from, before) = self.received(now);
        let ((due, id), last) = self.range();
        let holder = self.taken_by.map(TakenBy::holder);
        macro_rules! find {
            ($name:literal, $text:literal $part:ident; $($more:ident = $value:expr),+) => {
                select!($name, $text [$part, PASSES, CLAIM_PRACTICE, TAKEN_BY, DEADLINE, LETTER, KEPT_LINK];
                    statuses = Json(&self.statuses), due, id, limit = self.limit.saturating_add(1),
                    practice = self.practice_id, payer = self.payer_name.as_ref(), code = self.denial_code.as_ref(),
                    from, before, holder, caller, last, signature = self.signature, now, tries = TRIES_MAX,
                    $($more = $value),+)
            };
        }
        let (scans, counts) = (self.count_scans(), COUNT_MAX.saturating_add(1));
        match (&self.claim_number, self.ask_before, self.order) {
            (Some(number), _, QueueOrder::Deadline) => {
                find!("work.queue_of_number", "{OF_NUMBER}" OF_NUMBER; number = number)
            }
            (Some(number), _, QueueOrder::LatestDeadline) => {
                find!("work.queue_of_number", "{OF_NUMBER_LATEST}" OF_NUMBER_LATEST; number = number)
            }
            (None, None, QueueOrder::Deadline) => {
                find!("work.queue", "{EARLIEST}" EARLIEST; scans = scans, counts = counts)
            }
            (None, None, QueueOrder::LatestDeadline) => {
                find!("work.queue", "{LATEST}" LATEST; scans = scans, counts = counts)
            }
            (None, Some(_), QueueOrder::Deadline) => {
                find!("work.queue_to_ask", "{TO_ASK}" TO_ASK; scans = scans, counts = counts)
            }
            (None, Some(_), QueueOrder::LatestDeadline) => {
                find!("work.queue_to_ask", "{TO_ASK_LATEST}" TO_ASK_LATEST; scans = scans, counts = counts)
            }
        }
    }
}

/// The most claims that are looked at to count those that pass.
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

const NAMES: [&str; 16] = [
    "limit",
    "cursor",
    "status",
    "practice_id",
    "payer_name",
    "claim_number",
    "denial_code",
    "min_age_days",
    "max_age_days",
    "due_from",
    "due_to",
    "order",
    "count",
    "taken_by",
    "signature",
    "ask_before",
];

/// What an age must be.
const DAYS: &str = "a whole number from 0 to 36500";

fn read_days(text: &str) -> Option<i32> {
    let days = text.trim().parse().ok();
    days.filter(|days| (0..=36_500).contains(days))
}

impl ListQuery for QueueQuery {
    fn parse_for<'a>(query: impl IntoIterator<Item = Pair<'a>>, form: ListForm) -> Result<Self, Vec<Problem>> {
        let mut query = QueryReader::new(query, &NAMES);
        let limit = query.limit(form);
        let after = query.cursor(DuePlace::parse);
        let statuses = query.value_as("status", |p, text| read_statuses(p, text.into_iter()));
        let practice_id = query.id("practice_id");
        let payer_name = query.value("payer_name").map(Cow::into_owned);
        let claim_number = query.value("claim_number").map(Cow::into_owned);
        let known = "an adjustment or remark code";
        let denial_code = query.read("denial_code", known, codes::recognise);
        let min_age_days = query.read("min_age_days", DAYS, read_days);
        let max_age_days = query.read("max_age_days", DAYS, read_days);
        let due_from = query.date("due_from");
        let due_to = query.date("due_to");
        let order = query.read("order", "deadline or latest_deadline", |text| QueueOrder::parse(text.trim()));
        let counts = query.read("count", "true or false", |text| match text.trim() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        });
        let known = "me, nobody or the id of a staff member";
        let taken_by = query.read("taken_by", known, TakenBy::parse);
        let signature = query.read("signature", "waiting or link_dead", |text| SignatureState::parse(text.trim()));
        let ask_before = query.date("ask_before");
        let others =
            [("claim_number", claim_number.is_some()), ("due_from", due_from.is_some()), ("due_to", due_to.is_some())];
        for (name, _) in others.into_iter().filter(|(_, is_given)| *is_given && ask_before.is_some()) {
            query.refuse(name, Rule::NotWith("ask_before"));
        }
        let statuses = if statuses.is_empty() { OPEN.to_vec() } else { statuses };
        query.settle(Self {
            limit,
            after,
            order: order.unwrap_or(QueueOrder::Deadline),
            counts: counts.unwrap_or(false),
            statuses,
            practice_id,
            payer_name,
            claim_number,
            denial_code,
            min_age_days,
            max_age_days,
            due_from,
            due_to,
            taken_by,
            signature,
            ask_before,
        })
    }
}

#[cfg(test)]
mod tests;
