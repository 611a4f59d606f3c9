//! `/api/v1/denials/summary` and `/api/v1/staff/summary`: how many claims there are in each status, with which amounts,
//! and when they are due.

use super::today::{Today, later};
use crate::prelude::*;
use crate::request::declare::kinds::Id;
use crate::request::declare::query::query;
use overturn_core::base::date::Date;
use overturn_core::claims::ClaimStatus;
use serde::Serializer;
use std::collections::BTreeMap;
use std::fmt;

query! {
    /// The query of a practice's summary.
    #[derive(Copy)]
    pub(crate) SummaryQuery {
        today: Today,
    }
}

query! {
    /// The query of the staff's summary.
    #[derive(Copy)]
    pub(crate) WorkSummaryQuery {
        today: Today,
        /// Only of this practice.
        practice_id: Id<PracticeId>,
    }
}

/// How many days after today a deadline is listed by its date.
pub const DAYS: i32 = 30;

/// Cents in one part of a stored sum.
const PART: i128 = 1_000_000_000;

/// A sum of amounts. Claims have up to 2^63 - 1 cents each, so a sum needs more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sum(i128);

#[cfg(feature = "schema")]
overturn_core::described! {
    /// A sum of amounts in dollars. `0.00` if no claim has such an amount.
    Sum = { "type": "string", "pattern": r"^[0-9]+\.[0-9]{2}$" }
}

impl Sum {
    fn of(high: i64, low: i64) -> Self {
        Self(i128::from(high).saturating_mul(PART).saturating_add(low.into()))
    }

    fn add(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = self.0.max(0);
        write!(f, "{}.{:02}", cents.div_euclid(100), cents.rem_euclid(100))
    }
}

impl Serialize for Sum {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// The claims of one status whose deadlines belong together, as the store adds them up.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct StoredCount {
    /// Their status.
    status: ClaimStatus,
    /// `late`, a date from today to [`DAYS`] later, `later`, `~` for open claims without a deadline, and empty for
    /// claims that are recovered or closed.
    due: String,
    /// How many.
    claims: i64,
    /// The billed amounts: high and low part.
    billed: (i64, i64),
    /// The denied amounts.
    denied: (i64, i64),
    /// The recovered amounts.
    recovered: (i64, i64),
}

/// Claims and their amounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ClaimTotal {
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    claims: i64,
    billed_amount: Sum,
    denied_amount: Sum,
    amount_recovered: Sum,
}

impl ClaimTotal {
    fn add(&mut self, count: &StoredCount) {
        let of = |(high, low)| Sum::of(high, low);
        self.claims = self.claims.saturating_add(count.claims);
        self.billed_amount.add(of(count.billed));
        self.denied_amount.add(of(count.denied));
        self.amount_recovered.add(of(count.recovered));
    }
}

/// The claims of a status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct StatusSummary {
    status: ClaimStatus,
    #[serde(flatten)]
    total: ClaimTotal,
}

/// Open claims whose deadlines belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DeadlineTotal {
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    claims: i64,
    denied_amount: Sum,
}

impl DeadlineTotal {
    fn add(&mut self, count: &StoredCount) {
        let (high, low) = count.denied;
        self.claims = self.claims.saturating_add(count.claims);
        self.denied_amount.add(Sum::of(high, low));
    }
}

/// Open claims that are due on a day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = with_a_claim))]
pub(crate) struct DueDay {
    date: Date,
    #[serde(flatten)]
    total: DeadlineTotal,
}

/// A day is listed only if a claim is due on it.
#[cfg(feature = "schema")]
fn with_a_claim(schema: &mut schemars::Schema) {
    if let Some(least) = schema.pointer_mut("/properties/claims/minimum") {
        *least = 1.into();
    }
}

/// The open claims by deadline.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DeadlineSummary {
    late: DeadlineTotal,
    /// The days from `today` to 30 days later on which a deadline of a claim falls.
    #[cfg_attr(feature = "schema", schemars(length(max = DAYS + 1)))]
    days: Vec<DueDay>,
    later: DeadlineTotal,
    none: DeadlineTotal,
}

/// A summary of claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Summary {
    /// The date from which the deadlines are counted.
    today: Date,
    /// All statuses in the order in which a claim goes through them.
    #[cfg_attr(feature = "schema", schemars(length(equal = ClaimStatus::ALL.len())))]
    statuses: Vec<StatusSummary>,
    total: ClaimTotal,
    deadlines: DeadlineSummary,
}

