-- Fewer rows for each claim: one index less, and no event that says what the claim says already.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- A primary key is an index beside a table with a rowid, and costs a row of its own. WITHOUT ROWID, the primary key is the table.
-- Other tables refer to claims, so the rows wait in a copy: a new table that is renamed would leave those references open.
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
  CONSTRAINT claim_amount CHECK (billed_cents IS NOT NULL OR denied_cents IS NOT NULL),
  FOREIGN KEY (practice_id, submission_id) REFERENCES submissions (practice_id, id)
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

-- The history of claims. That a claim was received is told from the claim and its submission. Claims from before have a row for it,
-- and so do those of the Worker from before while the next one is deployed; that row counts then.
CREATE VIEW claim_history (practice_id, claim_id, version, at, kind, status, actor, request_id, detail) AS
  SELECT practice_id, claim_id, version, at, kind, status, actor, request_id, detail FROM claim_events
  UNION ALL
  SELECT c.practice_id, c.id, 1, c.received_at, 'received', 'received', 'api_key:' || s.api_key_id, s.request_id, NULL
  FROM claims c CROSS JOIN submissions s
  WHERE s.practice_id = c.practice_id AND s.id = c.submission_id AND NOT EXISTS (
    SELECT 1 FROM claim_events e WHERE e.practice_id = c.practice_id AND e.claim_id = c.id AND e.version = 1);
