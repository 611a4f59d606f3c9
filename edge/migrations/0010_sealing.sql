-- A data key for each practice. What is confidential about a practice's records is sealed under it, so destroying it destroys
-- them. docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- `wrapped` is the key, sealed under the service's key `key_version`. A practice has one key at a time; `version` counts them
-- from 1. In the tables with something sealed, a `key_version` below zero is a data key: -1 is the practice's first.
CREATE TABLE practice_keys (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  version      INTEGER NOT NULL CONSTRAINT practice_key_version CHECK (version > 0),
  id           TEXT    NOT NULL,
  key_version  INTEGER NOT NULL,
  wrapped      TEXT,
  created_at   INTEGER NOT NULL,
  destroyed_at INTEGER,
  PRIMARY KEY (practice_id, version),
  CONSTRAINT practice_key_destroyed CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX practice_key_once ON practice_keys (practice_id) WHERE destroyed_at IS NULL;

-- A key is never replaced, only wrapped anew or destroyed. An insert that would replace one does nothing, REPLACE INTO included.
CREATE TRIGGER practice_keys_once BEFORE INSERT ON practice_keys
WHEN EXISTS (SELECT 1 FROM practice_keys
  WHERE practice_id = NEW.practice_id AND (version = NEW.version OR destroyed_at IS NULL))
BEGIN SELECT RAISE (IGNORE); END;
CREATE TRIGGER practice_keys_keep BEFORE UPDATE ON practice_keys
WHEN OLD.destroyed_at IS NOT NULL OR NEW.practice_id <> OLD.practice_id OR NEW.version <> OLD.version
  OR NEW.id <> OLD.id OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE (ABORT, 'a data key is only wrapped anew or destroyed'); END;
CREATE TRIGGER practice_keys_stay BEFORE DELETE ON practice_keys
BEGIN SELECT RAISE (ABORT, 'the row of a data key stays'); END;

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
  CONSTRAINT patients_exceeded CHECK (failed <> 'patients'),
  CONSTRAINT data_key_changed CHECK (failed <> 'data_key')
) STRICT;
