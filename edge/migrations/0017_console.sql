-- What the console shows at a glance: how many claims there are, with which amounts and deadlines, and the names of payers.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- Claims by status and deadline. `scope` is a practice's id, or `all` for the claims of all practices. `due` is the deadline of an
-- open claim, `~` for an open claim without one, and empty for recovered and closed claims. All deadlines before 2020 are one: they are
-- late on every day, and a practice may send claims as old as it likes. So the number of rows follows the days since 2020 and not the
-- number of claims. An amount of cents is kept in two parts,
-- `high` * 1,000,000,000 + `low`: one claim may have as many cents as an integer holds, so their sum needs more.
CREATE TABLE claim_counts (
  scope          TEXT    NOT NULL,
  status         TEXT    NOT NULL,
  due            TEXT    NOT NULL,
  claims         INTEGER NOT NULL,
  billed_high    INTEGER NOT NULL,
  billed_low     INTEGER NOT NULL,
  denied_high    INTEGER NOT NULL,
  denied_low     INTEGER NOT NULL,
  recovered_high INTEGER NOT NULL,
  recovered_low  INTEGER NOT NULL,
  PRIMARY KEY (scope, status, due)
) STRICT, WITHOUT ROWID;

-- The payers of a practice's claims. The index finds the names of all practices without reading their claims.
CREATE TABLE payers (
  practice_id TEXT NOT NULL REFERENCES practices (id),
  name        TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (practice_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX payers_by_name ON payers (name);

-- 1 if the batch that inserted the claim counted it. The trigger counts every other claim: the Worker from before goes on while the
-- next one is deployed, and does not count. The claims that are there are counted below.
ALTER TABLE claims ADD COLUMN counted INTEGER NOT NULL DEFAULT 0 CONSTRAINT claim_counted CHECK (counted IN (0, 1));

INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high, recovered_low)
  SELECT practice_id, status, iif(status IN ('recovered', 'closed'), '', ifnull(max(appeal_due, '2020-01-01'), '~')), count(*),
    sum(ifnull(billed_cents, 0) / 1000000000), sum(ifnull(billed_cents, 0) % 1000000000),
    sum(ifnull(denied_cents, 0) / 1000000000), sum(ifnull(denied_cents, 0) % 1000000000),
    sum(ifnull(recovered_cents, 0) / 1000000000), sum(ifnull(recovered_cents, 0) % 1000000000)
  FROM claims GROUP BY 1, 2, 3;
INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high, recovered_low)
  SELECT 'all', status, due, sum(claims), sum(billed_high), sum(billed_low), sum(denied_high), sum(denied_low),
    sum(recovered_high), sum(recovered_low)
  FROM claim_counts GROUP BY 2, 3;
INSERT OR IGNORE INTO payers (practice_id, name) SELECT DISTINCT practice_id, payer_name FROM claims;

CREATE TRIGGER claims_count_new AFTER INSERT ON claims WHEN new.counted = 0
BEGIN
  INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high, recovered_low)
    SELECT s.value, new.status, iif(new.status IN ('recovered', 'closed'), '', ifnull(max(new.appeal_due, '2020-01-01'), '~')), 1,
      ifnull(new.billed_cents, 0) / 1000000000, ifnull(new.billed_cents, 0) % 1000000000,
      ifnull(new.denied_cents, 0) / 1000000000, ifnull(new.denied_cents, 0) % 1000000000,
      ifnull(new.recovered_cents, 0) / 1000000000, ifnull(new.recovered_cents, 0) % 1000000000
    FROM json_each(json_array(new.practice_id, 'all')) s WHERE true
    ON CONFLICT (scope, status, due) DO UPDATE SET claims = claims + 1,
      billed_high = billed_high + excluded.billed_high, billed_low = billed_low + excluded.billed_low,
      denied_high = denied_high + excluded.denied_high, denied_low = denied_low + excluded.denied_low,
      recovered_high = recovered_high + excluded.recovered_high, recovered_low = recovered_low + excluded.recovered_low;
  INSERT INTO payers (practice_id, name) VALUES (new.practice_id, new.payer_name) ON CONFLICT (practice_id, name) DO NOTHING;
END;

CREATE TRIGGER claims_count_changed AFTER UPDATE OF status, appeal_due, billed_cents, denied_cents, recovered_cents ON claims
WHEN (old.status, old.appeal_due, old.billed_cents, old.denied_cents, old.recovered_cents)
  IS NOT (new.status, new.appeal_due, new.billed_cents, new.denied_cents, new.recovered_cents)
