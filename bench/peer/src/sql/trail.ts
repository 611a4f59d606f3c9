// Statements of store/src/records/sql.rs, word for word.

export const AUDIT = `
  INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, detail, address, session_id, mac, seq)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 1 + coalesce((SELECT n.seq FROM audit n
  WHERE n.practice_id = ?1 AND n.seq > 0 ORDER BY n.seq DESC LIMIT 1), 0)) ON CONFLICT (practice_id, id) DO NOTHING`;

export const AUDIT_SUBMISSION = `
  INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, session_id, mac, seq)
  SELECT ?1, ?2, ?3, ?4, ?6, ?2, ?5, ?7, ?8, ?9, 1 + coalesce((SELECT n.seq FROM audit n WHERE n.practice_id = ?1
  AND n.seq > 0 ORDER BY n.seq DESC LIMIT 1), 0) WHERE EXISTS (
  SELECT 1 FROM json_each(?10) j CROSS JOIN claims c
  WHERE c.practice_id = ?1 AND c.claim_number = j.value AND c.submission_id = ?2)
  ON CONFLICT (practice_id, id) DO NOTHING`;

export const AUDIT_CORRECTED = `
  INSERT INTO audit (practice_id, id, at, actor, action, record, request_id, address, session_id, mac, seq)
  SELECT ?1, ?3, ?4, ?5, ?7, ?6, ?6, ?8, ?9, ?10, 1 + coalesce((SELECT n.seq FROM audit n WHERE n.practice_id = ?1
  AND n.seq > 0 ORDER BY n.seq DESC LIMIT 1), 0) WHERE EXISTS (
  SELECT 1 FROM json_each(?2) j CROSS JOIN claims c CROSS JOIN claim_events e
  WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number'
  AND e.practice_id = ?1 AND e.claim_id = c.id AND e.version = c.version
  AND e.kind = 'corrected' AND e.request_id = ?6)
  ON CONFLICT (practice_id, id) DO NOTHING`;
