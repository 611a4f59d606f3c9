//! A level of a case.

use crate::base::date::Date;
use crate::claims::appeal::level_names::{DecisionSource, LevelKind, LevelOutcome};
use serde::{Deserialize, Serialize};

/// A level of a case's appeal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 1)))]
    pub level: i64,
    pub kind: LevelKind,
    /// The deadline for filing it, from the payer's letter.
    pub due_on: Option<Date>,
    /// When it was filed.
    pub filed_on: Option<Date>,
    /// When it was decided.
    pub decided_on: Option<Date>,
    /// The decision.
    pub outcome: Option<LevelOutcome>,
    /// The day by which the payer must decide the filed level, by the rule of the plan. It is counted from the day of
    /// filing. `null` if it is not filed or no rule is known.
    pub decision_due: Option<Date>,
    /// The source of the rule for `decision_due`.
    pub decision_source: Option<DecisionSource>,
    /// The day on which staff ask for the decision, if they chose another one than `decision_due`.
    pub follow_up_on: Option<Date>,
}

impl Level {
    /// True if it is not filed yet.
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.filed_on.is_none() && self.decided_on.is_none()
    }

    /// True if it has no decision yet, or a claim of its case is still in appeal.
    #[must_use]
    pub const fn is_open(&self, in_appeal: bool) -> bool {
        self.decided_on.is_none() || in_appeal
    }
}