BEGIN
  INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high, recovered_low)
    SELECT s.value, new.status, iif(new.status IN ('recovered', 'closed'), '', ifnull(max(new.appeal_due, '2020-01-01'), '~')), 1,
      ifnull(new.billed_cents, 0) / 1000000000, ifnull(new.billed_cents, 0) % 1000000000,
      ifnull(new.denied_cents, 0) / 1000000000, ifnull(new.denied_cents, 0) % 1000000000,
      ifnull(new.recovered_cents, 0) / 1000000000, ifnull(new.recovered_cents, 0) % 1000000000
    FROM json_each(json_array(new.practice_id, 'all')) s WHERE true
    ON CONFLICT (scope, status, due) DO UPDATE SET claims = claims + 1,
      billed_high = billed_high + excluded.billed_high, billed_low = billed_low + excluded.billed_low,
      denied_high = denied_high + excluded.denied_high, denied_low = denied_low + excluded.denied_low,
      recovered_high = recovered_high + excluded.recovered_high, recovered_low = recovered_low + excluded.recovered_low;
  UPDATE claim_counts SET claims = claims - 1,
      billed_high = billed_high - ifnull(old.billed_cents, 0) / 1000000000,
      billed_low = billed_low - ifnull(old.billed_cents, 0) % 1000000000,
      denied_high = denied_high - ifnull(old.denied_cents, 0) / 1000000000,
      denied_low = denied_low - ifnull(old.denied_cents, 0) % 1000000000,
      recovered_high = recovered_high - ifnull(old.recovered_cents, 0) / 1000000000,
      recovered_low = recovered_low - ifnull(old.recovered_cents, 0) % 1000000000
    WHERE scope IN (old.practice_id, 'all') AND status = old.status
      AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~'));
  DELETE FROM claim_counts WHERE scope IN (old.practice_id, 'all') AND status = old.status
    AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~')) AND claims <= 0;
END;

-- Only the destruction of a practice's data deletes claims. The payers go with the last one.
CREATE TRIGGER claims_count_gone AFTER DELETE ON claims
BEGIN
  UPDATE claim_counts SET claims = claims - 1,
      billed_high = billed_high - ifnull(old.billed_cents, 0) / 1000000000,
      billed_low = billed_low - ifnull(old.billed_cents, 0) % 1000000000,
      denied_high = denied_high - ifnull(old.denied_cents, 0) / 1000000000,
      denied_low = denied_low - ifnull(old.denied_cents, 0) % 1000000000,
      recovered_high = recovered_high - ifnull(old.recovered_cents, 0) / 1000000000,
      recovered_low = recovered_low - ifnull(old.recovered_cents, 0) % 1000000000
    WHERE scope IN (old.practice_id, 'all') AND status = old.status
      AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~'));
  DELETE FROM claim_counts WHERE scope IN (old.practice_id, 'all') AND status = old.status
    AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~')) AND claims <= 0;
  DELETE FROM payers WHERE practice_id = old.practice_id
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = old.practice_id);
END;

-- The practices by name.
CREATE INDEX practices_by_name ON practices (name COLLATE NOCASE, id);

-- A practice's open claims by deadline, without one last. A claim that ends leaves the index.
CREATE INDEX claims_due ON claims (practice_id, ifnull(appeal_due, '~'), id) WHERE status IN ('received', 'reviewing', 'in_report', 'in_appeal');

-- The claims of a patient, to find those that can be appealed together. A claim that is still received is not in the index, so a
-- send does not write to it.
CREATE INDEX claims_of_patient ON claims (practice_id, patient_tag, id) WHERE status <> 'received';

-- What the list of all cases is sorted by. `due` is the day on which the current level is due, NULL once it was filed or decided.
-- `is_open` is 1 while a claim is in appeal in the case. Triggers keep both, because the Worker from before goes on while the next one
-- is deployed.
ALTER TABLE cases ADD COLUMN due TEXT;
ALTER TABLE cases ADD COLUMN is_open INTEGER NOT NULL DEFAULT 1 CONSTRAINT case_open CHECK (is_open IN (0, 1));
UPDATE cases SET
  due = (SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM case_levels l
    WHERE l.practice_id = cases.practice_id AND l.case_id = cases.id ORDER BY l.level DESC LIMIT 1),
  is_open = EXISTS (SELECT 1 FROM case_claims m
    WHERE m.practice_id = cases.practice_id AND m.case_id = cases.id AND m.outcome IS NULL);
CREATE INDEX cases_due ON cases (is_open, ifnull(due, '~'), id);
CREATE INDEX cases_due_of_practice ON cases (practice_id, is_open, ifnull(due, '~'), id);

CREATE TRIGGER case_levels_due_new AFTER INSERT ON case_levels
BEGIN
  UPDATE cases SET due = (SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM case_levels l
      WHERE l.practice_id = new.practice_id AND l.case_id = new.case_id ORDER BY l.level DESC LIMIT 1)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_levels_due_changed AFTER UPDATE ON case_levels
BEGIN
  UPDATE cases SET due = (SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM case_levels l
      WHERE l.practice_id = new.practice_id AND l.case_id = new.case_id ORDER BY l.level DESC LIMIT 1)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_claims_open_new AFTER INSERT ON case_claims WHEN new.outcome IS NULL
BEGIN
  UPDATE cases SET is_open = 1 WHERE practice_id = new.practice_id AND id = new.case_id AND is_open = 0;
END;
CREATE TRIGGER case_claims_open_changed AFTER UPDATE OF outcome ON case_claims
BEGIN
  UPDATE cases SET is_open = EXISTS (SELECT 1 FROM case_claims m
      WHERE m.practice_id = new.practice_id AND m.case_id = new.case_id AND m.outcome IS NULL)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
