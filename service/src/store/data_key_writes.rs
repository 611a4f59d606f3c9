//! Data keys of practices as statements: a new key, and its guard.

use crate::store::json::json;
use crate::store::keyring::practice::{DataKey, Wrapped};
use crate::store::statement::{Param, Statement, text};
use overturn_core::base::id::PracticeId;
use overturn_core::base::instant::Instant;

/// `?1` the practice, `?2` version, `?3` id, `?4` the wrapping key, `?5` wrapped, `?6` now. Does nothing if the
/// practice has a key; the guard after it detects that.
const INSERT: &str = "INSERT INTO practice_keys (practice_id, version, id, key_version, wrapped, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";

/// `?1` keys, each an array of practice, version and id. Aborts the batch if one is not its practice's data key.
const GUARD: &str = "INSERT INTO guards (failed) SELECT 'data_key' WHERE EXISTS (
       SELECT 1 FROM json_each(?1) j WHERE NOT EXISTS (
         SELECT 1 FROM practice_keys WHERE practice_id = j.value ->> 0 AND version = j.value ->> 1 AND id = j.value ->> 2
           AND destroyed_at IS NULL))";

pub(crate) fn insert(new: &Wrapped, now: Instant) -> Statement {
    Statement::new(
        INSERT,
        [
            text(new.practice),
            Param::Int(new.version.into()),
            text(new.id),
            Param::Int(new.key_version.0),
            text(&new.wrapped),
            Param::Int(now.0),
        ],
    )
}

/// Checks that each key is its practice's data key.
pub(crate) fn guard(keys: &[(PracticeId, &DataKey)]) -> Statement {
    let rows = keys.iter().map(|(practice, key)| (*practice, key.number(), key.id()));
    let rows: Vec<_> = rows.collect();
    Statement::new(GUARD, [Param::Text(json(&rows))])
}
