//! A claim joins an open case.

use super::case::LEVELS;
use crate::prelude::*;
use crate::work::same_patient::{PatientAndPayer, first_other, patient_and_payer};
use crate::work::sql::LEVEL;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::claims::appeal::level::Level;
use overturn_core::request::problem::Rule;

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
    pub patients: Vec<PatientAndPayer>,
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

    pub fn last(&self) -> Option<&Level> {
        self.levels.last()
    }
}

/// The facts for a claim that joins a case of the same practice.
pub(in crate::work) fn joining(practice: PracticeId, id: ClaimId, case: CaseId) -> Query<Option<CaseToJoin>> {
    select!(
        "work.joining",
        "SELECT json_object('id', k.id, 'version', k.version, 'levels', {LEVELS},
           'was_in', json(iif(EXISTS (SELECT 1 FROM case_claims i
             WHERE i.practice_id = k.practice_id AND i.case_id = k.id AND i.claim_id = c.id), 'true', 'false')),
           'patients', json_array({OF_CLAIM}, {OF_CASE})) AS json
         FROM cases k JOIN claims c ON c.practice_id = k.practice_id AND c.id = {id}
           JOIN case_claims m ON m.practice_id = k.practice_id AND m.case_id = k.id
           JOIN claims o ON o.practice_id = m.practice_id AND o.id = m.claim_id
         WHERE k.practice_id = {practice} AND k.id = {case} LIMIT 1"
        [LEVELS, LEVEL, OF_CLAIM, OF_CASE]; practice, id, case
    )
    .optional()
}
const OF_CLAIM: &str = patient_and_payer!("c");
const OF_CASE: &str = patient_and_payer!("o");

/// The case, if the claim has its patient and payer.
pub(crate) fn fitting(joining: Option<CaseToJoin>) -> Option<CaseToJoin> {
    joining.filter(|joining| first_other(&joining.patients).is_none())
}
