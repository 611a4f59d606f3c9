//! `GET /api/v1/staff/claims`: the staff's queue, whatever the practice: the soonest deadline first, claims without one behind
//! all others, and the oldest first where that is the same.

use super::view::{Colleague, Deadline, PracticeName};
use crate::amount::Amount;
use crate::audit::{Entry, Event};
use crate::claim::ClaimStatus;
use crate::codes;
use crate::ctx::Ctx;
use crate::date::Date;
use crate::denials::read_statuses;
use crate::field::Problems;
use crate::id::{ClaimId, PracticeId};
use crate::page::{Asked, Listed, once, only, read, read_cursor, read_limit};
use crate::person::Person;
use crate::signing::SigningStatus;
use crate::time::Time;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

/// What is to be done, where the query does not say.
const OPEN: [ClaimStatus; 4] = [
    ClaimStatus::Received,
    ClaimStatus::Reviewing,
    ClaimStatus::InReport,
    ClaimStatus::InAppeal,
];

/// Whose claims are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakenBy {
    /// Anybody's, and nobody's.
    Any,
    /// The caller's own.
    Me,
    /// Those that nobody has taken.
    Nobody,
}

/// Which claims of the queue are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Most items.
    pub limit: usize,
    /// The place behind which to go on.
    pub after: Option<Place>,
    /// Where they stand.
    pub statuses: Vec<ClaimStatus>,
    /// Of this practice only.
    pub practice_id: Option<PracticeId>,
    /// Of this payer only, by its name whatever the case of its letters.
    pub payer_name: Option<String>,
    /// With this number of its practice's only.
    pub claim_number: Option<String>,
    /// With this adjustment or remark code only.
    pub denial_code: Option<String>,
    /// Received at least so many days ago.
    pub min_age_days: Option<i64>,
    /// Received at most so many days ago.
    pub max_age_days: Option<i64>,
    /// Taken by whom.
    pub taken_by: TakenBy,
}

/// A place in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The deadline, if there is one.
    pub due: Option<Date>,
    /// The claim.
    pub id: ClaimId,
}

impl Place {
    /// What the store orders a deadline by: one that is not known comes behind every date.
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

impl core::fmt::Display for Place {
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

impl Asked for Query {
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<String>> {
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
        let after = read_cursor(&mut p, cursor, Place::parse);
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

/// The row of the staff's trail of a search by claim number, which the row does not name: in which practice, and what was found.
#[must_use]
pub fn searched(query: &Query, found: &[Item], person: &Person, ctx: &Ctx) -> Option<Entry> {
    query.claim_number.as_ref()?;
    let found: Vec<ClaimId> = found.iter().map(|item| item.id).collect();
    let said = json!({ "practice_id": query.practice_id, "found": found });
    let entry = Entry::new(ctx, 0, None, Event::QueueSearched, person.user_id);
    Some(entry.detail(said))
}

/// A claim in the queue. Nothing of it names the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Item {
    /// The claim.
    pub id: ClaimId,
    /// Its practice.
    pub practice: PracticeName,
    /// The practice's number for it.
    pub claim_number: String,
    /// Where it stands.
    pub status: ClaimStatus,
    /// Where its signature stands.
    pub signing_status: SigningStatus,
    /// Who has taken it.
    pub taken_by: Option<Colleague>,
    /// By when its appeal has to be filed, where that is known.
    pub deadline: Option<Deadline>,
    /// The insurer as the practice names it.
    pub payer_name: String,
    /// Kind of plan.
    pub plan_type: Option<String>,
    /// Date of service.
    pub date_of_service: Date,
    /// Date of the denial.
    pub denial_date: Option<Date>,
    /// What was billed.
    pub billed_amount: Option<Amount>,
    /// What was denied.
    pub denied_amount: Option<Amount>,
    /// The adjustment and remark codes among what was sent as such.
    pub denial_codes: Vec<String>,
    /// When it was received.
    pub received_at: Time,
}

/// A page of the queue.
#[must_use]
pub fn list(query: Query, claims: Vec<Item>) -> Listed<Item> {
    Listed::cut("claims", claims, query.limit, |last| {
        Place {
            due: last.deadline.map(|deadline| deadline.date),
            id: last.id,
        }
        .to_string()
    })
}
