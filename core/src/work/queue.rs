//! `GET /api/v1/staff/claims`: the staff's queue over all practices. The earliest deadline comes first, claims without
//! one come last, and older claims come first within a day.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::date::Date;
use crate::base::id::{ClaimId, PracticeId};
use crate::base::instant::Instant;
use crate::base::money::Amount;
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::claims::deadline::Deadline;
use crate::plan::claims::status::read_statuses;
use crate::plan::claims::{ClaimStatus, codes};
use crate::plan::settings::PracticeName;
use crate::plan::signing::SigningStatus;
use crate::request::field::Problems;
use crate::request::page::{ListQuery, Listed, once, only, read, read_cursor, read_limit};
use crate::request::problem::Problem;
use crate::work::people::Colleague;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

/// The default statuses: claims with work to do.
const OPEN: [ClaimStatus; 4] = [
    ClaimStatus::Received,
    ClaimStatus::Reviewing,
    ClaimStatus::InReport,
    ClaimStatus::InAppeal,
];

/// The filter by the person who has taken a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakenBy {
    /// No filter.
    Any,
    /// The caller's own.
    Me,
    /// Claims that no one has taken.
    Nobody,
}

/// The query of the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueQuery {
    /// Most items.
    pub limit: usize,
    /// The place to start after.
    pub after: Option<QueuePosition>,
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
    /// Taken by this person.
    pub taken_by: TakenBy,
}

impl QueueQuery {
    /// The instants from which and before which a claim was received, if its age is filtered. The age of a claim is the
    /// number of UTC dates since its arrival.
    #[must_use]
    pub fn received(&self, now: Instant) -> (Option<Instant>, Option<Instant>) {
        let today = Date::of(now);
        let ago = |days: i32| today.plus_days(days.saturating_neg()).map(Date::begins);
        let from = self.max_age_days.and_then(ago);
        // Up to the end of the day, which is the beginning of the next day.
        let before = self
            .min_age_days
            .and_then(|days| ago(days.saturating_sub(1)));
        (from, before)
    }
}

/// A place in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueuePosition {
    /// The deadline, if there is one.
    pub due: Option<Date>,
    /// The claim.
    pub id: ClaimId,
}

impl QueuePosition {
    /// The sort key of a deadline: a missing one sorts after every date.
    #[must_use]
    pub fn due_key(&self) -> String {
        self.due.map_or_else(|| "~".into(), |due| due.to_string())
    }

    fn parse(text: &str) -> Option<Self> {
        let (due, id) = text.split_once('_')?;
        let due = match due {
            "none" => None,
            date => Some(Date::parse(date)?),
        };
        let id = Uuid::try_parse(id).ok()?;
        Some(Self {
            due,
            id: ClaimId(id),
        })
    }
}

impl core::fmt::Display for QueuePosition {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.due {
            Some(due) => write!(f, "{due}_{}", self.id.0.simple()),
            None => write!(f, "none_{}", self.id.0.simple()),
        }
    }
}

const NAMES: [&str; 10] = [
    "limit",
    "cursor",
    "status",
    "practice_id",
    "payer_name",
    "claim_number",
    "denial_code",
    "min_age_days",
    "max_age_days",
    "taken_by",
];

impl ListQuery for QueueQuery {
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<Problem>> {
        let query: Vec<_> = query.into_iter().collect();
        let mut p = Problems::default();
        only(&mut p, &query, &NAMES);
        let [
            limit,
            cursor,
            status,
            practice,
            payer,
            number,
            code,
            min,
            max,
            taken,
        ] = once(&mut p, query, NAMES);
        let limit = read_limit(&mut p, limit);
        let after = read_cursor(&mut p, cursor, QueuePosition::parse);
        let statuses = read_statuses(&mut p, status.iter().map(|text| &**text));
        let practice_id = read(&mut p, "practice_id", "an id", practice, |text| {
            Uuid::try_parse(text.trim()).ok().map(PracticeId)
        });
        let known = "an adjustment or remark code";
        let denial_code = read(&mut p, "denial_code", known, code, codes::recognise);
        let mut days = |name, value| {
            let known = "a whole number from 0 to 36500";
            read(&mut p, name, known, value, |text| {
                let days = text.trim().parse().ok();
                days.filter(|days| (0..=36_500).contains(days))
            })
        };
        let min_age_days = days("min_age_days", min);
        let max_age_days = days("max_age_days", max);
        let taken_by = read(
            &mut p,
            "taken_by",
            "me or nobody",
            taken,
            |text| match text.trim() {
                "me" => Some(TakenBy::Me),
                "nobody" => Some(TakenBy::Nobody),
                _ => None,
            },
        );
        match limit {
            Some(limit) if p.count() == 0 => Ok(Self {
                limit,
                after,
                statuses: if statuses.is_empty() {
                    OPEN.to_vec()
                } else {
                    statuses
                },
                practice_id,
                payer_name: payer.map(Cow::into_owned),
                claim_number: number.map(Cow::into_owned),
                denial_code,
                min_age_days,
                max_age_days,
                taken_by: taken_by.unwrap_or(TakenBy::Any),
            }),
            _ => Err(p.into_list()),
        }
    }
}

