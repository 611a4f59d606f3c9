// A statement of store/src/accounts/sql.rs, word for word.

export const GUARD_DONE = `
  INSERT INTO guards (failed) SELECT 'done' WHERE EXISTS (SELECT 1 FROM audit WHERE practice_id = ?1 AND id = ?2)`;
