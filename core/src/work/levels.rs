//! The levels of a case's appeal, counted from 1: what kind each is, by when it is due, and what came of it.

mod begin;
mod edit;
mod names;

pub use begin::{New, begin, parse as parse_new};
pub use edit::{Edit, edit, parse as parse_edit};
pub use names::{LevelKind, LevelOutcome};

use super::cases::{Changed, StoredCase};
use super::change::{ClaimChange, Kind, Set, changes};
use crate::audit::{Entry, Event};
use crate::change::{Answer, Change};
use crate::ctx::Ctx;
use crate::date::Date;
use crate::id::{CaseId, PracticeId, UserId};
use crate::person::Person;
use crate::plan::{Guard, Write};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// What has to be filed for the claims of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// By this day.
    By(Date),
    /// Something, and the case does not say by when: what is known of a claim without it stays.
    Unsaid,
    /// Nothing until the next level.
    Nothing,
}

impl Due {
    /// What is due on a case whose last level this is.
    #[must_use]
    pub fn of(level: Option<&Level>) -> Self {
        match level {
            Some(level) if !level.waits() => Self::Nothing,
            Some(Level {
                due_on: Some(date), ..
            }) => Self::By(*date),
            Some(_) | None => Self::Unsaid,
        }
    }

    const fn date(self) -> Option<Date> {
        match self {
            Self::By(date) => Some(date),
            Self::Unsaid | Self::Nothing => None,
        }
    }
}

impl Level {
    /// Whether it has still to be filed.
    const fn waits(&self) -> bool {
        self.filed_on.is_none() && self.decided_on.is_none()
    }
}

/// What is set of a claim that is appealed in a case from now on, its earlier end forgotten.
#[must_use]
pub fn joined(case_id: CaseId, due: Due) -> Set {
    Set {
        case_id: Some(case_id),
        closing_reason: Some(None),
        appeal_due: match due {
            Due::By(date) => Some(Some(date)),
            Due::Nothing => Some(None),
            Due::Unsaid => None,
        },
        ..Set::default()
    }
}

/// A change of a case's levels.
struct Step {
    status: u16,
    event: Event,
    detail: Value,
    level: Level,
    /// What is due on the case from now on.
    due: Due,
}

/// Writes a level, and has the claims that are appealed in the case due when it says.
fn settle(
    practice_id: PracticeId,
    case: &StoredCase,
    step: Step,
    person: &Person,
    ctx: &Ctx,
) -> Change {
    let version = case.version.saturating_add(1);
    let answer = Changed {
        id: case.id,
        version,
        level: step.level,
    };
    let audit = Entry::new(ctx, 0, Some(practice_id), step.event, case.id);
    let row = LevelRow {
        practice_id,
        case_id: case.id,
        level: step.level,
        by: person.user_id,
    };
    let change = Change::new(audit.detail(step.detail), Answer::new(step.status, &answer))
        .guard(Guard::Case(practice_id, case.id, case.version))
        .write(Write::CaseLevel(row))
        .write(Write::CaseVersion(practice_id, case.id, version));
    if step.due == Due::of(case.levels.last()) {
        return change;
    }
    let date = step.due.date();
    let later = case.claims.iter().filter(|claim| claim.appeal_due != date);
    let dated = later.map(|claim| {
        ClaimChange::of(practice_id, claim, Kind::Deadline).set(Set {
            appeal_due: Some(date),
            ..Set::default()
        })
    });
    let (guard, writes) = changes(practice_id, dated.collect(), [], ctx);
    writes.into_iter().fold(change.guard(guard), Change::write)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;

    #[test]
    fn what_is_due_is_what_has_still_to_be_filed() {
        let day = Date::parse("2027-03-01");
        let filed = Date::parse("2026-01-05");
        let new = New {
            kind: LevelKind::Hearing,
            due_on: day,
        };
        let waiting = new.level(1);
        let unsaid = Level {
            due_on: None,
            ..waiting
        };
        let sent = Level {
            filed_on: filed,
            ..waiting
        };
        let withdrawn = Level {
            decided_on: filed,
            outcome: Some(LevelOutcome::Withdrawn),
            ..waiting
        };
        assert_eq!(Due::of(None), Due::Unsaid);
        assert_eq!(Due::of(Some(&waiting)), Due::By(day.unwrap()));
        assert_eq!(Due::of(Some(&unsaid)), Due::Unsaid);
        assert_eq!(Due::of(Some(&sent)), Due::Nothing);
        assert_eq!(Due::of(Some(&withdrawn)), Due::Nothing);
        // A claim that joins keeps its own day only where the case says none.
        let case = CaseId(uuid::Uuid::from_u128(1));
        let of_claim = |level| joined(case, Due::of(Some(level))).appeal_due;
        assert_eq!(of_claim(&waiting), Some(day));
        assert_eq!(of_claim(&unsaid), None);
        assert_eq!(of_claim(&sent), Some(None));
    }
}
