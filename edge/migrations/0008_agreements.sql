-- The end of an agreement: the return of a practice's data to its owners, and its destruction.
-- Instants are UTC milliseconds, ids are UUIDs in text.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- `position` is where a return goes on and `taken_from` where its last page began. `digest` is the running state of SHA-256 over
-- all pages. `counts` and `totals` are JSON objects: how many records of each kind.
CREATE TABLE data_jobs (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  kind         TEXT    NOT NULL CONSTRAINT data_job_kind CHECK (kind IN ('return', 'destruction')),
  state        TEXT    NOT NULL CONSTRAINT data_job_state CHECK (state IN ('waiting', 'running', 'cancelled', 'done')),
  version      INTEGER NOT NULL DEFAULT 1,
  requested_at INTEGER NOT NULL,
  requested_by TEXT    NOT NULL,
  due_at       INTEGER,
  begun_at     INTEGER,
  finished_at  INTEGER,
  totals       TEXT    NOT NULL,
  counts       TEXT    NOT NULL DEFAULT '{}',
  position     TEXT    NOT NULL DEFAULT '',
  taken_from   TEXT,
  bytes        INTEGER NOT NULL DEFAULT 0,
  unreadable   INTEGER NOT NULL DEFAULT 0,
  digest       TEXT,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX data_job_once ON data_jobs (practice_id, kind) WHERE state IN ('waiting', 'running');
CREATE INDEX data_jobs_due ON data_jobs (due_at) WHERE kind = 'destruction' AND state IN ('waiting', 'running');
-- A report stays as it is.
CREATE TRIGGER data_jobs_keep BEFORE UPDATE ON data_jobs
WHEN OLD.state IN ('cancelled', 'done') OR NEW.practice_id <> OLD.practice_id OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind
BEGIN SELECT RAISE (ABORT, 'a data job that ended stays as it is'); END;
CREATE TRIGGER data_jobs_once BEFORE INSERT ON data_jobs
WHEN EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = NEW.practice_id AND j.id = NEW.id)
BEGIN SELECT RAISE (IGNORE); END;
CREATE TRIGGER data_jobs_stay BEFORE DELETE ON data_jobs
BEGIN SELECT RAISE (ABORT, 'the row of a data job stays'); END;

-- Letters to the owners of a practice, written with the change that they are about. The clock sends them; a row goes once its
-- letters were sent.
CREATE TABLE notices (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  kind        TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  due_at      INTEGER,
  next_at     INTEGER NOT NULL,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_due ON notices (next_at);

-- What is append only may be deleted while a destruction of the practice's data is running, and at no other time.
DROP TRIGGER IF EXISTS claim_events_stay;
CREATE TRIGGER claim_events_stay BEFORE DELETE ON claim_events
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'claim_events is append only'); END;
DROP TRIGGER IF EXISTS claim_notes_stay;
CREATE TRIGGER claim_notes_stay BEFORE DELETE ON claim_notes
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'claim_notes is append only'); END;
DROP TRIGGER IF EXISTS signatures_stay;
CREATE TRIGGER signatures_stay BEFORE DELETE ON signatures
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'signatures is append only'); END;
DROP TRIGGER IF EXISTS submissions_stay;
CREATE TRIGGER submissions_stay BEFORE DELETE ON submissions
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'submissions is append only'); END;
DROP TRIGGER IF EXISTS reports_stay;
CREATE TRIGGER reports_stay BEFORE DELETE ON reports
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'reports is append only'); END;
DROP TRIGGER IF EXISTS report_claims_stay;
CREATE TRIGGER report_claims_stay BEFORE DELETE ON report_claims
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'report_claims is append only'); END;
