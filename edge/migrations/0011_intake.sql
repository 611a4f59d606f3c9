-- What resends may fill in, how many of them were not for their claim, and what endpoints missed while they were switched off.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- Which optional parts a claim has, one bit each (`core/src/claim/present.rs`). NULL where that was not written down: the claim
-- came before this column, or from a Worker that does not know it.
ALTER TABLE claims ADD COLUMN present INTEGER;

-- Resends of a UTC day that were for another patient or claim: a row for each claim, and one with an empty `claim_id` for the
-- practice. `told` says of which bounds the owners were told. The day comes first, so that the sweep finds what is old.
CREATE TABLE mismatches (
  day         TEXT    NOT NULL,
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  claim_id    TEXT    NOT NULL,
  count       INTEGER NOT NULL,
  told        INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, practice_id, claim_id)
) STRICT, WITHOUT ROWID;

-- What an endpoint did not take, to be replayed; and what it was never sent, which goes after a week.
CREATE INDEX deliveries_failed ON deliveries (practice_id, webhook_id, id) WHERE state = 'failed';
CREATE INDEX deliveries_missed ON deliveries (created_at) WHERE state = 'failed' AND attempts = 0;

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
  CONSTRAINT data_key_changed CHECK (failed <> 'data_key'),
  CONSTRAINT mismatch_bound CHECK (failed <> 'mismatches')
) STRICT;
