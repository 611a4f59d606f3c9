-- What came of a claim at each level of its cases, and who made an API key.
-- Instants are UTC milliseconds, money is integer cents, ids are UUIDs in text.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- Whether a level was filed with the claim, and what the payer paid for it there. A claim comes first: its own rows are looked for
-- with every move of it.
CREATE TABLE level_claims (
  practice_id     TEXT    NOT NULL,
  claim_id        TEXT    NOT NULL,
  case_id         TEXT    NOT NULL,
  level           INTEGER NOT NULL,
  filed           INTEGER NOT NULL DEFAULT 0 CONSTRAINT level_claim_filed CHECK (filed IN (0, 1)),
  recovered_cents INTEGER CONSTRAINT level_claim_recovered CHECK (recovered_cents > 0),
  recovered_at    INTEGER,
  stands          INTEGER NOT NULL DEFAULT 0 CONSTRAINT level_claim_stands CHECK (stands IN (0, 1)),
  PRIMARY KEY (practice_id, claim_id, case_id, level),
  FOREIGN KEY (practice_id, case_id) REFERENCES cases (practice_id, id),
  CONSTRAINT level_claim_amount CHECK ((recovered_cents IS NULL) = (recovered_at IS NULL))
) STRICT, WITHOUT ROWID;

-- What was filed before: nobody wrote down with which claims, so it counts for all of the case.
INSERT INTO level_claims (practice_id, claim_id, case_id, level, filed)
  SELECT m.practice_id, m.claim_id, m.case_id, l.level, 1
  FROM case_levels l CROSS JOIN case_claims m
  WHERE l.filed_on IS NOT NULL AND m.practice_id = l.practice_id AND m.case_id = l.case_id;
-- What was paid before stays paid, whatever comes of the claim: level 0 is none of a case's.
INSERT INTO level_claims (practice_id, claim_id, case_id, level, recovered_cents, recovered_at, stands)
  SELECT practice_id, id, case_id, 0, recovered_cents, updated_at, 1
  FROM claims WHERE recovered_cents IS NOT NULL AND case_id IS NOT NULL;

-- Empty for keys that the operator made, and for those from before.
ALTER TABLE api_keys ADD COLUMN created_by TEXT REFERENCES users (id);
