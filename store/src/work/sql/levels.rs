//! The statements about the results of claims at the levels of their cases. Amounts are text: D1 binds every number as
//! a double, which is not exact above 2^53.

/// `?1` the practice, `?2` the case, `?3` the level, `?4` the claims that the level was filed with.
pub(crate) const FILED: &str = "INSERT INTO level_claims (practice_id, case_id, level, claim_id, filed)
     SELECT ?1, ?2, CAST(?3 AS INTEGER), j.value, 1 FROM json_each(?4) j WHERE true
     ON CONFLICT (practice_id, claim_id, case_id, level) DO UPDATE SET filed = 1";

/// `?1` the practice, `?2` the case, `?3` the level. Marks it as filed with no claim.
pub(crate) const NOT_FILED: &str = "UPDATE level_claims SET filed = 0
     WHERE practice_id = ?1 AND case_id = ?2 AND level = CAST(?3 AS INTEGER) AND filed = 1
       AND claim_id IN (SELECT m.claim_id FROM case_claims m WHERE m.practice_id = ?1 AND m.case_id = ?2)";

/// `?1` the practice, `?2` the case, `?3` the level, `?4` the claim, `?5` the amount, `?6` when it was recorded, both
/// NULL for none, `?7` whether it is valid.
pub(crate) const PAID: &str =
    "INSERT INTO level_claims (practice_id, case_id, level, claim_id, recovered_cents, recovered_at, stands)
     VALUES (?1, ?2, CAST(?3 AS INTEGER), ?4, CAST(?5 AS INTEGER), CAST(?6 AS INTEGER), CAST(?7 AS INTEGER))
     ON CONFLICT (practice_id, claim_id, case_id, level) DO UPDATE SET
       recovered_cents = excluded.recovered_cents, recovered_at = excluded.recovered_at, stands = excluded.stands";
