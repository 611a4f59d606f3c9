//! Which days and which steps a level can have. A wrong year or a step of another program is a slip, and the level's date
//! is a deadline.

use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::request::declare::kinds::{Day, PastDay};
use crate::request::declare::{Field, Raw, Terms};
use overturn_core::base::date::Date;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::LevelKind;
use overturn_core::request::field::Problems;
use overturn_core::request::problem::Rule;

/// How many days ago a new level can have been due. A letter can arrive after its last day, and a payer can accept a late
/// appeal.
pub const NEW_DUE_DAYS_AGO: i32 = 30;
/// How many days ago a day of a level that exists, or of a letter, can be: five years. Staff correct what was recorded long
/// ago, and a claim can come in after its last day.
pub const DAYS_AGO: i32 = 1826;
/// How many days ahead a level can be due: five years. The longest times to sue a payer are shorter.
pub const DUE_DAYS_AHEAD: i32 = 1826;
/// The most levels of a case. No program has more than five steps, and some are repeated.
pub const LEVELS_MAX: i64 = 20;

/// A day on which something is due: from `AGO` days before today's UTC date to [`DUE_DAYS_AHEAD`] after the latest date of
/// today.
pub struct Due<const AGO: i32>;

impl<const AGO: i32> Field for Due<AGO> {
    type Value = Date;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<Date> {
        let day = Day::read(p, name, raw, terms)?;
        within(p, name, day, (AGO, DUE_DAYS_AHEAD), terms.ctx)
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        Day::schema()
    }
}

/// A day on which something was done at a level.
pub struct Done;

impl Field for Done {
    type Value = Date;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, terms: Terms<'_>) -> Option<Date> {
        let day = PastDay::read(p, name, raw, terms)?;
        within(p, name, day, (DAYS_AGO, 0), terms.ctx)
    }

    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value {
        Day::schema()
    }
}

fn within(p: &mut Problems, name: &'static str, day: Date, (ago, ahead): (i32, i32), ctx: &Ctx) -> Option<Date> {
    let is_early = ctx.today().plus_days(ago.saturating_neg()).is_some_and(|first| day < first);
    let is_late = ctx.latest_today().plus_days(ahead).is_some_and(|last| day > last);
    if is_early || is_late {
        let rule = match is_early {
            true => format!("at most {ago} days ago"),
            false => format!("at most {ahead} days ahead"),
        };
        p.add(name, Rule::MustBe(rule.into()));
        return None;
    }
    Some(day)
}

/// True if the claim's plan can have the step. A claim whose plan is unknown can have every step.
pub(crate) fn has_step(claim: &StoredWorkClaim, kind: LevelKind) -> bool {
    claim.plan().is_none_or(|plan| kind.is_of(plan))
}

/// Checks that the levels of a case fit its claims and each other.
///
/// # Errors
///
/// [`RequestError::Invalid`] for `kind`.
pub(crate) fn steps<'a>(
    mut levels: impl Iterator<Item = &'a Level> + Clone,
    kind: LevelKind,
    mut claims: impl Iterator<Item = &'a StoredWorkClaim>,
) -> Result<(), RequestError> {
    let refuse = |text: &'static str| Err(RequestError::invalid("kind", Rule::MustBe(text.into())));
    if !claims.all(|claim| has_step(claim, kind)) {
        return refuse("a step that the plan of every claim has");
    }
    // A level that was never filed was no step of the appeal.
    let mut taken = levels.clone();
    let in_order = levels.all(|level| {
        taken.next();
        let mut later = taken.clone();
        let counts = level.waits() || level.filed_on.is_some();
        !counts || later.all(|later| later.kind.can_follow(level.kind))
    });
    if !in_order {
        return refuse("a step that fits the levels before and after it");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
