-- The staff's work on claims, patients' signatures, and what practices are told by webhook.
-- Instants are UTC milliseconds, dates are `YYYY-MM-DD`, money is integer cents, ids are UUIDs in text.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- `changed` numbers the changes of a practice's claims in the order in which they were committed: each claim has the number
-- of its last one, so that nobody who follows the numbers misses any. The Worker from before goes on while the next one is deployed,
-- and comes back where that is rolled back: its claims have the number 0, as many as there are, and the next sweep of a Worker
-- that knows of numbers gives them one.
ALTER TABLE claims ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
UPDATE claims SET changed = rowid;
CREATE UNIQUE INDEX claim_changed_once ON claims (practice_id, changed) WHERE changed > 0;
CREATE INDEX claims_unnumbered ON claims (practice_id) WHERE changed = 0;

-- The next date by which the appeal must be filed, where a rule or the case gives one.
ALTER TABLE claims ADD COLUMN appeal_due TEXT;
ALTER TABLE claims ADD COLUMN appeal_due_from TEXT
  CONSTRAINT claim_due_from CHECK (appeal_due_from IN ('rule', 'case'));
ALTER TABLE claims ADD COLUMN taken_by TEXT REFERENCES users (id);
ALTER TABLE claims ADD COLUMN report_id TEXT;
ALTER TABLE claims ADD COLUMN case_id TEXT;
ALTER TABLE claims ADD COLUMN recovered_cents INTEGER CONSTRAINT claim_recovered CHECK (recovered_cents > 0);
ALTER TABLE claims ADD COLUMN closing_reason TEXT;
-- The staff's queue, whatever the practice: the soonest date first, claims without one behind all others.
CREATE INDEX claims_queue ON claims (status, ifnull(appeal_due, '~'), id);

-- What staff note about a claim may name the patient: sealed like the claim.
CREATE TABLE claim_notes (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  author      TEXT    NOT NULL REFERENCES users (id),
  key_version INTEGER NOT NULL,
  sealed      TEXT    NOT NULL,
  PRIMARY KEY (practice_id, claim_id, id),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE reports (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  delivered_at INTEGER NOT NULL,
  delivered_by TEXT    NOT NULL REFERENCES users (id),
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- Which claims a report was delivered with. A claim that left it can be in a later one. Claims are never removed, and the batch
-- that writes a row here or into case_claims has checked that the claim is there: a foreign key would have every new claim
-- look for rows of its own.
CREATE TABLE report_claims (
  practice_id TEXT NOT NULL,
  report_id   TEXT NOT NULL,
  claim_id    TEXT NOT NULL,
  PRIMARY KEY (practice_id, report_id, claim_id),
  FOREIGN KEY (practice_id, report_id) REFERENCES reports (practice_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE cases (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  payer_name  TEXT    NOT NULL,
  version     INTEGER NOT NULL DEFAULT 1,
  opened_at   INTEGER NOT NULL,
  opened_by   TEXT    NOT NULL REFERENCES users (id),
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- The claims of a case, each with what came of it.
CREATE TABLE case_claims (
  practice_id     TEXT    NOT NULL,
  case_id         TEXT    NOT NULL,
  claim_id        TEXT    NOT NULL,
  joined_at       INTEGER NOT NULL,
  outcome         TEXT    CONSTRAINT case_claim_outcome CHECK (outcome IN ('recovered', 'closed')),
  recovered_cents INTEGER CONSTRAINT case_claim_recovered CHECK (recovered_cents > 0),
  closing_reason  TEXT,
  decided_at      INTEGER,
  PRIMARY KEY (practice_id, case_id, claim_id),
  FOREIGN KEY (practice_id, case_id) REFERENCES cases (practice_id, id)
) STRICT, WITHOUT ROWID;

-- The levels of a case's appeal, counted from 1.
CREATE TABLE case_levels (
  practice_id TEXT    NOT NULL,
  case_id     TEXT    NOT NULL,
  level       INTEGER NOT NULL,
  kind        TEXT    NOT NULL,
  due_on      TEXT,
  filed_on    TEXT,
  decided_on  TEXT,
  outcome     TEXT,
  begun_at    INTEGER NOT NULL,
  begun_by    TEXT    NOT NULL REFERENCES users (id),
  PRIMARY KEY (practice_id, case_id, level),
  FOREIGN KEY (practice_id, case_id) REFERENCES cases (practice_id, id)
) STRICT, WITHOUT ROWID;

-- Links to the page on which a patient signs. The patient comes before the practice is known: found by hash. `sealed` is the
-- token, which the status read shows again.
CREATE TABLE signing_links (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  hash        TEXT    NOT NULL CONSTRAINT signing_link_hash UNIQUE,
  key_version INTEGER NOT NULL,
  sealed      TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  created_by  TEXT    NOT NULL REFERENCES users (id),
  expires_at  INTEGER NOT NULL,
  revoked_at  INTEGER,
  used_at     INTEGER,
  attempts    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (practice_id, claim_id, id),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

-- `sealed` is the signature with the exact text signed, the time and the address it came from.
CREATE TABLE signatures (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  link_id     TEXT    NOT NULL,
  signed_at   INTEGER NOT NULL,
  key_version INTEGER NOT NULL,
  sealed      TEXT    NOT NULL,
  PRIMARY KEY (practice_id, claim_id, id),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

-- Endpoints of practices. `sealed` is the signing secret; after a rotation the one before signs as well for a while.
CREATE TABLE webhooks (
  practice_id     TEXT    NOT NULL REFERENCES practices (id),
  id              TEXT    NOT NULL,
  url             TEXT    NOT NULL,
  events          TEXT    NOT NULL,
  state           TEXT    NOT NULL CONSTRAINT webhook_state CHECK (state IN ('active', 'disabled', 'removed')),
  key_version     INTEGER NOT NULL,
  sealed          TEXT    NOT NULL,
  old_key_version INTEGER,
  old_sealed      TEXT,
  old_until       INTEGER,
  created_at      INTEGER NOT NULL,
  created_by      TEXT    NOT NULL REFERENCES users (id),
  failing_since   INTEGER,
  disabled_at     INTEGER,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- The outbox: what endpoints are to be told, written with the change itself. `next_at` is when to try next.
CREATE TABLE deliveries (
  practice_id  TEXT    NOT NULL,
  webhook_id   TEXT    NOT NULL,
  id           TEXT    NOT NULL,
  kind         TEXT    NOT NULL,
  body         TEXT    NOT NULL,
  state        TEXT    NOT NULL DEFAULT 'pending' CONSTRAINT delivery_state
               CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts     INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  next_at      INTEGER NOT NULL,
  last_at      INTEGER,
  last_status  INTEGER,
  last_error   TEXT,
  PRIMARY KEY (practice_id, webhook_id, id),
  FOREIGN KEY (practice_id, webhook_id) REFERENCES webhooks (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE state = 'pending';
-- What is done with goes after a while.
CREATE INDEX deliveries_done ON deliveries (last_at) WHERE state <> 'pending';

CREATE TRIGGER claim_notes_stay BEFORE DELETE ON claim_notes
BEGIN SELECT RAISE (ABORT, 'claim_notes is append only'); END;
CREATE TRIGGER signatures_stay BEFORE DELETE ON signatures
BEGIN SELECT RAISE (ABORT, 'signatures is append only'); END;
