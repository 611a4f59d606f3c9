// Statements of store/src/claims/sql/mismatches.rs, word for word.

export const GUARD = `
  INSERT INTO guards (failed) SELECT 'mismatches' WHERE EXISTS (
  SELECT 1 FROM json_each(?3) j CROSS JOIN mismatches m
  WHERE m.day = ?2 AND m.practice_id = ?1 AND m.claim_id = j.value ->> 0
  AND m.count + (j.value ->> 1) > j.value ->> 2)
  OR EXISTS (SELECT 1 FROM json_each(?3) j WHERE j.value ->> 1 > j.value ->> 2)`;

export const COUNT = `
  INSERT INTO mismatches (day, practice_id, claim_id, count) SELECT ?2, ?1, j.value ->> 0, j.value ->> 1
  FROM json_each(?3) j WHERE true
  ON CONFLICT (day, practice_id, claim_id) DO UPDATE SET count = count + excluded.count`;

export const CLOSE = `
  INSERT INTO mismatches (day, practice_id, claim_id, count) VALUES (?2, ?1, '', ?3)
  ON CONFLICT (day, practice_id, claim_id) DO UPDATE SET count = max(count, excluded.count)`;