/// The most decisions that a summary counts: as many as a page of cases can have.
pub const DECISIONS_MAX: usize = 100;

/// A summary of the staff's work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::request::page::of_all))]
pub(crate) struct WorkSummary {
    #[serde(flatten)]
    claims: Summary,
    /// How many cases wait for a decision that is due, or has to be asked for, today or earlier. Counted
    /// up to 100.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = DECISIONS_MAX)))]
    decisions_due: i64,
}

/// The counts of the rows that follow, as [`StoredCount`] reads them. `last` is the last day that is listed by its date.
const COUNTS: &str = "json_group_array(json_object('status', status, 'due', bucket, 'claims', claims,
       'billed', json_array(billed_high, billed_low), 'denied', json_array(denied_high, denied_low),
       'recovered', json_array(recovered_high, recovered_low))) AS json
     FROM (SELECT status, CASE WHEN due IN ('', '~') THEN due WHEN due < {today} THEN 'late' WHEN due > {last} THEN 'later'
         ELSE due END AS bucket, sum(claims) AS claims,
         sum(billed_high) AS billed_high, sum(billed_low) AS billed_low, sum(denied_high) AS denied_high,
         sum(denied_low) AS denied_low, sum(recovered_high) AS recovered_high, sum(recovered_low) AS recovered_low";
const BY_DUE: &str = "GROUP BY 1, 2 HAVING sum(claims) > 0)";

pub(super) fn of_caller(caller: &str, today: Date) -> Query<Vec<StoredCount>> {
    select!(
        "summaries.of_practice",
        "SELECT {COUNTS} FROM claim_figures WHERE scope = {OF_CALLER} {BY_DUE}" [COUNTS, BY_DUE];
        caller, today, last = later(today, DAYS)
    )
    .one()
}

/// The counts of a practice, or of all practices. A practice whose patient data may not be read has none: the queue does
/// not show its claims. The counts of all practices are read together, a few rows for each practice, and those that are
/// left out.
pub(super) fn of_scope(practice: Option<PracticeId>, today: Date) -> Query<Vec<StoredCount>> {
    const READABLE: &str = readable!("{scope}");
    const SHOWN_READABLE: &str = readable!("shown.id");
    const HIDDEN_READABLE: &str = readable!("hidden.id");
    let last = later(today, DAYS);
    match practice {
        Some(practice) => select!(
            "summaries.of_scope",
            "SELECT {COUNTS} FROM claim_figures WHERE scope = {scope} AND {READABLE} {BY_DUE}" [COUNTS, READABLE, BY_DUE];
            scope = practice, today, last
        ),
        None => select!(
            "summaries.of_scope",
            "SELECT {COUNTS} FROM (SELECT status, due, claims, billed_high, billed_low, denied_high, denied_low,
                recovered_high, recovered_low
              FROM claim_counts WHERE scope = {scope}
              UNION ALL
              SELECT u.status, u.due, u.claims, u.billed_high, u.billed_low, u.denied_high, u.denied_low,
                u.recovered_high, u.recovered_low
                FROM practices shown CROSS JOIN uncounted_claims u
                WHERE shown.sandbox_of IS NULL AND u.scope = shown.id AND {SHOWN_READABLE}
              UNION ALL
              SELECT n.status, n.due, -n.claims, -n.billed_high, -n.billed_low, -n.denied_high, -n.denied_low,
                -n.recovered_high, -n.recovered_low
                FROM practices hidden CROSS JOIN claim_counts n
                WHERE n.scope = hidden.id AND NOT {HIDDEN_READABLE}) {BY_DUE}"
                [COUNTS, SHOWN_READABLE, HIDDEN_READABLE, BY_DUE];
            scope = "all", today, last
        ),
    }
    .one()
}

