//! The queries of claims before a change.

use super::several::{FoundClaim, SeenClaim};
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use overturn_core::base::id::ClaimId;

/// A claim `c` before a change, as [`StoredWorkClaim`] reads it.
pub(crate) const STORED: &str = concat!(
    "json_object('id', c.id, 'claim_number', c.claim_number, 'version', c.version, 'status', c.status,
               'signing_status', c.signing_status, 'taken_by', c.taken_by, 'case_id', c.case_id, 'deadline', ",
    deadline!(),
    ", 'plan_type', c.plan_type, 'denial_date', c.denial_date, 'letter', ",
    letter!(),
    ",
               'case', json((SELECT json_object('version', o.version, 'level', coalesce((
                   SELECT l.level FROM case_levels l WHERE l.practice_id = o.practice_id AND l.case_id = o.id
                   ORDER BY l.level DESC LIMIT 1), 0))
                 FROM cases o WHERE o.practice_id = c.practice_id AND o.id = c.case_id)),
               'levels', json((SELECT json_group_array(json_object('case_id', e.case_id, 'level', e.level,
                   'filed', json(iif(e.filed = 1, 'true', 'false')), 'paid', iif(e.recovered_cents IS NULL, NULL,
                     json_object('amount', e.recovered_cents, 'at', e.recovered_at,
                       'stands', json(iif(e.stands = 1, 'true', 'false'))))))
                 FROM level_claims e WHERE e.practice_id = c.practice_id AND e.claim_id = c.id)))"
);
const AGREEMENT: &str = agreement!("p.id");

/// A claim before a change. Staff belong to no practice, so each of these queries takes the practice.
pub fn claim(practice: PracticeId, id: ClaimId) -> Query<Option<StoredWorkClaim>> {
    select!(
        "work.claim",
        "SELECT {STORED} AS json FROM claims c WHERE c.practice_id = {practice} AND c.id = {id}" [STORED]; practice, id
    )
    .optional()
}

/// Claims of the practice, in the order of their ids; `None` for a claim that the practice does not have.
pub fn claims(practice: PracticeId, ids: &[ClaimId]) -> Query<Vec<Option<StoredWorkClaim>>> {
    select!(
        "work.claims",
        "SELECT json_group_array(json(claim)) AS json FROM (
       SELECT (SELECT {STORED} FROM claims c WHERE c.practice_id = {practice} AND c.id = j.value) AS claim
       FROM json_each({ids}) j ORDER BY j.key)"
         [STORED];
        practice, ids = Json(ids)
    )
    .or_default()
}

/// Claims that a request names, in its order.
pub fn found(claims: &[SeenClaim]) -> Query<Vec<FoundClaim>> {
    let named: Vec<_> = claims.iter().map(|claim| (claim.practice_id, claim.id)).collect();
    select!(
        "work.found",
        "SELECT json_group_array(json(found)) AS json FROM (
       SELECT json_object('practice', json((SELECT json_array(p.state, json(iif({AGREEMENT}, 'true', 'false')))
           FROM practices p WHERE p.id = j.value ->> 0)),
         'claim', json((SELECT {STORED} FROM claims c WHERE c.practice_id = j.value ->> 0 AND c.id = j.value ->> 1))) AS found
       FROM json_each({named}) j ORDER BY j.key)"
         [AGREEMENT, STORED];
        named = Json(named)
    )
    .or_default()
}
