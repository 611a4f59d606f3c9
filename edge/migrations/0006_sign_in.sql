-- Attempts at the password of an account since the last right one; docs/DATA_MODEL.md. The row without an account counts those at
-- addresses that no account has, so that an attempt writes one row whether there is an account or not.
CREATE TABLE password_tries (
  user_id   TEXT    NOT NULL PRIMARY KEY,
  tries     INTEGER NOT NULL,
  closed_at INTEGER
) STRICT, WITHOUT ROWID;