/// The row in the staff's trail about a search by claim number: the practice and the claims found. It does not have the
/// number.
#[must_use]
pub fn searched(
    query: &QueueQuery,
    found: &[QueueItem],
    person: &Person,
    ctx: &Ctx,
) -> Option<Entry> {
    query.claim_number.as_ref()?;
    let found: Vec<ClaimId> = found.iter().map(|item| item.id).collect();
    let said = json!({ "practice_id": query.practice_id, "found": found });
    let entry = Entry::new(ctx, 0, None, Event::QueueSearched, person.user_id);
    Some(entry.detail(said))
}

/// A claim in the queue. It does not name the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct QueueItem {
    /// The claim.
    pub id: ClaimId,
    /// Its practice.
    pub practice: PracticeName,
    /// The claim number.
    pub claim_number: String,
    /// Its status.
    pub status: ClaimStatus,
    /// Its signing status.
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<Colleague>,
    /// The deadline of its appeal, if it is known.
    pub deadline: Option<Deadline>,
    /// The insurer, as the practice names it.
    pub payer_name: String,
    /// Kind of plan.
    pub plan_type: Option<String>,
    /// Date of service.
    pub date_of_service: Date,
    /// Date of the denial.
    pub denial_date: Option<Date>,
    /// The billed amount.
    pub billed_amount: Option<Amount>,
    /// The denied amount.
    pub denied_amount: Option<Amount>,
    /// The recognized adjustment and remark codes.
    pub denial_codes: Vec<String>,
    /// When it was received.
    pub received_at: Time,
}

/// A page of the queue.
#[must_use]
pub fn list(query: QueueQuery, claims: Vec<QueueItem>) -> Listed<QueueItem> {
    Listed::cut("claims", claims, query.limit, |last| {
        QueuePosition {
            due: last.deadline.map(|deadline| deadline.date),
            id: last.id,
        }
        .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    fn received(filter: &str, days: &str, now: &str) -> [Option<String>; 2] {
        let now = Time::parse(now).unwrap().0;
        let query = QueueQuery::parse([(filter.into(), days.into())]).unwrap();
        let (from, before) = query.received(now);
        [from, before].map(|at| at.map(|at| Time(at).to_string()))
    }

    #[test]
    fn an_age_is_counted_in_whole_utc_days_and_is_0_today() {
        let midnight = |date: &str| Some(alloc::format!("{date}T00:00:00.000Z"));
        for now in ["2028-03-01T00:00:00.000Z", "2028-03-01T23:59:59.999Z"] {
            for (days, first) in [
                ("0", "2028-03-01"),
                ("1", "2028-02-29"),
                ("366", "2027-03-01"),
            ] {
                let expected = [midnight(first), None];
                assert_eq!(received("max_age_days", days, now), expected);
            }
            for (days, behind) in [
                ("0", "2028-03-02"),
                ("1", "2028-03-01"),
                ("2", "2028-02-29"),
            ] {
                let expected = [None, midnight(behind)];
                assert_eq!(received("min_age_days", days, now), expected);
            }
        }
        let longest = received("max_age_days", "36500", "2028-03-01T00:00:00.000Z");
        assert_eq!(longest, [midnight("1928-03-26"), None]);
    }
}
