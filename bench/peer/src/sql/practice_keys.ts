// Statements of store/src/settings/sql/data_keys.rs, word for word.

export const INSERT = `
  INSERT INTO practice_keys (practice_id, version, id, key_version, wrapped, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`;

export const GUARD = `
  INSERT INTO guards (failed) SELECT 'data_key' WHERE NOT EXISTS (
  SELECT 1 FROM practice_keys WHERE practice_id = ?1 AND version = CAST(?2 AS INTEGER) AND id = ?3
  AND destroyed_at IS NULL)`;
