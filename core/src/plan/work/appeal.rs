//! A claim's appeal: what has come of it at the levels of its cases, and what is due on it.
//!
//! A claim for which nothing was filed yet has a deadline of its own, the one that its rule gives. A case whose last level has
//! still to be filed can give another date, which then goes before. Once a level was filed with the claim, its own deadline is
//! met, and only a case gives it another one.

use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId, PracticeId};
use crate::base::instant::Instant;
use crate::base::money::Cents;
use crate::plan::claims::claim::PlanType;
use crate::plan::claims::deadline::{self, Deadline, DeadlineFrom};
use crate::plan::work::level::Level;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

/// What is known of a claim's appeal.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Appeal {
    /// By when it has to be filed, where that is known.
    pub deadline: Option<Deadline>,
    /// Kind of plan.
    pub plan_type: Option<String>,
    /// Date of the denial.
    pub denial_date: Option<Date>,
    /// The case that the claim is, or was last, appealed in.
    pub case: Option<Case>,
    /// The levels that were filed with the claim, or at which the payer paid for it.
    pub levels: Vec<AtLevel>,
}

/// A case, as far as a move out of it needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Case {
    /// Counts its changes.
    pub version: i64,
    /// The number of its last level, 0 if it has none.
    pub level: i64,
}

/// What came of a claim at one level of one case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct AtLevel {
    /// The case.
    pub case_id: CaseId,
    /// The number of the level.
    pub level: i64,
    /// Whether the level was filed with the claim.
    pub filed: bool,
    /// What the payer paid.
    pub paid: Option<Paid>,
}

/// What the payer paid for a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Paid {
    /// The amount.
    pub amount: Cents,
    /// When that was recorded.
    pub at: Instant,
    /// Whether it stays although the claim is closed at the same level.
    pub stands: bool,
}

/// A change of what came of claims at a level of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelWrite {
    /// The practice.
    pub practice_id: PracticeId,
    /// The case.
    pub case_id: CaseId,
    /// The number of the level.
    pub level: i64,
    /// What is changed.
    pub what: LevelResult,
}

/// What is changed at a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LevelResult {
    /// It was filed with these claims.
    Filed(Vec<ClaimId>),
    /// It was filed with no claim.
    NotFiled,
    /// What the payer paid for a claim.
    Paid(ClaimId, Option<Paid>),
}

impl Appeal {
    /// Whether any level of any case was filed with the claim, one of them not counted.
    #[must_use]
    pub fn is_filed(&self, except: Option<(CaseId, i64)>) -> bool {
        let mut levels = self.levels.iter();
        levels.any(|at| at.filed && Some((at.case_id, at.level)) != except)
    }

    /// What the claim is due by itself while nothing was filed for it: the date that it has from its rule, or else the one that
    /// the rule gives today.
    fn own(&self) -> Option<Deadline> {
        let kept = self.deadline.filter(|due| due.from == DeadlineFrom::Rule);
        kept.or_else(|| {
            let plan_type = self.plan_type.as_deref().and_then(PlanType::parse);
            let due = deadline::of(plan_type, self.denial_date)?;
            Some(Deadline {
                date: due.on,
                from: DeadlineFrom::Rule,
            })
        })
    }

    /// By when a claim has to be filed that is appealed in a case with this last level. `filed` is whether a level was filed with
    /// the claim.
    #[must_use]
    pub fn due(&self, last: Option<&Level>, filed: bool) -> Option<Deadline> {
        let said = last
            .filter(|last| last.waits())
            .and_then(|last| last.due_on);
        let of_case = said.map(|date| Deadline {
            date,
            from: DeadlineFrom::Case,
        });
        of_case.or_else(|| self.own().filter(|_| !filed))
    }

    /// What is recorded of the claim at a level.
    #[must_use]
    pub fn at(&self, case_id: CaseId, level: i64) -> Option<Paid> {
        let mut levels = self.levels.iter();
        let at = levels.find(|at| at.case_id == case_id && at.level == level);
        at.and_then(|at| at.paid)
    }

    /// The amount that was recorded last, of the levels that count.
    fn last_paid(&self, counts: impl Fn(&AtLevel) -> bool) -> Option<(&AtLevel, Paid)> {
        let levels = self.levels.iter().filter(|at| counts(at));
        let paid = levels.filter_map(|at| at.paid.map(|paid| (at, paid)));
        paid.max_by_key(|(at, paid)| (paid.at, at.level))
    }

    /// What the payer has paid when the claim is closed in its case: what was recorded at this very level is taken back, unless
    /// staff said that it stands.
    #[must_use]
    pub fn close(&self, case_id: CaseId, level: i64) -> Ending {
        let here = self.at(case_id, level);
        let is_undone = here.is_some_and(|paid| !paid.stands);
        let counts = |at: &AtLevel| !is_undone || (at.case_id, at.level) != (case_id, level);
        let amount = |paid: Option<(&AtLevel, Paid)>| paid.map(|(_, paid)| paid.amount);
        Ending {
            is_undone,
            amount: amount(self.last_paid(counts)),
            in_case: amount(self.last_paid(|at| counts(at) && at.case_id == case_id)),
        }
    }

    /// The level of a case at which the payer's last payment was recorded, and the payment.
    #[must_use]
    pub fn paid_in(&self, case_id: CaseId) -> Option<(i64, Paid)> {
        let paid = self.last_paid(|at| at.case_id == case_id);
        paid.map(|(at, paid)| (at.level, paid))
    }

    /// What the payer has paid without what was recorded at a level.
    #[must_use]
    pub fn paid_without(&self, case_id: CaseId, level: i64) -> Option<Cents> {
        let paid = self.last_paid(|at| (at.case_id, at.level) != (case_id, level));
        paid.map(|(_, paid)| paid.amount)
    }
}

/// What the payer has paid for a claim that is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Whether an amount that was recorded at this level is taken back.
    pub is_undone: bool,
    /// What it has paid.
    pub amount: Option<Cents>,
    /// What of that was recorded in this case.
    pub in_case: Option<Cents>,
}

#[cfg(test)]
mod tests;
