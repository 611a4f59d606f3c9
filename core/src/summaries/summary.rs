//! How many claims there are in each status, with which amounts, and when they are due.

use crate::base::date::Date;
use crate::plan::claims::ClaimStatus;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize, Serializer};

/// How many days after today a deadline is listed by its date.
pub const DAYS: i32 = 30;

/// Cents in one part of a stored sum.
const PART: i128 = 1_000_000_000;

/// A sum of amounts. Claims have up to 2^63 - 1 cents each, so a sum needs more. Answers have it as text: `0.00` if no
/// claim has an amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sum(i128);

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
pub struct StoredCount {
    /// Their status.
    pub status: ClaimStatus,
    /// `late`, a date from today to [`DAYS`] later, `later`, `~` for open claims without a deadline, and empty for
    /// claims that are recovered or closed.
    pub due: String,
    /// How many.
    pub claims: i64,
    /// The billed amounts: high and low part.
    pub billed: (i64, i64),
    /// The denied amounts.
    pub denied: (i64, i64),
    /// The recovered amounts.
    pub recovered: (i64, i64),
}

/// Claims and their amounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ClaimTotal {
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
pub struct StatusSummary {
    status: ClaimStatus,
    #[serde(flatten)]
    total: ClaimTotal,
}

/// Open claims whose deadlines belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct DeadlineTotal {
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
pub struct DueDay {
    date: Date,
    #[serde(flatten)]
    total: DeadlineTotal,
}

/// The open claims by deadline.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct DeadlineSummary {
    late: DeadlineTotal,
    days: Vec<DueDay>,
    later: DeadlineTotal,
    none: DeadlineTotal,
}

/// A summary of claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    today: Date,
    statuses: Vec<StatusSummary>,
    total: ClaimTotal,
    deadlines: DeadlineSummary,
}

/// The most decisions that a summary counts: as many as a page of cases can have.
pub const DECISIONS_MAX: usize = 100;

/// A summary of the staff's work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WorkSummary {
    #[serde(flatten)]
    pub claims: Summary,
    /// How many cases wait for a decision that is due, or has to be asked for, today or earlier. At most
    /// [`DECISIONS_MAX`].
    pub decisions_due: i64,
}

/// Adds up the counts of the store.
#[must_use]
pub fn summarize(today: Date, counts: &[StoredCount]) -> Summary {
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
mod tests {
    use super::*;
    use crate::testing::test;
    use serde_json::json;

    fn count(status: ClaimStatus, due: &str, claims: i64, denied: (i64, i64)) -> StoredCount {
        StoredCount { status, due: due.into(), claims, billed: (0, 0), denied, recovered: (0, 0) }
    }

    #[test]
    fn every_status_is_listed_and_every_open_claim_is_in_one_place() {
        use ClaimStatus::{Closed, InAppeal, Received};
        let counts = [
            count(Received, "2026-11-22", 2, (0, 250)),
            count(InAppeal, "2026-11-22", 1, (0, 5)),
            count(InAppeal, "late", 3, (0, 1)),
            count(Received, "later", 4, (0, 0)),
            count(Received, "~", 5, (0, 99)),
            count(Closed, "", 6, (0, 7)),
        ];
        let today = Date::parse("2026-11-22").unwrap();
        let shown = serde_json::to_value(summarize(today, &counts)).unwrap();
        let statuses = shown["statuses"].as_array().unwrap().iter();
        let statuses: Vec<_> = statuses.map(|one| (one["status"].as_str().unwrap(), one["claims"].as_i64())).collect();
        assert_eq!(
            statuses,
            [
                ("received", Some(11)),
                ("reviewing", Some(0)),
                ("in_report", Some(0)),
                ("in_appeal", Some(4)),
                ("recovered", Some(0)),
                ("closed", Some(6)),
            ]
        );
        assert_eq!(
            shown["total"],
            json!({ "claims": 21, "billed_amount": "0.00", "denied_amount": "3.62", "amount_recovered": "0.00" })
        );
        assert_eq!(
            shown["deadlines"],
            json!({
                "late": { "claims": 3, "denied_amount": "0.01" },
                "days": [{ "date": "2026-11-22", "claims": 3, "denied_amount": "2.55" }],
                "later": { "claims": 4, "denied_amount": "0.00" },
                "none": { "claims": 5, "denied_amount": "0.99" },
            })
        );
        assert_eq!(shown["today"], "2026-11-22");
    }

    #[test]
    fn the_largest_amounts_add_up_without_loss() {
        // Twice the most cents that one claim can have.
        let largest = (18_446_744_072, 1_709_551_614);
        let summary = summarize(Date::parse("2026-11-22").unwrap(), &[count(ClaimStatus::Received, "~", 2, largest)]);
        let text = serde_json::to_value(summary.total).unwrap();
        assert_eq!(text["denied_amount"], "184467440737095516.14");
    }

    #[test]
    fn no_claims_give_zeros() {
        let summary = summarize(Date::parse("2026-11-22").unwrap(), &[]);
        let shown = serde_json::to_value(summary).unwrap();
        assert_eq!(shown["statuses"].as_array().unwrap().len(), 6);
        assert_eq!(shown["total"]["billed_amount"], "0.00");
        assert_eq!(shown["deadlines"]["days"], json!([]));
    }
}
