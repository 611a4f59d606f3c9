-- What an appeal says about the practice that makes it, and the time zone in which people read the date of a signature.
-- `address` is JSON, `tax_id` the nine digits of an employer identification number. docs/DATA_MODEL.md explains them; a
-- landed migration is never edited.

ALTER TABLE practices ADD COLUMN address TEXT CONSTRAINT practice_address CHECK (address IS NULL OR json_valid(address));
ALTER TABLE practices ADD COLUMN npi TEXT;
ALTER TABLE practices ADD COLUMN tax_id TEXT;
ALTER TABLE practices ADD COLUMN phone TEXT;
ALTER TABLE practices ADD COLUMN time_zone TEXT;
