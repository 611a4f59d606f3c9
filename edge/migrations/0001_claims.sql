-- The claims interface: who may call, what was sent, and every change since.
-- Instants are UTC milliseconds, money is integer cents, ids are UUIDs in text.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

CREATE TABLE practices (
  id            TEXT    NOT NULL PRIMARY KEY,
  name          TEXT    NOT NULL,
  state         TEXT    NOT NULL CONSTRAINT practice_state CHECK (state IN ('active', 'inactive')),
  appeal_button INTEGER NOT NULL DEFAULT 0 CONSTRAINT practice_appeal_button CHECK (appeal_button IN (0, 1)),
  created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE agreements (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  kind         TEXT    NOT NULL CONSTRAINT agreement_kind CHECK (kind IN ('baa')),
  version      TEXT    NOT NULL,
  signer_name  TEXT    NOT NULL,
  signer_title TEXT    NOT NULL,
  signed_at    INTEGER NOT NULL,
  ended_at     INTEGER,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- A key is found by the hash of what was presented, before its practice is known:
-- the only look-up of the claims interface that does not start with a practice.
CREATE TABLE api_keys (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  name         TEXT    NOT NULL,
  hash         TEXT    NOT NULL CONSTRAINT api_key_hash UNIQUE,
  hint         TEXT    NOT NULL,
  scopes       TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  revoked_at   INTEGER,
  last_used_at INTEGER,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE submissions (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  api_key_id  TEXT    NOT NULL,
  request_id  TEXT    NOT NULL,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- `sealed` holds the patient, the codes and the free text as one ciphertext. The two tags are keyed
-- fingerprints that answer "same patient?" and "same procedure?" without opening it; all three were made
-- under `key_version`.
CREATE TABLE claims (
  practice_id        TEXT    NOT NULL REFERENCES practices (id),
  claim_number       TEXT    NOT NULL,
  id                 TEXT    NOT NULL,
  submission_id      TEXT    NOT NULL,
  version            INTEGER NOT NULL DEFAULT 1,
  status             TEXT    NOT NULL DEFAULT 'received' CONSTRAINT claim_status
                     CHECK (status IN ('received', 'reviewing', 'in_report', 'in_appeal', 'recovered', 'closed')),
  signing_status     TEXT    NOT NULL DEFAULT 'not_decided' CONSTRAINT claim_signing_status
                     CHECK (signing_status IN ('not_decided', 'not_needed', 'needed', 'signed')),
  payer_claim_number TEXT    NOT NULL,
  payer_name         TEXT    NOT NULL,
  date_of_service    TEXT    NOT NULL,
  denial_date        TEXT,
  plan_type          TEXT,
  billed_cents       INTEGER CONSTRAINT claim_billed CHECK (billed_cents > 0),
  denied_cents       INTEGER CONSTRAINT claim_denied CHECK (denied_cents > 0),
  adjustment_codes   TEXT    NOT NULL,
  patient_tag        TEXT    NOT NULL,
  procedure_tag      TEXT,
  key_version        INTEGER NOT NULL,
  sealed             TEXT    NOT NULL,
  received_at        INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL,
  CONSTRAINT claim_number_once PRIMARY KEY (practice_id, claim_number),
  CONSTRAINT claim_id_once UNIQUE (practice_id, id),
  CONSTRAINT claim_amount CHECK (billed_cents IS NOT NULL OR denied_cents IS NOT NULL),
  FOREIGN KEY (practice_id, submission_id) REFERENCES submissions (practice_id, id)
) STRICT;

-- One row a change; `version` is the claim's version after it, so the rows of a claim are its history.
CREATE TABLE claim_events (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  version     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  kind        TEXT    NOT NULL,
  status      TEXT    NOT NULL,
  actor       TEXT    NOT NULL,
  request_id  TEXT    NOT NULL,
  detail      TEXT,
  PRIMARY KEY (practice_id, claim_id, version),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  practice_id TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  actor       TEXT    NOT NULL,
  action      TEXT    NOT NULL,
  record      TEXT    NOT NULL,
  request_id  TEXT    NOT NULL,
  detail      TEXT,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER claim_events_keep BEFORE UPDATE ON claim_events
BEGIN SELECT RAISE (ABORT, 'claim_events is append only'); END;
CREATE TRIGGER claim_events_stay BEFORE DELETE ON claim_events
BEGIN SELECT RAISE (ABORT, 'claim_events is append only'); END;
CREATE TRIGGER audit_keep BEFORE UPDATE ON audit
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_stay BEFORE DELETE ON audit
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;

-- No row ever fits into this table: a batch inserts one where a precondition does not hold, and the
-- named constraint aborts the whole batch. Where it holds, nothing is inserted and nothing is paid for.
CREATE TABLE guards (
  failed TEXT NOT NULL,
  CONSTRAINT credential_withdrawn CHECK (failed <> 'credential')
) STRICT;