/// How many decisions are due in the cases of a practice, or of all practices, whose patient data may be read.
pub(super) fn decisions_due(practice: Option<PracticeId>, today: Date) -> Query<i64> {
    const READABLE: &str = readable!("q.practice_id");
    const DUE: &str = "json(count(*)) AS json FROM (SELECT 1 FROM cases q WHERE q.sandbox = 0 AND q.is_open = 1 AND q.ask_on < {tomorrow}";
    const MOST: &str = "LIMIT CAST({most} AS INTEGER))";
    let (tomorrow, most) = (later(today, 1), DECISIONS_MAX);
    match practice {
        Some(practice) => select!(
            "summaries.decisions_due_of",
            "SELECT {DUE} AND q.practice_id = {practice} AND {READABLE} {MOST}" [DUE, READABLE, MOST];
            tomorrow, most, practice
        ),
        None => select!(
            "summaries.decisions_due",
            "SELECT {DUE} AND {READABLE} {MOST}" [DUE, READABLE, MOST];
            tomorrow, most
        ),
    }
    .one()
}

/// `summarizeDenials`: Summarize the practice's claims.
///
/// For everyone in an active practice that has signed the agreement. How many claims the practice has in each
/// status, with their amounts, and the deadlines of its open claims. A claim without an amount counts as `0.00` in
/// the sum of that amount. Open claims are those that are neither `recovered` nor `closed`.
pub(crate) async fn of_practice(request: ReadRequest<SummaryQuery>) -> Result<Gives<Summary>, AppError> {
    let query = request.page.clone();
    let today = query.and_then(|query| query.today.at(request.ctx().now));
    let load = today.as_ref().ok();
    let load = load.map(|today| of_caller(request.credential(), *today));
    let view = request.show(load, |_, counts| today.map(|today| summarize(today, &counts.unwrap_or_default())));
    view.await
}

/// `summarizeWork`: Summarize the claims of all practices, or of one.
///
/// Staff only. The same as `summarizeDenials`, for all practices or for the one of `practice_id`. A practice that
/// does not exist has no claims. `decisions_due` says how many cases wait for a decision of the payer that is due,
/// or that staff want to ask for, on `today` or before. As in the queue, the claims of practices that are inactive
/// or have no agreement in force do not count. If `practice_id` names such a practice, the answer is `403`.
pub(crate) async fn of_all(request: ReadRequest<WorkSummaryQuery>) -> Result<Gives<WorkSummary>, AppError> {
    let now = request.ctx().now;
    let load = |query: &WorkSummaryQuery, _: Option<&Person>| {
        let today = query.today.at(now).ok();
        today.map(|today| (of_scope(query.practice_id, today), decisions_due(query.practice_id, today)))
    };
    let view = request.show_of_all(
        load,
        |_, all, more| joined(all, more),
        |query, found| {
            let (counts, decisions_due) = found.unwrap_or_default();
            Ok(WorkSummary { claims: summarize(query.today.at(now)?, &counts), decisions_due })
        },
    );
    view.await
}

/// The counts of two cells.
fn joined(
    all: Option<(Vec<StoredCount>, i64)>,
    more: Option<(Vec<StoredCount>, i64)>,
) -> Option<(Vec<StoredCount>, i64)> {
    let ((mut counts, due), (more, more_due)) = all.zip(more)?;
    counts.extend(more);
    let most = i64::try_from(DECISIONS_MAX).unwrap_or(i64::MAX);
    Some((counts, due.saturating_add(more_due).min(most)))
}

/// Adds up the counts of the store.
pub(super) fn summarize(today: Date, counts: &[StoredCount]) -> Summary {
    let statuses = ClaimStatus::ALL.map(|status| {
        let mut total = ClaimTotal::default();
        let own = counts.iter().filter(|count| count.status == status);
        own.for_each(|count| total.add(count));
        StatusSummary { status, total }
    });
    let mut total = ClaimTotal::default();
    counts.iter().for_each(|count| total.add(count));
    Summary { today, statuses: statuses.into(), total, deadlines: deadlines(counts) }
}

fn deadlines(counts: &[StoredCount]) -> DeadlineSummary {
    let mut all = DeadlineSummary::default();
    let mut days: BTreeMap<Date, DeadlineTotal> = BTreeMap::new();
    for count in counts {
        match &*count.due {
            "late" => all.late.add(count),
            "later" => all.later.add(count),
            "~" => all.none.add(count),
            due => {
                // Claims that are recovered or closed have no date here.
                if let Some(date) = Date::parse(due) {
                    days.entry(date).or_default().add(count);
                }
            }
        }
    }
    let days = days.into_iter();
    all.days = days.map(|(date, total)| DueDay { date, total }).collect();
    all
}

#[cfg(test)]
mod tests;
