//! A claim's appeal: the results at the levels of its cases, and its deadline.
//!
//! A claim has up to three dates that can still be missed. Its own dates, one by its rule and one in the payer's letter,
//! count until a level is filed with the claim. The date of its case counts until the case's last level is filed or
//! decided. The deadline is the earliest one: [`Appeal::due`] decides this for every change of a claim, a case or a level.
//!
//! A person can say that the letter's date counts, also if the rule's is earlier.
//!
//! A date that has passed can no longer be missed. But time alone puts no later date in its place: only a person who
//! decides about the date of the case does. That decision stays.

pub mod letter;
pub mod level;
pub mod level_names;
pub mod payer_clock;

use crate::base::date::Date;
use crate::base::id::CaseId;
use crate::base::instant::Instant;
use crate::base::money::Cents;
use crate::claims::appeal::letter::{Letter, LetterFacts};
use crate::claims::appeal::level::Level;
use crate::claims::claim::PlanType;
use crate::claims::deadline::{self, Deadline, DeadlineFrom};
use crate::claims::status::ClaimStatus;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

/// The facts about a claim's appeal.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Appeal {
    /// The deadline, if it is known.
    pub deadline: Option<Deadline>,
    /// Kind of plan, as sent.
    pub plan_type: Option<String>,
    /// Date of the denial, as sent.
    pub denial_date: Option<Date>,
    /// What a person read in the payer's letter.
    pub letter: Option<Letter>,
    /// The case in which the claim is, or was last, appealed.
    pub case: Option<Case>,
    /// The levels at which the claim was filed or the payer paid for it.
    pub levels: Vec<AtLevel>,
}

/// The parts of a case that a move out of it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Case {
    /// The number of its changes.
    pub version: i64,
    /// The number of its last level, 0 if it has none.
    pub level: i64,
}

/// The result of a claim at one level of one case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct AtLevel {
    pub case_id: CaseId,
    /// The number of the level.
    pub level: i64,
    /// Whether the level was filed with the claim.
    pub filed: bool,
    /// The payer's payment.
    pub paid: Option<Paid>,
}

/// The payer's payment for a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Paid {
    pub amount: Cents,
    /// When it was recorded.
    pub at: Instant,
    /// True if it stays although the claim is closed at the same level.
    pub stands: bool,
}

impl Appeal {
    /// True if any level of any case was filed with the claim, not counting `except`.
    #[must_use]
    pub fn is_filed(&self, except: Option<(CaseId, i64)>) -> bool {
        let mut levels = self.levels.iter();
        levels.any(|at| at.filed && Some((at.case_id, at.level)) != except)
    }

    /// What a person read in the payer's letter.
    fn read(&self) -> LetterFacts {
        self.letter.map_or(LetterFacts::NONE, |letter| letter.facts)
    }

    /// The kind of plan and the date of the denial: as a person read them, or else as they were sent.
    #[must_use]
    pub fn known(&self) -> (Option<PlanType>, Option<Date>) {
        letter::known(self.letter, (self.plan_type.as_deref(), self.denial_date))
    }

    /// The claim's own dates: the letter's, and the rule's unless a person said that the letter's counts. A stored date of
    /// the rule stays, also if the rule gives another one today.
    fn own(&self) -> [Option<Deadline>; 2] {
        let read = self.read();
        let kept = self.deadline.filter(|due| due.from == DeadlineFrom::Rule);
        let (plan_type, denied) = self.known();
        let by_rule = || Some(DeadlineFrom::Rule.on(deadline::of(plan_type, denied)?.on));
        let letter = read.appeal_due.map(|date| DeadlineFrom::Letter.on(date));
        [letter, kept.or_else(by_rule).filter(|_| !read.stands())]
    }

    /// True if a person put a later date in the place of one of the claim's own dates, which had passed.
    fn is_put_aside(&self, own: Deadline) -> bool {
        // After a filing, the claim's own date does not count for that reason.
        !self.is_filed(None) && self.deadline.is_some_and(|due| own.date < due.date)
    }

    /// The deadline once a person has set what the letter says. This decides about the claim's own dates: the date of the
    /// rule follows from the new facts, and no date stays put aside.
    #[must_use]
    pub fn with_letter(&self, letter: Option<Letter>, status: ClaimStatus, last: Option<&Level>) -> Option<Deadline> {
        let mut with = Self { letter, ..self.clone() };
        if with.known() != self.known() {
            with.deadline = None;
        }
        let filed = self.is_filed(None);
        with.earliest(status, last, |_, _| !filed)
    }

