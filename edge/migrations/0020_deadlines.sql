-- A case is due with the first deadline of the claims that are appealed in it, and with its current level if that is earlier. A
-- claim can have an earlier deadline than the level, so the level alone would show the case too late.
DROP TRIGGER case_levels_due_new;
DROP TRIGGER case_levels_due_changed;
UPDATE cases SET due = (SELECT min(d.due) FROM (
        SELECT c.appeal_due AS due FROM case_claims m CROSS JOIN claims c
          WHERE m.practice_id = cases.practice_id AND m.case_id = cases.id AND c.practice_id = m.practice_id
            AND c.id = m.claim_id AND c.case_id = cases.id AND c.status = 'in_appeal'
        UNION ALL
        SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM (SELECT * FROM case_levels
          WHERE practice_id = cases.practice_id AND case_id = cases.id ORDER BY level DESC LIMIT 1) l) d);

CREATE TRIGGER case_levels_due_new AFTER INSERT ON case_levels
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM (
        SELECT c.appeal_due AS due FROM case_claims m CROSS JOIN claims c
          WHERE m.practice_id = cases.practice_id AND m.case_id = cases.id AND c.practice_id = m.practice_id
            AND c.id = m.claim_id AND c.case_id = cases.id AND c.status = 'in_appeal'
        UNION ALL
        SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM (SELECT * FROM case_levels
          WHERE practice_id = cases.practice_id AND case_id = cases.id ORDER BY level DESC LIMIT 1) l) d)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_levels_due_changed AFTER UPDATE ON case_levels
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM (
        SELECT c.appeal_due AS due FROM case_claims m CROSS JOIN claims c
          WHERE m.practice_id = cases.practice_id AND m.case_id = cases.id AND c.practice_id = m.practice_id
            AND c.id = m.claim_id AND c.case_id = cases.id AND c.status = 'in_appeal'
        UNION ALL
        SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM (SELECT * FROM case_levels
          WHERE practice_id = cases.practice_id AND case_id = cases.id ORDER BY level DESC LIMIT 1) l) d)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_claims_due_new AFTER INSERT ON case_claims
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM (
        SELECT c.appeal_due AS due FROM case_claims m CROSS JOIN claims c
          WHERE m.practice_id = cases.practice_id AND m.case_id = cases.id AND c.practice_id = m.practice_id
            AND c.id = m.claim_id AND c.case_id = cases.id AND c.status = 'in_appeal'
        UNION ALL
        SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM (SELECT * FROM case_levels
          WHERE practice_id = cases.practice_id AND case_id = cases.id ORDER BY level DESC LIMIT 1) l) d)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER claims_case_due AFTER UPDATE OF status, appeal_due, case_id ON claims
WHEN coalesce(old.case_id, new.case_id) IS NOT NULL
  AND (old.status, old.appeal_due, old.case_id) IS NOT (new.status, new.appeal_due, new.case_id)
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM (
        SELECT c.appeal_due AS due FROM case_claims m CROSS JOIN claims c
          WHERE m.practice_id = cases.practice_id AND m.case_id = cases.id AND c.practice_id = m.practice_id
            AND c.id = m.claim_id AND c.case_id = cases.id AND c.status = 'in_appeal'
        UNION ALL
        SELECT iif(l.filed_on IS NULL AND l.decided_on IS NULL, l.due_on, NULL) FROM (SELECT * FROM case_levels
          WHERE practice_id = cases.practice_id AND case_id = cases.id ORDER BY level DESC LIMIT 1) l) d)
    WHERE practice_id = new.practice_id AND id IN (old.case_id, new.case_id);
END;
