// The statements of store/src/claims/sql.rs, word for word. Any difference would only measure SQLite.

export const CREDENTIAL = `
  SELECT json_array(k.practice_id, k.id, k.scopes, k.expires_at, k.revoked_at IS NOT NULL, k.last_used_at,
  p.state, EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL),
  p.appeal_button) AS json FROM api_keys k JOIN practices p ON p.id = k.practice_id WHERE k.hash = ?1`;

export const CREDENTIAL_TO_SEND = `
  SELECT json_array(json_array(k.practice_id, k.id, k.scopes, k.expires_at, k.revoked_at IS NOT NULL, k.last_used_at,
  p.state, EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL),
  p.appeal_button), json((SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped)
  FROM practice_keys dk WHERE dk.practice_id = k.practice_id ORDER BY dk.version DESC LIMIT 1))) AS json
  FROM api_keys k JOIN practices p ON p.id = k.practice_id WHERE k.hash = ?1`;

export const CLAIMS_OF_KEY = `
  SELECT json_array(json((SELECT json_group_array(json_array(c.claim_number, c.id, c.status, c.key_version,
  c.patient_tag, c.procedure_tag,
  c.date_of_service, c.payer_claim_number, c.billed_cents, c.denied_cents, c.present)) FROM claims c
  WHERE c.practice_id = k.practice_id AND c.claim_number IN (SELECT value FROM json_each(?2)))),
  json((SELECT json_group_array(json_array(nullif(m.claim_id, ''), m.count, m.told)) FROM mismatches m
  WHERE m.day = ?3 AND m.practice_id = k.practice_id))) AS json
  FROM api_keys k WHERE k.hash = ?1`;

export const OUTCOME = `
  SELECT json_array(coalesce(sum(c.created), 0), json_group_array(json_array(c.claim_number, c.id, c.status,
  c.key_version, c.patient_tag, c.procedure_tag,
  c.date_of_service, c.payer_claim_number, c.billed_cents, c.denied_cents,
  c.present)) FILTER (WHERE NOT c.created)) AS json
  FROM (SELECT *, submission_id = ?3 AND status = 'received' AS created FROM claims
  WHERE practice_id = ?1 AND claim_number IN (SELECT value FROM json_each(?2))) c`;

export const STATUS_OF_KEY = `
  SELECT json_array(json_array(k.practice_id, k.id, k.scopes, k.expires_at, k.revoked_at IS NOT NULL, k.last_used_at,
  p.state, EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL),
  p.appeal_button),
  json((SELECT json_array(c.id, c.status, c.signing_status, json(CASE WHEN c.signing_status = 'needed' THEN (
  SELECT json_array(l.id, l.key_version, l.sealed, l.expires_at, l.attempts, l.hash,
  json((SELECT json_array(dk.version, dk.id, dk.key_version, dk.wrapped) FROM practice_keys dk
  WHERE dk.practice_id = l.practice_id ORDER BY dk.version DESC LIMIT 1)))
  FROM signing_links l
  WHERE l.practice_id = c.practice_id AND l.claim_id = c.id AND l.revoked_at IS NULL AND l.used_at IS NULL
  ORDER BY l.id DESC LIMIT 1) END))
  FROM claims c WHERE c.practice_id = k.practice_id AND c.claim_number = ?2))) AS json
  FROM api_keys k JOIN practices p ON p.id = k.practice_id WHERE k.hash = ?1`;

export const GUARD_CREDENTIAL = `
  INSERT INTO guards (failed) SELECT 'credential' WHERE NOT EXISTS (
  SELECT 1 FROM api_keys k JOIN practices p ON p.id = k.practice_id
  WHERE k.practice_id = ?1 AND k.id = ?2 AND k.revoked_at IS NULL AND k.expires_at > ?3
  AND instr(' ' || k.scopes || ' ', ' ' || ?4 || ' ') > 0 AND p.state = 'active' AND EXISTS (SELECT 1
  FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL))`;

export const GUARD_CREDENTIAL_AND_DATA_KEY = `
  INSERT INTO guards (failed) SELECT 'credential' WHERE NOT EXISTS (
  SELECT 1 FROM api_keys k JOIN practices p ON p.id = k.practice_id
  WHERE k.practice_id = ?1 AND k.id = ?2 AND k.revoked_at IS NULL AND k.expires_at > ?3
  AND instr(' ' || k.scopes || ' ', ' ' || ?4 || ' ') > 0 AND p.state = 'active' AND EXISTS (SELECT 1
  FROM agreements a WHERE a.practice_id = p.id AND a.kind = 'baa' AND a.ended_at IS NULL))
  UNION ALL SELECT 'data_key' WHERE NOT EXISTS (
  SELECT 1 FROM practice_keys WHERE practice_id = ?1 AND version = CAST(?5 AS INTEGER) AND id = ?6
  AND destroyed_at IS NULL)`;

