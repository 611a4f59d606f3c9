//! `GET /api/v1/staff/claims`: the staff's queue over all practices. The earliest deadline comes first, claims without
//! one come last, and older claims come first within a day.

use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId, PracticeId, ReportId, UserId};
use crate::base::instant::Instant;
use crate::base::money::Amount;
use crate::base::time::Time;
use crate::plan::audit::{Entry, Event};
use crate::plan::claims::deadline::Deadline;
use crate::plan::claims::status::read_statuses;
use crate::plan::claims::{ClaimStatus, codes};
use crate::plan::settings::PracticeName;
use crate::plan::signing::SigningStatus;
use crate::plan::work::claim::ClaimState;
use crate::request::accept::ListForm;
use crate::request::due_place::DuePlace;
use crate::request::page::{CsvRow, Listed};
use crate::request::problem::Problem;
use crate::request::query::{ListQuery, QueryReader};
use crate::work::may::{self, ClaimAction};
use crate::work::people::Colleague;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

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
}

/// The query of the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueQuery {
    /// Most items.
    pub limit: usize,
    /// The place to start after.
    pub after: Option<DuePlace>,
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
    pub taken_by: TakenBy,
}

impl QueueQuery {
    /// The place to start after: that of the cursor, or the one before every claim of the first day.
    #[must_use]
    pub fn start(&self) -> (String, String) {
        let first = self.due_from.map(|day| (day.to_string(), String::new()));
        let after = self
            .after
            .map(|place| (place.due_key(), place.id.to_string()));
        after.max(first).unwrap_or_default()
    }

    /// The last sort key of a deadline. A claim without a deadline is on no day.
    #[must_use]
    pub fn last_due_key(&self) -> String {
        match (self.due_from, self.due_to) {
            (_, Some(day)) => DuePlace::key(Some(day)),
            (Some(_), None) => String::from("9999-12-31"),
            (None, None) => DuePlace::key(None),
        }
    }

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

const NAMES: [&str; 13] = [
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
    "taken_by",
];

/// What an age must be.
const DAYS: &str = "a whole number from 0 to 36500";

fn read_days(text: &str) -> Option<i32> {
    let days = text.trim().parse().ok();
    days.filter(|days| (0..=36_500).contains(days))
}

impl ListQuery for QueueQuery {
    fn parse<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) -> Result<Self, Vec<Problem>> {
        Self::parse_for(query, ListForm::Json)
    }

    fn parse_for<'a>(
        query: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
        form: ListForm,
    ) -> Result<Self, Vec<Problem>> {
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
        // The only order, which other lists have by this name as well.
        let _deadline = query.read("order", "deadline", |text| {
            (text == "deadline").then_some(())
        });
        let known = "me, nobody or the id of a staff member";
        let taken_by = query.read("taken_by", known, TakenBy::parse);
        let statuses = if statuses.is_empty() {
            OPEN.to_vec()
        } else {
            statuses
        };
        query.settle(Self {
            limit,
            after,
            statuses,
            practice_id,
            payer_name,
            claim_number,
            denial_code,
            min_age_days,
            max_age_days,
            due_from,
            due_to,
            taken_by: taken_by.unwrap_or(TakenBy::Any),
        })
    }
}

/// The row in the staff's trail about a search by claim number: the practice and the claims found. It does not have the
/// number.
#[must_use]
pub fn searched(
    query: &QueueQuery,
    found: &FoundQueue,
    person: &Person,
    ctx: &Ctx,
) -> Option<Entry> {
    query.claim_number.as_ref()?;
    let found: Vec<ClaimId> = found.claims.iter().map(|item| item.id).collect();
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
    /// The number of its changes.
    pub version: i64,
    /// The report it was last delivered in.
    pub report_id: Option<ReportId>,
    /// The case in which it is, or was last, appealed.
    pub case_id: Option<CaseId>,
    /// When it last changed.
    pub updated_at: Time,
    /// True if it has a signing link that was neither revoked nor used.
    #[serde(skip_serializing)]
    pub has_link: bool,
}

