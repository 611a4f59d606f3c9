//! The statements that count resends that do not match the claim of their number. A practice has one row per day for
//! each claim, and one with an empty claim for the practice as a whole.

/// `?1` the practice, `?2` the day, `?3` rows of claim (empty for the practice), how many more, and the limit.
pub(crate) const GUARD: &str = "INSERT INTO guards (failed) SELECT 'mismatches' WHERE EXISTS (
       SELECT 1 FROM json_each(?3) j CROSS JOIN mismatches m
       WHERE m.day = ?2 AND m.practice_id = ?1 AND m.claim_id = j.value ->> 0
         AND m.count + (j.value ->> 1) > j.value ->> 2)
       OR EXISTS (SELECT 1 FROM json_each(?3) j WHERE j.value ->> 1 > j.value ->> 2)";

/// The same parameters. The batch runs only once, which its audit row ensures, so each mismatch is counted once.
pub(crate) const COUNT: &str =
    "INSERT INTO mismatches (day, practice_id, claim_id, count) SELECT ?2, ?1, j.value ->> 0, j.value ->> 1
     FROM json_each(?3) j WHERE true
     ON CONFLICT (day, practice_id, claim_id) DO UPDATE SET count = count + excluded.count";

/// `?1` the practice, `?2` the day, `?3` the limit. Sets the count to the limit.
pub(crate) const CLOSE: &str = "INSERT INTO mismatches (day, practice_id, claim_id, count) VALUES (?2, ?1, '', ?3)
     ON CONFLICT (day, practice_id, claim_id) DO UPDATE SET count = max(count, excluded.count)";

/// `?1` the practice, `?2` id, `?3` kind, `?4` now, `?5` due at, `?6` what it is about, `?7` to `?10` the parameters of
/// `reached`.
pub(crate) const NOTICE_REACHED: &str = concat!(
    "INSERT INTO notices (practice_id, id, kind, at, due_at, next_at, about) SELECT ?1, ?2, ?3, ?4, ?5, ?4, ?6 WHERE ",
    reached!("?7", "?8", "?9", "?10"),
    " ON CONFLICT (practice_id, id) DO NOTHING"
);

/// `?1` the practice, `?2` to `?5` the parameters of `reached`.
pub(crate) const TELL_REACHED: &str = concat!(
    "UPDATE mismatches SET told = told | CAST(?3 AS INTEGER)
     WHERE day = ?2 AND practice_id = ?1 AND claim_id = '' AND ",
    reached!("?2", "?3", "?4", "?5")
);
