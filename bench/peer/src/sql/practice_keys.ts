// Statements of store/src/settings/sql/data_keys.rs, word for word.

export const INSERT = `
  INSERT INTO practice_keys (practice_id, version, id, key_version, wrapped, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`;

export const GUARD = `
  INSERT INTO guards (failed) SELECT 'data_key' WHERE EXISTS (
  SELECT 1 FROM json_each(?1) j WHERE NOT EXISTS (
  SELECT 1 FROM practice_keys WHERE practice_id = j.value ->> 0 AND version = j.value ->> 1 AND id = j.value ->> 2
  AND destroyed_at IS NULL))`;
