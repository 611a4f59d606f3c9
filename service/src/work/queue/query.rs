//! The query of the staff's queue. Each filter is a parameter, a condition in SQL and its value. The console names it again.

use super::sql::{EARLIEST, LATEST, OF_NUMBER, OF_NUMBER_LATEST, TO_ASK, TO_ASK_LATEST};
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
    /// The order of the queue. Each is one way through the same index.
    #[derive(Default)]
    QueueOrder {
        /// The earliest deadline first, claims without one last.
        #[default]
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
        cursor: Cursor<DuePlace>,
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
        /// The order: the soonest deadline first (`deadline`), or the reverse (`latest_deadline`).
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
    refuses both_lookups
}

fn both_lookups(query: &QueueQuery, reader: &mut QueryReader<'_>) {
    let others = [
        ("claim_number", query.claim_number.is_some()),
        ("due_from", query.due_from.is_some()),
        ("due_to", query.due_to.is_some()),
    ];
    for (name, _) in others.into_iter().filter(|(_, is_given)| *is_given && query.ask_before.is_some()) {
        reader.refuse(name, Rule::NotWith("ask_before"));
    }
}

impl QueueQuery {
    /// The place to start after, and the last sort key of a day, in this order. A claim without a deadline is on no day.
    pub(crate) fn range(&self) -> ((String, String), String) {
        let after = self.cursor.map(|place| (place.due_key(), place.id.to_string()));
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

#[cfg(test)]
mod tests;
