-- Tokens of an organisation carry the address that tools send them to, and their text is not kept: NULL where it is not known.

ALTER TABLE tokens ADD COLUMN address TEXT;
