//! The deadline of an appeal, from the facts known when a claim comes in: one table of rules.
//!
//! A date is the last day on which the first appeal against the denial can be filed. For [`PlanType::Medicare`] and
//! [`PlanType::MediCalFfs`] this is the provider's own appeal. For the others it is the patient's appeal, in which the
//! provider can represent the patient. A payer's own dispute process with providers is not in the table, because
//! contracts and state law govern it.
//!
//! Where the table errs, its date is too early: a rule that counts from receipt is counted from the denial date, unless
//! the rule itself names the days of delivery; and a last day on a weekend is not moved. Without a known rule there is
//! no date.

use crate::base::date::Date;
use crate::base::names::names;
use crate::claims::claim::PlanType;
use serde::{Deserialize, Serialize};

/// The time to appeal denials of one kind of plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeadlineRule {
    /// The kind of plan.
    pub plan_type: PlanType,
    /// The first year of the denials that it covers. Of several rules, the latest one applies.
    pub since: i32,
    /// The days to appeal.
    pub days: i16,
    /// The days that the rule allows for delivery of the notice, before the count begins.
    pub on_the_way: i16,
    /// The source of the rule.
    pub source: &'static str,
}

impl DeadlineRule {
    /// The days from the denial to the last day.
    fn all_days(&self) -> i32 {
        i32::from(self.days).saturating_add(i32::from(self.on_the_way))
    }
}

const fn rule(plan_type: PlanType, days: i16, source: &'static str) -> DeadlineRule {
    DeadlineRule { plan_type, since: 1, days, on_the_way: 0, source }
}

/// Every rule. Plan types without one (`commercial`, `workers_comp`, `other`) depend on contracts or state law.
pub const RULES: [DeadlineRule; 8] = [
    rule(PlanType::Erisa, 180, "29 CFR 2560.503-1(h)(3)(i)"),
    rule(PlanType::AcaIndividual, 180, "45 CFR 147.136(b)(3)(i), 29 CFR 2560.503-1(h)(3)(i)"),
    DeadlineRule { on_the_way: 5, ..rule(PlanType::Medicare, 120, "42 CFR 405.942(a)") },
    rule(PlanType::MedicareAdvantage, 60, "42 CFR 422.582(b)"),
    DeadlineRule {
        since: 2025,
        on_the_way: 5,
        ..rule(PlanType::MedicareAdvantage, 60, "42 CFR 422.582(b), 89 FR 30448")
    },
    rule(PlanType::MediCalManaged, 60, "42 CFR 438.402(c)(2)(ii)"),
    rule(PlanType::MediCalFfs, 90, "22 CCR 51015(a)"),
    rule(PlanType::Tricare, 90, "32 CFR 199.10(b)"),
];

/// The deadline of an appeal, and its rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// The last day.
    pub on: Date,
    pub rule: &'static DeadlineRule,
}

/// The date that the rule gives for the denial date and the plan type, as the `letter` says or else as they were sent: so
/// many `days` after the denial. `source` names the regulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DueByRule {
    date: Date,
    plan_type: PlanType,
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    days: i32,
    source: &'static str,
}

impl From<Due> for DueByRule {
    fn from(due: Due) -> Self {
        Self { date: due.on, plan_type: due.rule.plan_type, days: due.rule.all_days(), source: due.rule.source }
    }
}

/// The deadline of the appeal against a denial, if a rule covers it; `None` if the plan or the date is unknown.
#[must_use]
pub fn of(plan_type: Option<PlanType>, denied: Option<Date>) -> Option<Due> {
    let (plan_type, denied) = (plan_type?, denied?);
    let rules = RULES.iter().filter(|rule| rule.plan_type == plan_type);
    let rule = rules.filter(|rule| rule.since <= denied.year()).max_by_key(|rule| rule.since)?;
    let on = denied.plus_days(rule.all_days())?;
    Some(Due { on, rule })
}

/// The last day on which the appeal can be filed, if one is known. `from` is `rule` if it follows from the denial date and
/// the plan type, `letter` if a person read it in the payer's letter about the claim, and `case` if it is the date of the
/// case.
// `plan::work::appeal::Appeal::due` alone decides it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deadline {
    pub date: Date,
    pub from: DeadlineFrom,
}

names! {
    /// The origin of a deadline.
    DeadlineFrom {
        /// The rule of the plan type.
        Rule = "rule",
        /// The case: staff read it in the payer's letter.
        Case = "case",
        /// The payer's letter about the claim.
        Letter = "letter",
    }
}

impl DeadlineFrom {
    /// A deadline of this origin.
    #[must_use]
    pub const fn on(self, date: Date) -> Deadline {
        Deadline { date, from: self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use proptest::prelude::*;

    fn due(plan_type: PlanType, denied: &str) -> Option<String> {
        of(Some(plan_type), Date::parse(denied)).map(|due| due.on.to_string())
    }

    #[test]
    fn every_rule_gives_the_last_day_that_its_source_gives() {
        for (plan_type, denied, last) in [
            (PlanType::Erisa, "2026-01-01", "2026-06-30"),
            (PlanType::AcaIndividual, "2023-09-02", "2024-02-29"),
            (PlanType::Medicare, "2026-01-01", "2026-05-06"),
            (PlanType::MedicareAdvantage, "2024-12-31", "2025-03-01"),
            (PlanType::MedicareAdvantage, "2025-01-01", "2025-03-07"),
            (PlanType::MediCalManaged, "2023-12-31", "2024-02-29"),
            (PlanType::MediCalFfs, "2026-01-01", "2026-04-01"),
            (PlanType::Tricare, "1899-12-01", "1900-03-01"),
        ] {
            assert_eq!(due(plan_type, denied).as_deref(), Some(last), "{denied}");
        }
    }

    #[test]
    fn no_deadline_is_made_up() {
        let today = Date::parse("2026-01-01");
        for unknown in [PlanType::Commercial, PlanType::WorkersComp, PlanType::Other] {
            assert_eq!(of(Some(unknown), today), None);
        }
        assert_eq!(of(None, today), None);
        assert_eq!(of(Some(PlanType::Erisa), None), None);
        assert_eq!(due(PlanType::Erisa, "9999-12-01"), None, "the end of time");
    }

    #[test]
    fn a_rule_names_its_source_and_no_two_are_for_the_same_denials() {
        for (n, rule) in RULES.iter().enumerate() {
            assert!(rule.source.contains("CFR") || rule.source.contains("CCR"));
            let same = |other: &&DeadlineRule| (other.plan_type, other.since) == (rule.plan_type, rule.since);
            assert_eq!(RULES.iter().position(|other| same(&other)), Some(n));
        }
    }

    proptest! {
        #![proptest_config(crate::testing::config())]
        #[test]
        fn a_deadline_counts_days_from_the_denial_in_every_year(
            plan in 0..PlanType::ALL.len(), year in 1_i16..9999, month in 1_u8..=12, day in 1_u8..=31,
        ) {
            let text = alloc::format!("{year:04}-{month:02}-{day:02}");
            let (Some(denied), plan) = (Date::parse(&text), PlanType::ALL[plan]) else {
                return Ok(());
            };
            let Some(due) = of(Some(plan), Some(denied)) else {
                prop_assert!(RULES.iter().all(|rule| rule.plan_type != plan) || year == 9998);
                return Ok(());
            };
            prop_assert!(due.on > denied);
            let mut days = 0;
            let mut date = denied;
            while date < due.on {
                date = date.plus_days(1).unwrap();
                days += 1;
            }
            prop_assert_eq!(days, due.rule.days + due.rule.on_the_way);
        }
    }
}
