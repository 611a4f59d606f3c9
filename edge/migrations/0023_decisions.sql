-- The payer's clock. A filed level has the day by which the payer must decide and the source of its rule, and a person can
-- set another day on which to ask. A landed migration is never edited.
ALTER TABLE case_levels ADD COLUMN decision_due TEXT;
ALTER TABLE case_levels ADD COLUMN decision_source TEXT;
ALTER TABLE case_levels ADD COLUMN follow_up_on TEXT;

-- When to ask the payer about the last level of a case: NULL unless it is filed and not decided, '~' if no day is known.
-- Triggers keep it, because the Worker from before goes on while the next one is deployed.
ALTER TABLE cases ADD COLUMN ask_on TEXT;

-- The levels that were filed before, by the rules of `core/src/plan/work/payer_clock.rs`.
WITH rules (plan_type, kind, again, days, source) AS (VALUES
  ('erisa', 'internal_appeal', 0, 60, '29 CFR 2560.503-1(i)(2)(iii)(A)'),
  ('erisa', 'internal_appeal', 1, 30, '29 CFR 2560.503-1(i)(2)(iii)(A)'),
  ('erisa', 'external_review', 0, 45, '29 CFR 2590.715-2719(c)(2)(xii), (d)(2)(iii)(B)(6)'),
  ('aca_individual', 'internal_appeal', 0, 60, '45 CFR 147.136(b)(3)(i), 29 CFR 2560.503-1(i)(2)(iii)(A)'),
  ('aca_individual', 'external_review', 0, 45, '45 CFR 147.136(c)(2)(xii)'),
  ('medicare', 'redetermination', 0, 60, '42 CFR 405.950(a)'),
  ('medicare', 'reconsideration', 0, 60, '42 CFR 405.970(a)'),
  ('medicare', 'hearing', 0, 90, '42 CFR 405.1016(a)'),
  ('medicare', 'council_review', 0, 90, '42 CFR 405.1100(c)'),
  ('medicare_advantage', 'reconsideration', 0, 60, '42 CFR 422.590(b)'),
  ('medi_cal_managed', 'internal_appeal', 0, 30, '42 CFR 438.408(b)(2)'),
  ('medi_cal_managed', 'hearing', 0, 90, '42 CFR 431.244(f)(1)'),
  ('medi_cal_ffs', 'internal_appeal', 0, 45, '22 CCR 51015(b), (c)(1)'),
  ('tricare', 'reconsideration', 0, 60, '32 CFR 199.10(b)'),
  ('tricare', 'formal_review', 0, 90, '32 CFR 199.10(c)'))
UPDATE case_levels SET decision_due = f.due, decision_source = f.source
FROM (SELECT l.practice_id, l.case_id, l.level, r.source, min(date(l.filed_on, '+' || r.days || ' days')) AS due
  FROM case_levels l CROSS JOIN case_claims m CROSS JOIN claims c CROSS JOIN rules r
  WHERE l.filed_on IS NOT NULL AND l.decided_on IS NULL
    AND m.practice_id = l.practice_id AND m.case_id = l.case_id
    AND c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id = l.case_id AND c.status = 'in_appeal'
    AND r.plan_type = c.plan_type AND r.kind = l.kind AND r.again <= EXISTS (SELECT 1 FROM case_levels e
      WHERE e.practice_id = l.practice_id AND e.case_id = l.case_id AND e.level < l.level AND e.kind = l.kind
        AND e.filed_on IS NOT NULL)
  GROUP BY l.practice_id, l.case_id, l.level) f
WHERE case_levels.practice_id = f.practice_id AND case_levels.case_id = f.case_id AND case_levels.level = f.level;

UPDATE cases SET ask_on = (SELECT iif(l.filed_on IS NOT NULL AND l.decided_on IS NULL, coalesce(l.follow_up_on, l.decision_due, '~'), NULL)
  FROM case_levels l WHERE l.practice_id = cases.practice_id AND l.case_id = cases.id ORDER BY l.level DESC LIMIT 1);

CREATE TRIGGER case_levels_ask_new AFTER INSERT ON case_levels WHEN new.filed_on IS NOT NULL
BEGIN
  UPDATE cases SET ask_on = (SELECT iif(l.filed_on IS NOT NULL AND l.decided_on IS NULL, coalesce(l.follow_up_on, l.decision_due, '~'), NULL)
      FROM case_levels l WHERE l.practice_id = new.practice_id AND l.case_id = new.case_id ORDER BY l.level DESC LIMIT 1)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_levels_ask_changed AFTER UPDATE ON case_levels
WHEN (old.filed_on, old.decided_on, old.decision_due, old.follow_up_on) IS NOT (new.filed_on, new.decided_on, new.decision_due, new.follow_up_on)
BEGIN
  UPDATE cases SET ask_on = (SELECT iif(l.filed_on IS NOT NULL AND l.decided_on IS NULL, coalesce(l.follow_up_on, l.decision_due, '~'), NULL)
      FROM case_levels l WHERE l.practice_id = new.practice_id AND l.case_id = new.case_id ORDER BY l.level DESC LIMIT 1)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;

CREATE INDEX cases_to_ask ON cases (is_open, ask_on, id) WHERE ask_on IS NOT NULL;
CREATE INDEX cases_to_ask_of_practice ON cases (practice_id, is_open, ask_on, id) WHERE ask_on IS NOT NULL;
