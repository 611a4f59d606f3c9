//! The statements of a send that keep the counts of claims and the names of payers. Triggers keep the counts when claims
//! change or go (`edge/migrations/0001_schema.sql`).

/// `?1` the practice, `?2` the claims as arrays of number, deadline, billed cents and denied cents. Runs before the claims
/// are inserted and counts those whose number is not taken: the ones that `INSERT_CLAIMS` is about to insert. So a batch
/// that runs twice counts once. Two rows for each deadline, whatever the number of claims.
pub(crate) const COUNT: &str = "WITH f AS MATERIALIZED (
       SELECT ifnull(max(j.value ->> 1, '2020-01-01'), '~') AS due, count(*) AS claims,
         sum(ifnull(j.value ->> 2, 0) / 1000000000) AS billed_high, sum(ifnull(j.value ->> 2, 0) % 1000000000) AS billed_low,
         sum(ifnull(j.value ->> 3, 0) / 1000000000) AS denied_high, sum(ifnull(j.value ->> 3, 0) % 1000000000) AS denied_low
       FROM json_each(?2) j
       WHERE NOT EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 0)
       GROUP BY 1)
     INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high,
       recovered_low)
     SELECT s.value, 'received', f.due, f.claims, f.billed_high, f.billed_low, f.denied_high, f.denied_low, 0, 0
     FROM f CROSS JOIN json_each(json_array(?1, 'all')) s WHERE true
     ON CONFLICT (scope, status, due) DO UPDATE SET claims = claims + excluded.claims,
       billed_high = billed_high + excluded.billed_high, billed_low = billed_low + excluded.billed_low,
       denied_high = denied_high + excluded.denied_high, denied_low = denied_low + excluded.denied_low";

/// `?1` the practice, `?2` the names of payers. Writes only names that are new, where upper and lower case are the same.
pub(crate) const INSERT_PAYERS: &str =
    "INSERT INTO payers (practice_id, name) SELECT ?1, j.value FROM json_each(?2) j WHERE true
     ON CONFLICT (practice_id, name) DO NOTHING";
