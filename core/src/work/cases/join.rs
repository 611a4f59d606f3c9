//! A claim joins an open case.

use crate::base::id::CaseId;
use crate::plan::work::level::Level;
use crate::request::error::RequestError;
use crate::request::problem::Rule;
use crate::request::reason::Reason;
use crate::work::fit::{Side, misfit};
use alloc::vec::Vec;
use serde::Deserialize;

/// The stored facts about a case that a claim is to join.
#[derive(Clone, Debug, Deserialize)]
pub struct CaseToJoin {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// Its levels, in order.
    pub levels: Vec<Level>,
    /// True if the claim was in it before.
    pub was_in: bool,
    /// The claim, and one claim of the case.
    pub sides: Vec<Side>,
}

impl CaseToJoin {
    /// Checks that the claim can still be filed with the others. A claim that was in the case before can return at any
    /// level, because its filings are known.
    ///
    /// # Errors
    ///
    /// [`RequestError::Stuck`] if a level was filed without the claim, or the last level was decided. The next filing of
    /// the case would then not be the one that the claim needs.
    pub fn takes(&self) -> Result<(), RequestError> {
        let mut levels = self.levels.iter();
        let filed = levels.find(|level| level.filed_on.is_some());
        let without = filed.or_else(|| self.last().filter(|last| !last.waits()));
        match without {
            Some(level) if !self.was_in => {
                Err(RequestError::stuck(Reason::FiledWithoutClaim, "level", Rule::FiledWithout(level.level)))
            }
            _ => Ok(()),
        }
    }

    #[must_use]
    pub fn last(&self) -> Option<&Level> {
        self.levels.last()
    }
}

/// The case, if the claim has its patient and payer.
#[must_use]
pub fn fitting(joining: Option<CaseToJoin>) -> Option<CaseToJoin> {
    joining.filter(|joining| misfit(&joining.sides).is_none())
}
