-- The number of edits of each record that several people may edit, from 1. `If-Match` compares it. docs/DATA_MODEL.md
-- says what counts as an edit; a landed migration is never edited.

ALTER TABLE practices ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE users ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE webhooks ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE sso_providers ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE document_settings ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
