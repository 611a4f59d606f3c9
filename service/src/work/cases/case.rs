//! The stored facts about a case before a change.

use crate::claim_changes::STORED;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use crate::work::sql::LEVEL;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::claims::appeal::level::Level;

/// The refusal if the practice has no such case.
pub(crate) const UNKNOWN: RequestError = RequestError::NotFound("no such case");

/// The stored facts about a case before a change.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredCase {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// Its levels, in order.
    pub levels: Vec<Level>,
    /// The claims that are in appeal in it.
    pub claims: Vec<StoredWorkClaim>,
    /// The claims that were in it and are now in appeal in another case.
    pub elsewhere: Vec<Elsewhere>,
}

/// A claim that was in a case and is now in appeal in another one.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Elsewhere {
    pub claim: StoredWorkClaim,
    /// The last level of the case that it is in.
    pub level: Option<Level>,
}

/// A case before a change.
pub fn stored_case(practice: PracticeId, id: CaseId) -> Query<Option<StoredCase>> {
    select!(
        "work.case",
        "SELECT json_object('id', k.id, 'version', k.version, 'levels', {LEVELS},
           'claims', json((SELECT json_group_array({STORED}) FROM case_claims m CROSS JOIN claims c
             WHERE m.practice_id = k.practice_id AND m.case_id = k.id
               AND c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id = k.id AND c.status = 'in_appeal')),
           'elsewhere', json((SELECT json_group_array(json_object('claim', {STORED},
               'level', json((SELECT json_object({LEVEL}) FROM case_levels l
                 WHERE l.practice_id = c.practice_id AND l.case_id = c.case_id ORDER BY l.level DESC LIMIT 1))))
             FROM case_claims m CROSS JOIN claims c WHERE m.practice_id = k.practice_id AND m.case_id = k.id
               AND c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id <> k.id AND c.status = 'in_appeal')))
           AS json
         FROM cases k WHERE k.practice_id = {practice} AND k.id = {id}"
        [LEVELS, LEVEL, STORED]; practice, id
    )
    .optional()
}

/// A condition: the case still has the version that was read.
pub(in crate::work) fn unchanged(practice: PracticeId, case: CaseId, version: i64) -> Guard {
    abort_if!(
        Record,
        "NOT EXISTS (SELECT 1 FROM cases WHERE practice_id = {practice} AND id = {case} AND version = {version})";
        practice, case, version
    )
}

/// The new version of a case.
pub(in crate::work) fn raised(practice: PracticeId, case: CaseId, version: i64) -> Write {
    sql!(
        "UPDATE cases SET version = CAST({version} AS INTEGER) WHERE practice_id = {practice} AND id = {case}";
        practice, case, version
    )
}

/// Claims join a case or return to it. A claim that returns is undecided again.
pub(in crate::work) fn joins(practice: PracticeId, case: CaseId, claims: &[ClaimId], now: Instant) -> Write {
    sql!(
        "INSERT INTO case_claims (practice_id, case_id, claim_id, joined_at)
         SELECT {practice}, {case}, j.value, {now} FROM json_each({claims}) j WHERE true
         ON CONFLICT (practice_id, case_id, claim_id)
         DO UPDATE SET outcome = NULL, recovered_cents = NULL, closing_reason = NULL, decided_at = NULL";
        practice, case, claims = Json(claims), now
    )
}

/// The levels of a case `k`, in order.
pub(in crate::work) const LEVELS: &str = "json((SELECT json_group_array(json_object({LEVEL}))
  FROM (SELECT * FROM case_levels WHERE practice_id = k.practice_id AND case_id = k.id ORDER BY level) l))";

/// The last level of a case `k`.
pub(in crate::work) const LAST_LEVEL: &str = "json((SELECT json_object({LEVEL}) FROM case_levels l
  WHERE l.practice_id = k.practice_id AND l.case_id = k.id ORDER BY l.level DESC LIMIT 1))";

/// The `ETag` of the case begins with this `version` from now on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ChangedCase {
    pub id: CaseId,
    /// The number of its changes.
    pub version: i64,
    /// The level that was begun or changed.
    pub level: Level,
}

/// Checks that the caller has seen the current version of the case.
///
/// # Errors
///
/// [`UNKNOWN`], then those of [`Seen::is`].
pub(crate) fn seen(stored: Option<StoredCase>, seen: Seen) -> Result<StoredCase, RequestError> {
    let stored = stored.ok_or(UNKNOWN)?;
    seen.is(stored.version)?;
    Ok(stored)
}
