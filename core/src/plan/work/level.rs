//! A level of a case, as it is read and written.

use crate::base::date::Date;
use crate::base::id::{CaseId, PracticeId, UserId};
use crate::plan::work::level_names::{LevelKind, LevelOutcome};
use serde::{Deserialize, Serialize};

/// A level of a case's appeal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Level {
    /// Its number, from 1.
    pub level: i64,
    /// Its kind.
    pub kind: LevelKind,
    /// By when it has to be filed, as the payer's letter says.
    pub due_on: Option<Date>,
    /// When it was filed.
    pub filed_on: Option<Date>,
    /// When it was decided.
    pub decided_on: Option<Date>,
    /// What was decided.
    pub outcome: Option<LevelOutcome>,
}

/// A level to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelRow {
    /// The practice.
    pub practice_id: PracticeId,
    /// The case.
    pub case_id: CaseId,
    /// The level as it is from now on.
    pub level: Level,
    /// Who writes it, and so begins one that is new.
    pub by: UserId,
}

impl Level {
    /// Whether it has still to be filed.
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.filed_on.is_none() && self.decided_on.is_none()
    }
}