impl QueueItem {
    fn may(&self, by: UserId) -> Vec<ClaimAction> {
        let state = ClaimState {
            status: self.status,
            signing_status: self.signing_status,
            taken_by: self.taken_by.as_ref().map(|taken_by| taken_by.id),
        };
        may::on_claim(state, self.has_link, by)
    }
}

/// A claim in the queue, as a staff member sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct QueuedClaim {
    /// The claim.
    #[serde(flatten)]
    pub item: QueueItem,
    /// What the staff member may do with it.
    pub may: Vec<ClaimAction>,
}

impl CsvRow for QueuedClaim {
    const FILE: &'static str = "queue.csv";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "practice.id",
        "practice.name",
        "claim_number",
        "status",
        "signing_status",
        "taken_by.id",
        "taken_by.name",
        "deadline.date",
        "deadline.from",
        "payer_name",
        "plan_type",
        "date_of_service",
        "denial_date",
        "billed_amount",
        "denied_amount",
        "denial_codes",
        "received_at",
        "version",
        "report_id",
        "case_id",
        "updated_at",
        "may",
    ];
}

/// The result of the statement for a page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct FoundQueue {
    /// The claims, at most one more than a page has.
    pub claims: Vec<QueueItem>,
    /// True if more claims passed, but did not fit into one value of the database.
    pub cut: bool,
}

/// A page of the queue, for a staff member.
#[must_use]
pub fn list(query: &QueueQuery, found: FoundQueue, person: &Person) -> Listed<QueuedClaim> {
    let more = found.cut || found.claims.len() > query.limit;
    let claims = found.claims.into_iter().take(query.limit);
    let claims = claims.map(|item| QueuedClaim {
        may: item.may(person.user_id),
        item,
    });
    let claims: Vec<QueuedClaim> = claims.collect();
    let last = claims.last().filter(|_| more);
    let next = last.map(|last| {
        let place = DuePlace {
            due: last.item.deadline.map(|deadline| deadline.date),
            id: last.item.id.0,
        };
        place.to_string()
    });
    Listed::new("claims", claims, next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{parsed, test};

    fn received(filter: &str, days: &str, now: &str) -> [Option<String>; 2] {
        let now = Time::parse(now).unwrap().0;
        let query = QueueQuery::parse([(filter.into(), days.into())]).unwrap();
        let (from, before) = query.received(now);
        [from, before].map(|at| at.map(|at| Time(at).to_string()))
    }

    #[test]
    fn days_of_deadlines_bound_the_page_and_a_cursor_stays_within_them() {
        let bounds = |query: &[(&'static str, &'static str)]| {
            let query: QueueQuery = parsed(query).unwrap();
            let (due, id) = query.start();
            (due, id.len(), query.last_due_key())
        };
        let is = |due: &str, id: usize, last: &str| (due.into(), id, last.into());
        assert_eq!(bounds(&[]), is("", 0, "~"));
        assert_eq!(
            bounds(&[("order", "deadline"), ("due_to", "")]),
            is("", 0, "~")
        );
        let from = ("due_from", "2026-11-10");
        assert_eq!(bounds(&[from]), is("2026-11-10", 0, "9999-12-31"));
        let to = ("due_to", "2026-11-20");
        assert_eq!(bounds(&[from, to]), is("2026-11-10", 0, "2026-11-20"));
        for (cursor, due, id) in [
            (
                "2026-11-09_00000000000000000000000000000001",
                "2026-11-10",
                0,
            ),
            (
                "2026-11-10_00000000000000000000000000000001",
                "2026-11-10",
                36,
            ),
            (
                "2026-11-15_00000000000000000000000000000001",
                "2026-11-15",
                36,
            ),
        ] {
            assert_eq!(
                bounds(&[from, ("cursor", cursor)]),
                is(due, id, "9999-12-31")
            );
        }
        assert!(QueueQuery::parse([("order".into(), "newest".into())]).is_err());
    }

    #[test]
    fn a_parameter_that_is_given_twice_has_one_problem() {
        let twice = [("status", "closed"), ("status", "closed")];
        let twice = twice.map(|(name, value)| (name.into(), value.into()));
        let problems = QueueQuery::parse(twice).unwrap_err();
        let problems = crate::request::problem::texts(&problems);
        assert_eq!(problems, ["status must be given only once"]);
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
