-- What a person read in the payer's letter about a claim. It stands beside what the billing system sent, and all columns are
-- empty if nothing is known. `appeal_due_from` keeps its two values, which the Worker from before knows: `rule` is the claim's own
-- date, by the rule or in the letter. It is the letter's if it is the day of `letter_due`.
ALTER TABLE claims ADD COLUMN letter_denied TEXT;
ALTER TABLE claims ADD COLUMN letter_plan TEXT;
ALTER TABLE claims ADD COLUMN letter_due TEXT;
ALTER TABLE claims ADD COLUMN letter_counts TEXT CONSTRAINT claim_letter_counts CHECK (letter_counts IN ('earliest', 'letter'));
ALTER TABLE claims ADD COLUMN letter_by TEXT CONSTRAINT claim_letter_by CHECK (letter_by IN ('staff', 'practice'));
ALTER TABLE claims ADD COLUMN letter_at INTEGER;
