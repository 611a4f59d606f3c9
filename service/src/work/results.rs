//! The results of claims in their cases and at the levels of these. Amounts are text: D1 binds every number as a double,
//! which is not exact above 2^53.

use crate::plan::work::change::ClosingReason;
use crate::plan::work::claim::StoredWorkClaim;
use crate::prelude::*;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::base::money::Cents;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::Paid;

/// A level of a case, by its number.
pub(super) type LevelPlace = (PracticeId, CaseId, i64);

/// A condition of changes whose new deadlines depend on what was filed for the claims: something is filed for each, or
/// nothing, as when it was read. A filing changes the version only of the claims whose deadline it changes.
pub(super) fn filed_as_read<'a>(practice: PracticeId, claims: impl Iterator<Item = &'a StoredWorkClaim>) -> Guard {
    let read: Vec<_> = claims.map(|claim| (practice, claim.id, claim.appeal.is_filed(None))).collect();
    abort_if!(
        Record,
        "EXISTS (
           SELECT 1 FROM json_each({read}) j WHERE j.value ->> 2 IS NOT EXISTS (
             SELECT 1 FROM level_claims l
             WHERE l.practice_id = j.value ->> 0 AND l.claim_id = j.value ->> 1 AND l.filed = 1))";
        read = Json(read)
    )
}

/// The level was filed with these claims.
pub(super) fn filed((practice, case, level): LevelPlace, claims: &[ClaimId]) -> Write {
    sql!(
        "INSERT INTO level_claims (practice_id, case_id, level, claim_id, filed)
         SELECT {practice}, {case}, CAST({level} AS INTEGER), j.value, 1 FROM json_each({claims}) j WHERE true
         ON CONFLICT (practice_id, claim_id, case_id, level) DO UPDATE SET filed = 1";
        practice, case, level, claims = Json(claims)
    )
}

/// The level was filed with no claim.
pub(super) fn not_filed((practice, case, level): LevelPlace) -> Write {
    sql!(
        "UPDATE level_claims SET filed = 0
         WHERE practice_id = {practice} AND case_id = {case} AND level = CAST({level} AS INTEGER) AND filed = 1
           AND claim_id IN (SELECT m.claim_id FROM case_claims m WHERE m.practice_id = {practice} AND m.case_id = {case})";
        practice, case, level
    )
}

/// The payer's payment for a claim at the level.
pub(super) fn paid((practice, case, level): LevelPlace, claim: ClaimId, paid: Option<Paid>) -> Write {
    sql!(
        "INSERT INTO level_claims (practice_id, case_id, level, claim_id, recovered_cents, recovered_at, stands)
         VALUES ({practice}, {case}, CAST({level} AS INTEGER), {claim}, CAST({amount} AS INTEGER), CAST({at} AS INTEGER),
           CAST({stands} AS INTEGER))
         ON CONFLICT (practice_id, claim_id, case_id, level) DO UPDATE SET
           recovered_cents = excluded.recovered_cents, recovered_at = excluded.recovered_at, stands = excluded.stands";
        practice, case, level, claim, amount = paid.map(|paid| paid.amount.get().to_string()),
        at = paid.map(|paid| paid.at), stands = i64::from(paid.is_some_and(|paid| paid.stands))
    )
}

/// The result of a claim in its case.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    /// `recovered` or `closed`.
    pub(super) outcome: ClaimStatus,
    /// The payer's payment in this case.
    pub(super) amount: Option<Cents>,
    /// Why the appeal ended, if the payer did not pay.
    pub(super) reason: Option<ClosingReason>,
}

/// Corrects the amount of a claim's result in a case. Its result stays, and is as old as it was.
pub(super) fn corrected((practice, case, claim): (PracticeId, CaseId, ClaimId), amount: Cents) -> Write {
    sql!(
        "UPDATE case_claims SET recovered_cents = CAST({amount} AS INTEGER)
         WHERE practice_id = {practice} AND case_id = {case} AND claim_id = {claim} AND outcome IS NOT NULL";
        practice, case, claim, amount = amount.get().to_string()
    )
}

/// Records the result of a claim in its case.
pub(super) fn ended(
    (practice, case, claim): (PracticeId, CaseId, ClaimId),
    Ended { outcome, amount, reason }: Ended,
    now: Instant,
) -> Write {
    sql!(
        "UPDATE case_claims SET outcome = {outcome}, closing_reason = {reason},
           decided_at = iif(outcome IS {outcome}, coalesce(decided_at, {now}), {now}),
           recovered_cents = CAST({amount} AS INTEGER)
         WHERE practice_id = {practice} AND case_id = {case} AND claim_id = {claim}";
        practice, case, claim, outcome, amount = amount.map(|amount| amount.get().to_string()), reason, now
    )
}
