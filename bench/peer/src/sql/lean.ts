// Statements that only the lean peer has.

/** Without the counts of mismatches, because they are a limit. */
export const CLAIMS_OF_KEY = `
  SELECT json_array(json((SELECT json_group_array(json_array(c.claim_number, c.id, c.status, c.key_version,
  c.patient_tag, c.procedure_tag,
  c.date_of_service, c.payer_claim_number, c.billed_cents, c.denied_cents, c.present)) FROM claims c
  WHERE c.practice_id = k.practice_id AND c.claim_number IN (SELECT value FROM json_each(?2)))),
  json_array()) AS json
  FROM api_keys k WHERE k.hash = ?1`;

/** Overturn and the peer tell a submission from the audit trail, which the lean peer does not have. */
export const INSERT_SUBMISSION = `
  INSERT INTO submissions (practice_id, id, received_at, api_key_id, request_id)
  SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (
  SELECT 1 FROM json_each(?6) j WHERE NOT EXISTS (
  SELECT 1 FROM claims c WHERE c.practice_id = ?1 AND c.claim_number = j.value))
  ON CONFLICT (practice_id, id) DO NOTHING`;
