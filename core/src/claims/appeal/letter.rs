//! What a person read in the payer's letter about a claim. It stands beside the facts that the billing system sent, and
//! neither changes the other.

use crate::base::date::Date;
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::base::time::Time;
use crate::claims::claim::PlanType;
use serde::{Deserialize, Serialize};

names! {
    /// Which of the claim's own dates counts.
    LetterCounts {
        /// The earlier of the letter's and the rule's.
        Earliest = "earliest",
        /// The letter's, also if the rule's is earlier.
        Letter = "letter",
    }
}

names! {
    /// Who read the letter.
    LetterReader {
        /// The service's staff.
        Staff = "staff",
        /// A person of the practice.
        Practice = "practice",
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LetterFacts {
    pub denial_date: Option<Date>,
    pub plan_type: Option<PlanType>,
    /// The last day to appeal, as the letter names it.
    pub appeal_due: Option<Date>,
    /// Which date counts.
    pub counts: LetterCounts,
}

impl LetterFacts {
    /// No fact is known.
    pub const NONE: Self =
        Self { denial_date: None, plan_type: None, appeal_due: None, counts: LetterCounts::Earliest };

    /// True if the letter's date counts, also if the rule's is earlier.
    pub(super) fn stands(&self) -> bool {
        self.appeal_due.is_some() && self.counts == LetterCounts::Letter
    }
}

/// What a person read in the payer's letter: the date of the denial, the kind of plan, and the last day to appeal as the
/// letter names it. `read_by` says on which side the person is who recorded it last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Letter {
    #[serde(flatten)]
    pub facts: LetterFacts,
    pub read_by: LetterReader,
    pub read_at: Time,
}

/// The facts that decide the rule of a claim: what a person read, or else what was sent.
#[must_use]
pub fn known(
    letter: Option<Letter>,
    (plan_type, denied): (Option<&str>, Option<Date>),
) -> (Option<PlanType>, Option<Date>) {
    let read = letter.map_or(LetterFacts::NONE, |letter| letter.facts);
    let sent = || plan_type.and_then(PlanType::parse);
    (read.plan_type.or_else(sent), read.denial_date.or(denied))
}

/// The columns of a claim for its letter, all empty if nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LetterColumns {
    letter_denied: Option<Date>,
    letter_plan: Option<PlanType>,
    letter_due: Option<Date>,
    letter_counts: Option<LetterCounts>,
    letter_by: Option<LetterReader>,
    letter_at: Option<Instant>,
}

impl LetterColumns {
    /// The columns for this letter.
    #[must_use]
    pub fn of(letter: Option<Letter>) -> Self {
        let facts = letter.map(|letter| letter.facts);
        Self {
            letter_denied: facts.and_then(|facts| facts.denial_date),
            letter_plan: facts.and_then(|facts| facts.plan_type),
            letter_due: facts.and_then(|facts| facts.appeal_due),
            letter_counts: facts.map(|facts| facts.counts),
            letter_by: letter.map(|letter| letter.read_by),
            letter_at: letter.map(|letter| letter.read_at.0),
        }
    }

    pub fn facts(&self) -> Option<LetterFacts> {
        self.letter_counts.map(|counts| LetterFacts {
            denial_date: self.letter_denied,
            plan_type: self.letter_plan,
            appeal_due: self.letter_due,
            counts,
        })
    }
}