    /// The deadline once facts are filled in that were not sent before, if it changes. They can only add the date of the
    /// rule, so the deadline never becomes later.
    #[must_use]
    pub fn filled_in(
        &self,
        (plan_type, denied): (Option<PlanType>, Option<Date>),
        status: ClaimStatus,
    ) -> Option<Deadline> {
        let [_, known] = self.own();
        if known.is_some() || self.is_filed(None) || !ClaimStatus::OPEN.contains(&status) {
            return None;
        }
        let sent = plan_type.map(|plan| plan.name().into());
        let filled = Self {
            plan_type: self.plan_type.clone().or(sent),
            denial_date: self.denial_date.or(denied),
            ..self.clone()
        };
        let [_, added] = filled.own();
        added.filter(|added| self.deadline.is_none_or(|due| added.date < due.date))
    }

    /// The deadline of a claim: the earliest date that can still be missed. Every change that a deadline depends on asks
    /// here, so no change can put one date in place of an earlier one. `last` is the last level of the case in which the
    /// claim is appealed. `filed` says whether any level was filed with the claim. `decided` is the first day that
    /// has not ended everywhere ([`crate::base::ctx::Ctx::earliest_today`]) if a person decides about the date of the case
    /// with this change.
    #[must_use]
    pub fn due(
        &self,
        status: ClaimStatus,
        last: Option<&Level>,
        filed: bool,
        decided: Option<Date>,
    ) -> Option<Deadline> {
        let is_past = |own: Deadline| self.is_put_aside(own) || decided.is_some_and(|today| own.date < today);
        self.earliest(status, last, |own, of_case| !(filed || of_case.is_some() && is_past(own)))
    }

    /// The earliest of the date of the case and the claim's own dates that count.
    fn earliest(
        &self,
        status: ClaimStatus,
        last: Option<&Level>,
        counts: impl Fn(Deadline, Option<Date>) -> bool,
    ) -> Option<Deadline> {
        let last = match status {
            ClaimStatus::Recovered | ClaimStatus::Closed => return None,
            ClaimStatus::Received | ClaimStatus::Reviewing | ClaimStatus::InReport => None,
            ClaimStatus::InAppeal => last.filter(|last| last.waits()),
        };
        let of_case = last.and_then(|last| last.due_on);
        let own = self.own().into_iter().flatten();
        let own = own.filter(|own| counts(*own, of_case));
        // Of equal dates, one that a person read is shown.
        let of_case = of_case.map(|date| DeadlineFrom::Case.on(date));
        of_case.into_iter().chain(own).min_by_key(|due| due.date)
    }

    /// True if a result of the claim was recorded at a level: its filing, even if that was taken back, or a payment.
    #[must_use]
    pub fn was_at(&self, case_id: CaseId, level: i64) -> bool {
        let mut levels = self.levels.iter();
        levels.any(|at| (at.case_id, at.level) == (case_id, level))
    }

    /// The payment recorded for the claim at a level.
    #[must_use]
    pub fn at(&self, case_id: CaseId, level: i64) -> Option<Paid> {
        let mut levels = self.levels.iter();
        let at = levels.find(|at| at.case_id == case_id && at.level == level);
        at.and_then(|at| at.paid)
    }

    /// The amount that was recorded last at the levels that count.
    fn last_paid(&self, counts: impl Fn(&AtLevel) -> bool) -> Option<(&AtLevel, Paid)> {
        let levels = self.levels.iter().filter(|at| counts(at));
        let paid = levels.filter_map(|at| at.paid.map(|paid| (at, paid)));
        paid.max_by_key(|(at, paid)| (paid.at, at.level))
    }

    /// The payments when the claim is closed in its case: an amount recorded at this same level is taken back, unless
    /// staff said that it counts.
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

    /// The payer's last payment, and where it was recorded.
    #[must_use]
    pub fn paid(&self) -> Option<(CaseId, i64, Paid)> {
        self.last_paid(|_| true).map(|(at, paid)| (at.case_id, at.level, paid))
    }

    /// The level of a case at which the payer's last payment was recorded, and the payment.
    #[must_use]
    pub fn paid_in(&self, case_id: CaseId) -> Option<(i64, Paid)> {
        let paid = self.last_paid(|at| at.case_id == case_id);
        paid.map(|(at, paid)| (at.level, paid))
    }

    /// The payer's payments without the one recorded at a level.
    #[must_use]
    pub fn paid_without(&self, case_id: CaseId, level: i64) -> Option<Cents> {
        let paid = self.last_paid(|at| (at.case_id, at.level) != (case_id, level));
        paid.map(|(_, paid)| paid.amount)
    }
}

/// The payments for a claim that is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// True if an amount recorded at this level is taken back.
    pub is_undone: bool,
    pub amount: Option<Cents>,
    /// The amount recorded in this case.
    pub in_case: Option<Cents>,
}

#[cfg(test)]
mod tests;
