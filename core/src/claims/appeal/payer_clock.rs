//! The payer's clock: the day by which a filed level must be decided, from one table of rules.
//!
//! A rule gives the payer, or the reviewer, its days from the receipt of the request. The day of receipt is not known, so
//! the days are counted from the day of filing. Where the table errs, its date is a few days too early, and a person can
//! set another day to ask. Without a known rule there is no date.

use crate::base::date::Date;
use crate::base::id::CaseId;
use crate::claims::appeal::level::Level;
use crate::claims::appeal::level_names::{DecisionSource, LevelKind};
use crate::claims::claim::PlanType;
use alloc::vec::Vec;
use serde::Deserialize;

/// The time to decide levels of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecisionRule {
    /// The kind of plan.
    pub plan_type: PlanType,
    pub kind: LevelKind,
    /// True for a level of a kind that was filed in the case before.
    pub again: bool,
    /// The days to decide.
    pub days: i32,
    /// The source of the rule.
    pub source: DecisionSource,
}

const fn rule(plan_type: PlanType, kind: LevelKind, days: i32, source: DecisionSource) -> DecisionRule {
    DecisionRule { plan_type, kind, again: false, days, source }
}

/// Every rule. Contracts and state law govern the other plans, and no rule binds a court.
pub const RULES: [DecisionRule; 15] = [
    rule(PlanType::Erisa, LevelKind::InternalAppeal, 60, DecisionSource::ErisaAppeal),
    DecisionRule { again: true, ..rule(PlanType::Erisa, LevelKind::InternalAppeal, 30, DecisionSource::ErisaAppeal) },
    rule(PlanType::Erisa, LevelKind::ExternalReview, 45, DecisionSource::ErisaExternal),
    rule(PlanType::AcaIndividual, LevelKind::InternalAppeal, 60, DecisionSource::AcaAppeal),
    rule(PlanType::AcaIndividual, LevelKind::ExternalReview, 45, DecisionSource::AcaExternal),
    rule(PlanType::Medicare, LevelKind::Redetermination, 60, DecisionSource::MedicareRedetermination),
    rule(PlanType::Medicare, LevelKind::Reconsideration, 60, DecisionSource::MedicareReconsideration),
    rule(PlanType::Medicare, LevelKind::Hearing, 90, DecisionSource::MedicareHearing),
    rule(PlanType::Medicare, LevelKind::CouncilReview, 90, DecisionSource::MedicareCouncil),
    rule(PlanType::MedicareAdvantage, LevelKind::Reconsideration, 60, DecisionSource::AdvantageReconsideration),
    rule(PlanType::MediCalManaged, LevelKind::InternalAppeal, 30, DecisionSource::ManagedAppeal),
    rule(PlanType::MediCalManaged, LevelKind::Hearing, 90, DecisionSource::ManagedHearing),
    rule(PlanType::MediCalFfs, LevelKind::InternalAppeal, 45, DecisionSource::MediCalGrievance),
    rule(PlanType::Tricare, LevelKind::Reconsideration, 60, DecisionSource::TricareReconsideration),
    rule(PlanType::Tricare, LevelKind::FormalReview, 90, DecisionSource::TricareFormalReview),
];

/// The day by which a level must be decided that was filed on a day, and its rule.
fn of(plan_type: PlanType, (kind, again): (LevelKind, bool), filed: Date) -> Option<(Date, DecisionSource)> {
    let rules = RULES.iter().filter(|rule| rule.plan_type == plan_type);
    let rules = rules.filter(|rule| rule.kind == kind && (again || !rule.again));
    let rule = rules.max_by_key(|rule| rule.again)?;
    Some((filed.plus_days(rule.days)?, rule.source))
}

impl Level {
    /// True if it was filed and the payer has not decided it.
    #[must_use]
    pub const fn awaits_decision(&self) -> bool {
        self.filed_on.is_some() && self.decided_on.is_none()
    }

    /// The level with the payer's clock. `before` is the level as it was, `levels` are those of the case, and `plans` those
    /// of the claims in appeal in it. Of several plans, the first day counts. A day that was worked out becomes only earlier by itself,
    /// until the kind of the level or the day of its filing changes. The day of a decided level stays.
    #[must_use]
    pub fn clocked(self, before: Option<&Self>, levels: &[Self], plans: impl Iterator<Item = PlanType>) -> Self {
        let Some(filed) = self.filed_on else {
            return Self { decision_due: None, decision_source: None, follow_up_on: None, ..self };
        };
        let follow_up_on = self.follow_up_on.filter(|_| self.decided_on.is_none());
        let facts = |level: &Self| (level.kind, level.filed_on);
        let stored = self.decision_due.map(|day| (day, self.decision_source));
        let stored = stored.filter(|_| before.map(facts) == Some(facts(&self)));
        let mut earlier = levels.iter().filter(|level| level.level < self.level);
        let again = earlier.any(|level| level.kind == self.kind && level.filed_on.is_some());
        let days = plans.filter_map(|plan| of(plan, (self.kind, again), filed));
        let days = days.filter(|_| stored.is_none() || self.decided_on.is_none());
        let days = days.map(|(day, source)| (day, Some(source)));
        let first = stored.into_iter().chain(days).min_by_key(|(day, _)| *day);
        let (decision_due, decision_source) = first.unzip();
        Self { decision_due, decision_source: decision_source.flatten(), follow_up_on, ..self }
    }
}

/// The last of the levels of a case, once the plan of a claim in appeal in it is known. `None` unless it waits for its
/// decision and that plan gives an earlier day, or the first one.
#[must_use]
pub fn sooner(levels: &[Level], plan: Option<PlanType>) -> Option<Level> {
    let last = levels.last().filter(|last| last.awaits_decision())?;
    let clocked = last.clocked(Some(last), levels, plan.into_iter());
    (clocked != *last).then_some(clocked)
}

/// The case in which a claim without a known plan is appealed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct CaseToClock {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// Its levels, in order.
    pub levels: Vec<Level>,
}

/// The payer's clock of a case once the plan of one of its claims is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    pub case_id: CaseId,
    /// The version of the case that was read.
    pub version: i64,
    /// Its last level, if its day changes.
    pub level: Option<Level>,
}

impl CaseToClock {
    #[must_use]
    pub fn clock(&self, plan: Option<PlanType>) -> Clock {
        Clock { case_id: self.id, version: self.version, level: sooner(&self.levels, plan) }
    }
}

#[cfg(test)]
mod tests;
