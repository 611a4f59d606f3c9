//! A claim joins a case that is open.

use crate::base::id::{CaseId, PracticeId};
use crate::plan::work::level::Level;
use crate::request::denied::Denied;
use crate::request::open::Open;
use crate::request::problem::Rule;
use crate::work::fit::{Side, misfit};
use alloc::vec::Vec;
use serde::Deserialize;

/// A case that a claim is to be appealed in as well, as the store knows it.
#[derive(Clone, Debug, Deserialize)]
pub struct Joining {
    /// The case.
    pub id: CaseId,
    /// Counts its changes.
    pub version: i64,
    /// Its last level.
    pub level: Option<Level>,
    /// Whether the claim was in it before.
    pub was_in: bool,
    /// The claim, and one that is in the case.
    pub sides: Vec<Side>,
}

impl Joining {
    /// That the claim can still be filed with the others. A claim that was in the case before can come back whatever its level:
    /// what was filed with it is known.
    ///
    /// # Errors
    ///
    /// [`Denied::Stuck`] where the last level was filed or decided without the claim. Its own appeal would then be due on no day.
    pub fn takes(&self) -> Result<(), Denied> {
        match self.level {
            Some(level) if !level.waits() && !self.was_in => {
                Err(Denied::stuck("level", Rule::FiledWithout(level.level)))
            }
            _ => Ok(()),
        }
    }
}

/// The case, where the claim is of its patient and payer.
///
/// # Errors
///
/// Those of [`Open::open`].
pub fn fitting(
    practice: PracticeId,
    joining: Option<Joining>,
    keys: &impl Open,
) -> Result<Option<Joining>, Denied> {
    let Some(joining) = joining else {
        return Ok(None);
    };
    let fits = misfit(practice, &joining.sides, keys)?.is_none();
    Ok(fits.then_some(joining))
}
