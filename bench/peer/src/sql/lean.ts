// A statement that only the lean peer has: CLAIMS_OF_KEY without the mismatch counts, because they are a limit.

export const CLAIMS_OF_KEY = `
  SELECT json_array(json((SELECT json_group_array(json_array(c.claim_number, c.id, c.status, c.key_version,
  c.patient_tag, c.procedure_tag,
  c.date_of_service, c.payer_claim_number, c.billed_cents, c.denied_cents, c.present)) FROM claims c
  WHERE c.practice_id = k.practice_id AND c.claim_number IN (SELECT value FROM json_each(?2)))),
  json_array()) AS json
  FROM api_keys k WHERE k.hash = ?1`;
