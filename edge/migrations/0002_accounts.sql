-- Accounts of people, their sessions and second factors, the links that go out to them, and their API tokens.
-- Instants are UTC milliseconds, ids are UUIDs in text, secrets are kept as hashes or sealed.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

ALTER TABLE practices ADD COLUMN single_session INTEGER NOT NULL DEFAULT 0
  CONSTRAINT practice_single_session CHECK (single_session IN (0, 1));
ALTER TABLE agreements ADD COLUMN signed_by TEXT;
ALTER TABLE agreements ADD COLUMN signed_from TEXT;

-- The person signs in before the practice is known, and staff have none: found by address or id, not by practice.
CREATE TABLE users (
  id            TEXT    NOT NULL PRIMARY KEY,
  practice_id   TEXT    REFERENCES practices (id),
  role          TEXT    NOT NULL CONSTRAINT user_role CHECK (role IN ('owner', 'admin', 'member', 'staff')),
  state         TEXT    NOT NULL CONSTRAINT user_state CHECK (state IN ('invited', 'active', 'removed')),
  email         TEXT    NOT NULL,
  email_key     TEXT    NOT NULL,
  name          TEXT    NOT NULL,
  password_hash TEXT,
  epoch         INTEGER NOT NULL DEFAULT 1,
  created_at    INTEGER NOT NULL,
  CONSTRAINT user_place CHECK ((role = 'staff') = (practice_id IS NULL))
) STRICT, WITHOUT ROWID;

-- One account in use for an address, wherever; and one in each practice that is in use or invited.
CREATE UNIQUE INDEX user_address_once ON users (email_key) WHERE state = 'active';
CREATE UNIQUE INDEX user_member_once ON users (practice_id, email_key) WHERE state <> 'removed';
CREATE INDEX users_of_practice ON users (practice_id, id);

CREATE TABLE sessions (
  user_id     TEXT    NOT NULL REFERENCES users (id),
  id          TEXT    NOT NULL,
  hash        TEXT    NOT NULL CONSTRAINT session_hash UNIQUE,
  kind        TEXT    NOT NULL CONSTRAINT session_kind CHECK (kind IN ('full', 'enrolment')),
  epoch       INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  ends_at     INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL,
  verified_at INTEGER,
  revoked_at  INTEGER,
  ip          TEXT    NOT NULL,
  agent       TEXT    NOT NULL,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- What a 402 hands out: one second factor may be shown with it, in so many attempts.
CREATE TABLE continuations (
  hash       TEXT    NOT NULL PRIMARY KEY,
  user_id    TEXT    NOT NULL REFERENCES users (id),
  epoch      INTEGER NOT NULL,
  session_id TEXT,
  expires_at INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0,
  used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX continuations_of_user ON continuations (user_id, expires_at);

CREATE TABLE links (
  hash       TEXT    NOT NULL PRIMARY KEY,
  kind       TEXT    NOT NULL CONSTRAINT link_kind CHECK (kind IN ('sign_in', 'password_reset', 'invitation')),
  user_id    TEXT    NOT NULL REFERENCES users (id),
  epoch      INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX links_of_user ON links (user_id, expires_at);

-- `sealed` is the secret of a time-based one-time password, bound to account, factor and `key_version`.
CREATE TABLE factors (
  user_id      TEXT    NOT NULL REFERENCES users (id),
  id           TEXT    NOT NULL,
  key_version  INTEGER NOT NULL,
  sealed       TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  confirmed_at INTEGER,
  last_step    INTEGER,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX factor_once ON factors (user_id) WHERE confirmed_at IS NOT NULL;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  hash    TEXT NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_tokens (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  user_id      TEXT    NOT NULL REFERENCES users (id),
  name         TEXT    NOT NULL,
  hash         TEXT    NOT NULL CONSTRAINT api_token_hash UNIQUE,
  hint         TEXT    NOT NULL,
  scopes       TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  revoked_at   INTEGER,
  last_used_at INTEGER,
  replaced_by  TEXT,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- Results of writes, for requests that come again: `place` is a hash over route and idempotency key.
CREATE TABLE answers (
  user_id     TEXT    NOT NULL REFERENCES users (id),
  place       TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  status      INTEGER NOT NULL,
  body        TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  request_id  TEXT    NOT NULL,
  PRIMARY KEY (user_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_of_user ON answers (user_id, at);

-- Whose a presented session or token is, by its hash.
CREATE VIEW callers (hash, user_id, practice_id) AS
  SELECT s.hash, s.user_id, u.practice_id FROM sessions s JOIN users u ON u.id = s.user_id
  UNION ALL
  SELECT t.hash, t.user_id, t.practice_id FROM api_tokens t;

-- The table that no row fits into knows more preconditions from here on.
DROP TABLE guards;
CREATE TABLE guards (
  failed TEXT NOT NULL,
  CONSTRAINT batch_done CHECK (failed <> 'done'),
  CONSTRAINT credential_withdrawn CHECK (failed <> 'credential'),
  CONSTRAINT rights_changed CHECK (failed <> 'rights'),
  CONSTRAINT secret_used CHECK (failed <> 'secret'),
  CONSTRAINT last_owner CHECK (failed <> 'owner'),
  CONSTRAINT record_changed CHECK (failed <> 'record'),
  CONSTRAINT request_repeated CHECK (failed <> 'request')
) STRICT;
