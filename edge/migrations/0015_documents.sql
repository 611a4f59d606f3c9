-- Documents of practices: what is known of each, what uses it, and which objects the bucket holds for no document.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- The name of the file and the key of the object are sealed together. Both go when the object is to be removed.
CREATE TABLE documents (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  claim_id     TEXT,
  kind         TEXT    NOT NULL CONSTRAINT document_kind CHECK (kind IN
               ('denial_letter', 'medical_record', 'remittance', 'authorization', 'correspondence', 'other')),
  state        TEXT    NOT NULL CONSTRAINT document_state CHECK (state IN ('available', 'quarantined', 'infected', 'deleted')),
  content_type TEXT    NOT NULL,
  size         INTEGER NOT NULL,
  sha256       TEXT    NOT NULL,
  key_version  INTEGER NOT NULL,
  sealed       TEXT,
  uploaded_by  TEXT    NOT NULL REFERENCES users (id),
  uploaded_at  INTEGER NOT NULL,
  scans        INTEGER NOT NULL DEFAULT 0,
  scan_at      INTEGER,
  CONSTRAINT document_once PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_of_claim ON documents (practice_id, claim_id, id) WHERE claim_id IS NOT NULL;
CREATE INDEX documents_to_scan ON documents (scan_at) WHERE scan_at IS NOT NULL;
CREATE INDEX documents_uploaded ON documents (uploaded_at) WHERE state IN ('available', 'quarantined');

-- The cases and reports that a document is attached to.
CREATE TABLE document_uses (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  document_id TEXT    NOT NULL,
  kind        TEXT    NOT NULL CONSTRAINT document_use_kind CHECK (kind IN ('case', 'report')),
  record_id   TEXT    NOT NULL,
  attached_by TEXT    NOT NULL REFERENCES users (id),
  attached_at INTEGER NOT NULL,
  PRIMARY KEY (practice_id, document_id, kind, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_uses_of_record ON document_uses (practice_id, record_id, document_id);

-- Objects of the bucket that no document has: of uploads that are not finished, and of documents that were removed. When one is due,
-- the sweep removes it from the bucket and then the row.
CREATE TABLE loose_objects (
  id        TEXT    NOT NULL PRIMARY KEY,
  upload_id TEXT,
  due_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX loose_objects_due ON loose_objects (due_at);

-- How long a practice keeps documents. Without a row it is the default.
CREATE TABLE document_settings (
  practice_id    TEXT    NOT NULL PRIMARY KEY REFERENCES practices (id),
  retention_days INTEGER NOT NULL,
  legal_hold     INTEGER NOT NULL DEFAULT 0 CONSTRAINT document_hold CHECK (legal_hold IN (0, 1))
) STRICT, WITHOUT ROWID;
