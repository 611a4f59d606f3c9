-- Indexes that lists of the staff are narrowed by. docs/DATA_MODEL.md says what each is for; a landed migration is never edited.

-- The cases of a payer, in the order of the list. The case of ASCII letters does not matter.
CREATE INDEX cases_of_payer ON cases (practice_id, payer_name COLLATE NOCASE, id);

-- The cases in which a claim is, or was before.
CREATE INDEX case_claims_of_claim ON case_claims (practice_id, claim_id, case_id);
