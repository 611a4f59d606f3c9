-- A send writes one row less: its row in the audit trail has the id of the submission and tells what the row of the submission told.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- A claim no longer refers to a row of its submission, and a foreign key goes only with its table. Other tables refer to claims,
-- so the rows wait in a copy: a new table that is renamed would leave those references open.
DROP VIEW claim_history;
PRAGMA defer_foreign_keys = ON;
CREATE TABLE claims_copy AS SELECT * FROM claims;
DROP TABLE claims;
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
  changed            INTEGER NOT NULL DEFAULT 0,
  appeal_due         TEXT,
  appeal_due_from    TEXT    CONSTRAINT claim_due_from CHECK (appeal_due_from IN ('rule', 'case')),
  taken_by           TEXT    REFERENCES users (id),
  report_id          TEXT,
  case_id            TEXT,
  recovered_cents    INTEGER CONSTRAINT claim_recovered CHECK (recovered_cents > 0),
  closing_reason     TEXT,
  present            INTEGER,
  -- The Worker from before names this column while the next one is deployed. It is computed and takes no space.
  rowid              TEXT    GENERATED ALWAYS AS (practice_id || ' ' || claim_number) VIRTUAL,
  CONSTRAINT claim_number_once PRIMARY KEY (practice_id, claim_number),
  CONSTRAINT claim_id_once UNIQUE (practice_id, id),
  CONSTRAINT claim_amount CHECK (billed_cents IS NOT NULL OR denied_cents IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO claims (practice_id, claim_number, id, submission_id, version, status, signing_status, payer_claim_number, payer_name,
    date_of_service, denial_date, plan_type, billed_cents, denied_cents, adjustment_codes, patient_tag, procedure_tag, key_version,
    sealed, received_at, updated_at, changed, appeal_due, appeal_due_from, taken_by, report_id, case_id, recovered_cents,
    closing_reason, present)
  SELECT practice_id, claim_number, id, submission_id, version, status, signing_status, payer_claim_number, payer_name,
    date_of_service, denial_date, plan_type, billed_cents, denied_cents, adjustment_codes, patient_tag, procedure_tag, key_version,
    sealed, received_at, updated_at, changed, appeal_due, appeal_due_from, taken_by, report_id, case_id, recovered_cents,
    closing_reason, present
  FROM claims_copy ORDER BY practice_id, claim_number;
DROP TABLE claims_copy;
CREATE UNIQUE INDEX claim_changed_once ON claims (practice_id, changed) WHERE changed > 0;
CREATE INDEX claims_unnumbered ON claims (practice_id) WHERE changed = 0;
CREATE INDEX claims_queue ON claims (status, ifnull(appeal_due, '~'), id);

-- The submissions of practices. Those from before have a row in `submissions`, and so do those of the Worker from before while the next
-- one is deployed. A destruction takes them with their claims; the trail stays.
CREATE VIEW all_submissions (practice_id, id, received_at, api_key_id, request_id) AS
  SELECT practice_id, id, received_at, api_key_id, request_id FROM submissions
  UNION ALL
  SELECT a.practice_id, a.id, a.at, CAST(substr(a.actor, length('api_key:') + 1) AS TEXT), a.request_id FROM audit a
  WHERE a.action = 'submission.received' AND a.record = a.id AND NOT EXISTS (
    SELECT 1 FROM data_jobs j WHERE j.practice_id = a.practice_id AND j.kind = 'destruction' AND j.state = 'done'
      AND j.finished_at >= a.at);

-- The history of claims. That a claim was received is told from the claim and its submission. Claims from before 0013 have a row for it.
-- The casts give the columns of all parts one affinity: only then SQLite merges the parts in order, and reads no more than a page.
CREATE VIEW claim_history (practice_id, claim_id, version, at, kind, status, actor, request_id, detail) AS
  SELECT practice_id, claim_id, version, at, kind, status, actor, request_id, detail FROM claim_events
  UNION ALL
  SELECT c.practice_id, c.id, CAST(1 AS INTEGER), c.received_at, CAST('received' AS TEXT), CAST('received' AS TEXT),
    CAST('api_key:' || s.api_key_id AS TEXT), s.request_id, CAST(NULL AS TEXT)
  FROM claims c CROSS JOIN submissions s
  WHERE s.practice_id = c.practice_id AND s.id = c.submission_id AND NOT EXISTS (
    SELECT 1 FROM claim_events e WHERE e.practice_id = c.practice_id AND e.claim_id = c.id AND e.version = 1)
  UNION ALL
  SELECT c.practice_id, c.id, CAST(1 AS INTEGER), c.received_at, CAST('received' AS TEXT), CAST('received' AS TEXT),
    a.actor, a.request_id, CAST(NULL AS TEXT)
  FROM claims c CROSS JOIN audit a
  WHERE a.practice_id = c.practice_id AND a.id = c.submission_id AND NOT EXISTS (
    SELECT 1 FROM claim_events e WHERE e.practice_id = c.practice_id AND e.claim_id = c.id AND e.version = 1);