export const COUNT_CLAIMS = `
  WITH f AS MATERIALIZED (
  SELECT ifnull(max(j.value ->> 1, '2020-01-01'), '~') AS due, count(*) AS claims,
  sum(ifnull(j.value ->> 2, 0) / 1000000000) AS billed_high, sum(ifnull(j.value ->> 2, 0) % 1000000000) AS billed_low,
  sum(ifnull(j.value ->> 3, 0) / 1000000000) AS denied_high, sum(ifnull(j.value ->> 3, 0) % 1000000000) AS denied_low
  FROM json_each(?2) j
  WHERE NOT EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 0)
  GROUP BY 1)
  INSERT INTO claim_counts (scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high,
  recovered_low)
  SELECT s.value, 'received', f.due, f.claims, f.billed_high, f.billed_low, f.denied_high, f.denied_low, 0, 0
  FROM f CROSS JOIN json_each(json_array(?1, 'all')) s WHERE true
  ON CONFLICT (scope, status, due) DO UPDATE SET claims = claims + excluded.claims,
  billed_high = billed_high + excluded.billed_high, billed_low = billed_low + excluded.billed_low,
  denied_high = denied_high + excluded.denied_high, denied_low = denied_low + excluded.denied_low`;

export const INSERT_PAYERS = `
  INSERT INTO payers (practice_id, name) SELECT ?1, j.value FROM json_each(?2) j WHERE true
  ON CONFLICT (practice_id, name) DO NOTHING`;

export const INSERT_CLAIMS = `
  WITH f AS MATERIALIZED (SELECT jsonb(value) AS claim, key + 1 AS n FROM json_each(?4)),
  base AS MATERIALIZED (SELECT coalesce((SELECT changed FROM claims
  WHERE practice_id = ?1 AND changed > 0 ORDER BY changed DESC LIMIT 1), 0) AS n)
  INSERT INTO claims (practice_id, submission_id, received_at, updated_at, claim_number, id, payer_claim_number,
  payer_name, date_of_service, denial_date, plan_type, billed_cents, denied_cents, adjustment_codes, patient_tag,
  procedure_tag, key_version, sealed, appeal_due, appeal_due_from, present, changed, counted)
  SELECT ?1, ?2, ?3, ?3, claim ->> 0, claim ->> 1, claim ->> 2, claim ->> 3, claim ->> 4, claim ->> 5, claim ->> 6,
  claim ->> 7, claim ->> 8, claim -> 9, claim ->> 10, claim ->> 11, claim ->> 12, claim ->> 13,
  claim ->> 14, iif(claim ->> 14 IS NULL, NULL, 'rule'), claim ->> 15, base.n + f.n, 1
  FROM base, f WHERE true
  ON CONFLICT (practice_id, claim_number) DO NOTHING`;

export const INSERT_CORRECTED_EVENTS = `
  INSERT INTO claim_events (practice_id, claim_id, version, at, kind, status, actor, request_id, detail)
  SELECT ?1, c.id, c.version + 1, ?3, 'corrected', c.status, ?4, ?5,
  json_object('before', json_object('payer_claim_number', c.payer_claim_number, 'billed_cents', c.billed_cents,
  'denied_cents', c.denied_cents), 'after', json_object('payer_claim_number', j.value ->> 'payer_claim_number',
  'billed_cents', coalesce(j.value ->> 'billed', c.billed_cents),
  'denied_cents', coalesce(j.value ->> 'denied', c.denied_cents)))
  FROM json_each(?2) j CROSS JOIN claims c
  WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number' AND c.id = j.value ->> 'id'
  AND (c.payer_claim_number <> j.value ->> 'payer_claim_number'
  OR c.billed_cents IS NOT coalesce(j.value ->> 'billed', c.billed_cents)
  OR c.denied_cents IS NOT coalesce(j.value ->> 'denied', c.denied_cents))`;

export const UPDATE_CORRECTED = `
  WITH f AS MATERIALIZED (
  SELECT c.practice_id, c.claim_number, j.key + 1 AS n, j.value ->> 'payer_claim_number' AS payer_claim_number,
  coalesce(j.value ->> 'billed', c.billed_cents) AS billed,
  coalesce(j.value ->> 'denied', c.denied_cents) AS denied
  FROM json_each(?2) j CROSS JOIN claims c
  WHERE c.practice_id = ?1 AND c.claim_number = j.value ->> 'claim_number' AND c.id = j.value ->> 'id'
  AND (c.payer_claim_number <> j.value ->> 'payer_claim_number'
  OR c.billed_cents IS NOT coalesce(j.value ->> 'billed', c.billed_cents)
  OR c.denied_cents IS NOT coalesce(j.value ->> 'denied', c.denied_cents))),
  base AS MATERIALIZED (SELECT coalesce((SELECT changed FROM claims
  WHERE practice_id = ?1 AND changed > 0 ORDER BY changed DESC LIMIT 1), 0) AS n)
  UPDATE claims SET payer_claim_number = f.payer_claim_number, billed_cents = f.billed, denied_cents = f.denied,
  version = version + 1, updated_at = ?3, changed = base.n + f.n
  FROM base, f WHERE claims.practice_id = f.practice_id AND claims.claim_number = f.claim_number AND +claims.practice_id = ?1`;

export const TOUCH_API_KEY = `
  UPDATE api_keys SET last_used_at = ?3
  WHERE practice_id = ?1 AND id = ?2 AND coalesce(last_used_at, 0) < ?3`;
