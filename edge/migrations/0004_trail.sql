-- The audit trail: numbered and chained for each practice, and append only for every statement, `REPLACE` included.
-- Instants are UTC milliseconds, ids are UUIDs in text.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- `seq` numbers the rows of a practice's trail from 1, in the order in which they were committed. `address` and `session_id` say
-- where the actor came from. `mac` authenticates a row from the moment it is written. `previous` is the digest of the row before:
-- it is filled in behind the commit, once.
DROP TRIGGER audit_keep;
ALTER TABLE audit ADD COLUMN seq INTEGER;
ALTER TABLE audit ADD COLUMN address TEXT;
ALTER TABLE audit ADD COLUMN session_id TEXT;
ALTER TABLE audit ADD COLUMN mac TEXT;
ALTER TABLE audit ADD COLUMN previous TEXT;
UPDATE audit SET seq = n.seq
  FROM (SELECT practice_id, id, row_number() OVER (PARTITION BY practice_id ORDER BY id) AS seq FROM audit) n
  WHERE audit.practice_id = n.practice_id AND audit.id = n.id;
-- Not unique: a conflict with a unique index would let `REPLACE` remove a row. The triggers keep the numbers apart.
CREATE INDEX audit_sequence ON audit (practice_id, seq);

-- The last row of each chain. `mac` authenticates it under the service's key `key_version`: somebody who can write to the
-- database and has no key cannot make a chain anew.
CREATE TABLE trail_heads (
  practice_id TEXT    NOT NULL PRIMARY KEY,
  seq         INTEGER NOT NULL,
  digest      TEXT    NOT NULL,
  key_version INTEGER NOT NULL,
  mac         TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_keep
BEFORE UPDATE OF practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac ON audit
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_link BEFORE UPDATE OF previous ON audit WHEN old.previous IS NOT NULL
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_renumber BEFORE UPDATE OF seq ON audit
WHEN old.seq IS NOT NULL OR new.seq IS NOT 1 + coalesce((SELECT a.seq FROM audit a
  WHERE a.practice_id = new.practice_id AND a.seq > 0 ORDER BY a.seq DESC LIMIT 1), 0)
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_follow BEFORE INSERT ON audit
WHEN new.previous IS NOT NULL OR new.seq IS NOT NULL AND new.seq IS NOT 1 + coalesce((SELECT a.seq FROM audit a
  WHERE a.practice_id = new.practice_id AND a.seq > 0 ORDER BY a.seq DESC LIMIT 1), 0)
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
-- The Worker from before goes on while the next one is deployed: it gives no numbers.
CREATE TRIGGER audit_number AFTER INSERT ON audit WHEN new.seq IS NULL
BEGIN
  UPDATE audit SET seq = 1 + coalesce((SELECT a.seq FROM audit a
      WHERE a.practice_id = new.practice_id AND a.seq > 0 ORDER BY a.seq DESC LIMIT 1), 0)
    WHERE practice_id = new.practice_id AND id = new.id;
END;

-- SQLite removes the row that a `REPLACE` meets without asking the triggers against `DELETE`. So each table that is append only
-- looks for the row before an insert. The very same row changes nothing, since a batch may run twice; any other is refused.
CREATE TRIGGER audit_once BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit a WHERE a.practice_id = new.practice_id AND a.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM audit a WHERE a.practice_id = new.practice_id AND a.id = new.id
    AND (a.at, a.actor, a.action, a.record, a.request_id, a.detail, a.address, a.session_id)
      IS (new.at, new.actor, new.action, new.record, new.request_id, new.detail, new.address, new.session_id);
  SELECT RAISE (ABORT, 'audit is append only');
END;
CREATE TRIGGER claim_events_once BEFORE INSERT ON claim_events
WHEN EXISTS (SELECT 1 FROM claim_events e
  WHERE e.practice_id = new.practice_id AND e.claim_id = new.claim_id AND e.version = new.version)
BEGIN
  SELECT RAISE (IGNORE) FROM claim_events e
    WHERE e.practice_id = new.practice_id AND e.claim_id = new.claim_id AND e.version = new.version
      AND (e.at, e.kind, e.status, e.actor, e.request_id, e.detail)
        IS (new.at, new.kind, new.status, new.actor, new.request_id, new.detail);
  SELECT RAISE (ABORT, 'claim_events is append only');
END;
CREATE TRIGGER claim_notes_once BEFORE INSERT ON claim_notes
WHEN EXISTS (SELECT 1 FROM claim_notes n
  WHERE n.practice_id = new.practice_id AND n.claim_id = new.claim_id AND n.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM claim_notes n
    WHERE n.practice_id = new.practice_id AND n.claim_id = new.claim_id AND n.id = new.id
      AND (n.at, n.author, n.key_version, n.sealed) IS (new.at, new.author, new.key_version, new.sealed);
  SELECT RAISE (ABORT, 'claim_notes is append only');
END;
CREATE TRIGGER signatures_once BEFORE INSERT ON signatures
WHEN EXISTS (SELECT 1 FROM signatures s
  WHERE s.practice_id = new.practice_id AND s.claim_id = new.claim_id AND s.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM signatures s
    WHERE s.practice_id = new.practice_id AND s.claim_id = new.claim_id AND s.id = new.id
      AND (s.link_id, s.signed_at, s.key_version, s.sealed) IS (new.link_id, new.signed_at, new.key_version, new.sealed);
  SELECT RAISE (ABORT, 'signatures is append only');
END;
CREATE TRIGGER submissions_once BEFORE INSERT ON submissions
WHEN EXISTS (SELECT 1 FROM submissions s WHERE s.practice_id = new.practice_id AND s.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM submissions s WHERE s.practice_id = new.practice_id AND s.id = new.id
    AND (s.api_key_id, s.request_id, s.received_at) IS (new.api_key_id, new.request_id, new.received_at);
  SELECT RAISE (ABORT, 'submissions is append only');
END;
-- What was signed stays as it was signed, whatever has become of the agreement since.
CREATE TRIGGER agreements_once BEFORE INSERT ON agreements
WHEN EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = new.practice_id AND a.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM agreements a WHERE a.practice_id = new.practice_id AND a.id = new.id
    AND (a.kind, a.version, a.signer_name, a.signer_title, a.signed_at, a.signed_by, a.signed_from)
      IS (new.kind, new.version, new.signer_name, new.signer_title, new.signed_at, new.signed_by, new.signed_from);
  SELECT RAISE (ABORT, 'agreements is append only');
END;
CREATE TRIGGER reports_once BEFORE INSERT ON reports
WHEN EXISTS (SELECT 1 FROM reports r WHERE r.practice_id = new.practice_id AND r.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM reports r WHERE r.practice_id = new.practice_id AND r.id = new.id
    AND (r.delivered_at, r.delivered_by) IS (new.delivered_at, new.delivered_by);
  SELECT RAISE (ABORT, 'reports is append only');
END;
CREATE TRIGGER report_claims_once BEFORE INSERT ON report_claims
WHEN EXISTS (SELECT 1 FROM report_claims r
  WHERE r.practice_id = new.practice_id AND r.report_id = new.report_id AND r.claim_id = new.claim_id)
BEGIN SELECT RAISE (IGNORE); END;
-- A head only moves on.
CREATE TRIGGER trail_heads_once BEFORE INSERT ON trail_heads
WHEN EXISTS (SELECT 1 FROM trail_heads h WHERE h.practice_id = new.practice_id AND h.seq >= new.seq)
BEGIN SELECT RAISE (IGNORE); END;

-- One trigger a purpose. A key is rotated by sealing anew: of what is sealed, only the key's version and the blob change.
CREATE TRIGGER claim_notes_keep BEFORE UPDATE OF practice_id, claim_id, id, at, author ON claim_notes
BEGIN SELECT RAISE (ABORT, 'claim_notes is append only'); END;
CREATE TRIGGER signatures_keep BEFORE UPDATE OF practice_id, claim_id, id, link_id, signed_at ON signatures
BEGIN SELECT RAISE (ABORT, 'signatures is append only'); END;
CREATE TRIGGER submissions_keep BEFORE UPDATE ON submissions
BEGIN SELECT RAISE (ABORT, 'submissions is append only'); END;
CREATE TRIGGER agreements_keep
BEFORE UPDATE OF practice_id, id, kind, version, signer_name, signer_title, signed_at, signed_by, signed_from ON agreements
BEGIN SELECT RAISE (ABORT, 'agreements is append only'); END;
CREATE TRIGGER agreements_end BEFORE UPDATE OF ended_at ON agreements
WHEN old.ended_at IS NOT NULL AND new.ended_at IS NOT old.ended_at
BEGIN SELECT RAISE (ABORT, 'agreements is append only'); END;
CREATE TRIGGER reports_keep BEFORE UPDATE ON reports
BEGIN SELECT RAISE (ABORT, 'reports is append only'); END;
CREATE TRIGGER report_claims_keep BEFORE UPDATE ON report_claims
BEGIN SELECT RAISE (ABORT, 'report_claims is append only'); END;
CREATE TRIGGER trail_heads_keep BEFORE UPDATE ON trail_heads
WHEN new.practice_id IS NOT old.practice_id OR new.seq < old.seq OR new.seq = old.seq AND new.digest IS NOT old.digest
BEGIN SELECT RAISE (ABORT, 'trail_heads is append only'); END;

CREATE TRIGGER submissions_stay BEFORE DELETE ON submissions
BEGIN SELECT RAISE (ABORT, 'submissions is append only'); END;
CREATE TRIGGER agreements_stay BEFORE DELETE ON agreements
BEGIN SELECT RAISE (ABORT, 'agreements is append only'); END;
CREATE TRIGGER reports_stay BEFORE DELETE ON reports
BEGIN SELECT RAISE (ABORT, 'reports is append only'); END;
CREATE TRIGGER report_claims_stay BEFORE DELETE ON report_claims
BEGIN SELECT RAISE (ABORT, 'report_claims is append only'); END;
CREATE TRIGGER trail_heads_stay BEFORE DELETE ON trail_heads
BEGIN SELECT RAISE (ABORT, 'trail_heads is append only'); END;

-- A person of the staff who reads the staff's own trail and does no other work. The role stays `staff` in its column, whose
-- constraint cannot be altered.
ALTER TABLE users ADD COLUMN auditor INTEGER NOT NULL DEFAULT 0
  CONSTRAINT user_auditor CHECK (auditor = 0 OR (auditor = 1 AND role = 'staff'));
CREATE INDEX users_auditors ON users (id) WHERE auditor = 1;

-- Which patients somebody of the staff has opened lately, by the patient's tag, so that a patient counts once.
CREATE TABLE patients_opened (
  user_id TEXT    NOT NULL REFERENCES users (id),
  patient TEXT    NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (user_id, patient)
) STRICT, WITHOUT ROWID;
-- When an alert was last left about a session that opened too many of them.
ALTER TABLE sessions ADD COLUMN alerted_at INTEGER;

DROP TABLE guards;
CREATE TABLE guards (
  failed TEXT NOT NULL,
  CONSTRAINT batch_done CHECK (failed <> 'done'),
  CONSTRAINT credential_withdrawn CHECK (failed <> 'credential'),
  CONSTRAINT rights_changed CHECK (failed <> 'rights'),
  CONSTRAINT secret_used CHECK (failed <> 'secret'),
  CONSTRAINT last_owner CHECK (failed <> 'owner'),
  CONSTRAINT record_changed CHECK (failed <> 'record'),
  CONSTRAINT request_repeated CHECK (failed <> 'request'),
  CONSTRAINT patients_exceeded CHECK (failed <> 'patients')
) STRICT;
