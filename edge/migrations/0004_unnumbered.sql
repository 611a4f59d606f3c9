-- The Worker from before the numbers of changes goes on while the next one is deployed, and comes back where that is rolled back. Its
-- claims have the number 0, as many as there are; the next sweep of a Worker that knows of numbers gives them one.
DROP INDEX claim_changed_once;
CREATE UNIQUE INDEX claim_changed_once ON claims (practice_id, changed) WHERE changed > 0;
CREATE INDEX claims_unnumbered ON claims (practice_id) WHERE changed = 0;
